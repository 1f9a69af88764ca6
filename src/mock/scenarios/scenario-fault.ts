import { editDistance, nearestWord, suggestWord, usage, type VouchError } from '../../errors.ts';
import type { Operation } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';

/** An error in a scenario with its location and hint. */
export interface ScenarioFault {
  readonly pointer: Pointer;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An error alone, for what is judged by the errors that it has. */
export function oneFault(pointer: Pointer, message: string, hint?: string): ScenarioFault[] {
  return [{ pointer, message, hint }];
}

/** An error at a location below a pointer. */
export function faultAt(
  pointer: Pointer,
  path: readonly (string | number)[],
  { message, hint }: Omit<ScenarioFault, 'pointer'>,
): ScenarioFault {
  return { pointer: joinPointer(pointer, ...path), message, hint };
}

/** The operations of a rule, and whether it names them: then the rule must be valid for each. */
export interface Concerned {
  readonly operations: readonly Operation[];
  readonly named: boolean;
}

/**
 * The errors of a rule for its operations; if they are not named, one operation without errors is
 * enough.
 */
export function judgeEach(
  { operations, named }: Concerned,
  judge: (operation: Operation) => readonly ScenarioFault[],
): readonly ScenarioFault[] {
  if (named) return operations.flatMap(judge);
  let closest: readonly ScenarioFault[] = [];
  for (const operation of operations) {
    const faults = judge(operation);
    if (faults.length === 0) return [];
    // Of several operations, the one with the closest match reports its error.
    if (closest.length === 0 || (!isGuess(closest) && isGuess(faults))) closest = faults;
  }
  return closest;
}

function isGuess(faults: readonly ScenarioFault[]): boolean {
  return faults.some(({ hint }) => hint?.startsWith('Did you mean') === true);
}

/**
 * The known name that another one probably misspells: one or two letters differ, of five or more.
 * Undefined if there is none.
 */
export function slipOf(word: string, known: readonly string[]): string | undefined {
  const near = word.length < 5 ? undefined : nearestWord(word, known);
  if (near === undefined) return undefined;
  const distance = editDistance(word.toLowerCase(), near.toLowerCase());
  return distance > 0 && distance <= 2 ? near : undefined;
}

/** The error for a scenario that nobody gave. */
export function unknownScenario(name: string, known: readonly string[]): VouchError {
  const hint = suggestScenario(name, known);
  return usage(`There is no scenario ${name}.`, { hint });
}

/**
 * The hint for an unknown scenario: the nearest name, or all names; without scenarios, how to
 * configure them.
 */
export function suggestScenario(name: string, known: readonly string[]): string {
  return known.length === 0
    ? 'None is loaded. Name the folder of their files: mock.scenarios in vouch.config.yaml, ' +
        "or scenarios: './scenarios' in code."
    : suggestWord(name, known);
}
