import type { Operation } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { editDistance, nearestWord, suggestWord } from '../../nearest-word.ts';

/** What is wrong with a scenario, where in its file, and the way out. */
export interface ScenarioFault {
  readonly pointer: Pointer;
  readonly message: string;
  readonly hint?: string;
}

/** A fault at a place below a pointer. */
export function faultAt(
  pointer: Pointer,
  path: readonly (string | number)[],
  { message, hint }: Omit<ScenarioFault, 'pointer'>,
): ScenarioFault {
  return {
    pointer: joinPointer(pointer, ...path),
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}

/**
 * The operations that a rule is about, and whether it names them one by one: then it must make
 * sense for each.
 */
export interface Concerned {
  readonly operations: readonly Operation[];
  readonly named: boolean;
}

/**
 * What is wrong for the operations of a rule; where they are not named one by one, it is enough
 * that one of them is right.
 */
export function judgeEach(
  { operations, named }: Concerned,
  judge: (operation: Operation) => readonly ScenarioFault[],
): readonly ScenarioFault[] {
  if (named) return operations.flatMap(judge);
  let told: readonly ScenarioFault[] = [];
  for (const operation of operations) {
    const faults = judge(operation);
    if (faults.length === 0) return [];
    // Of many operations, the one that knows what was meant has the word.
    if (told.length === 0 || (!isGuess(told) && isGuess(faults))) told = faults;
  }
  return told;
}

function isGuess(faults: readonly ScenarioFault[]): boolean {
  return faults.some(({ hint }) => hint?.startsWith('Did you mean') === true);
}

/**
 * The known word of which another is a slip of the pen: one or two letters away, of five or more.
 * Undefined where it is no slip.
 */
export function slipOf(word: string, known: readonly string[]): string | undefined {
  const near = word.length < 5 ? undefined : nearestWord(word, known);
  if (near === undefined) return undefined;
  const distance = editDistance(word.toLowerCase(), near.toLowerCase());
  return distance > 0 && distance <= 2 ? near : undefined;
}

/**
 * A clause that can follow the complaint about a scenario that is not there: the nearest name, or
 * all; where there is none at all, how they come to be known.
 */
export function suggestScenario(name: string, known: readonly string[]): string {
  return known.length === 0
    ? 'None is known here: name the folder of their files under mock.scenarios ' +
        'in vouch.config.yaml.'
    : suggestWord(name, known);
}
