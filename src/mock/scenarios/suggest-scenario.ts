import { suggestWord } from '../../nearest-word.ts';

/**
 * A clause that can follow the complaint about a scenario that is not there: the nearest name, or
 * all; where there is none at all, how they come to be known.
 */
export function suggestScenario(name: string, known: readonly string[]): string {
  return known.length === 0
    ? 'None is known here: name the folder of their files under mock.scenarios in vouch.config.yaml.'
    : suggestWord(name, known);
}
