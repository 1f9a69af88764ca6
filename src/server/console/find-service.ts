import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import type { ConsoleOutside } from './outside.ts';

/** The error for the name of a service that nobody has named. */
export function unknownService(name: string, { others }: ConsoleOutside): VouchError {
  const known = others?.().map((other) => other.name) ?? [];
  return new VouchError('usage', `There is no service ${name.slice(0, 80)}.`, {
    hint:
      known.length === 0
        ? 'Start with --prism, or name targets in vouch.config.yaml.'
        : suggestWord(name, known),
  });
}
