import { VouchError } from '../../../src/errors.ts';
import type { Contract } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { parseScenario } from '../../../src/mock/scenarios/parse/parse-scenario.ts';
import { validateScenario } from '../../../src/mock/scenarios/judge/check-scenarios.ts';
import type { Scenario } from '../../../src/mock/scenarios/scenario.ts';

/** What parsing says of a value: the error's message and hint. */
export function complaint(value: JsonValue): string {
  try {
    parseScenario('probe', value);
  } catch (error) {
    if (error instanceof VouchError && error.code === 'scenario-invalid')
      return told(error.message, error.hint);
    throw error;
  }
  return 'no complaint';
}

/**
 * What a contract has against a scenario, a line for each fault: its place, its message and the way
 * out.
 */
export function objections(value: JsonValue, contract: Contract): string {
  return validateScenario(parseScenario('probe', value), contract)
    .map(({ pointer, message, hint }) => `${pointer} ${told(message, hint)}`)
    .join('\n');
}

function told(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** A scenario of the given rules. */
export function scenarioOf(name: string, ...rules: JsonValue[]): Scenario {
  return parseScenario(name, { description: name, rules });
}

/** The text of a scenario with one rule for one operation. */
export function withRule(more: { readonly [key: string]: JsonValue }): JsonValue {
  return {
    description: 'd',
    rules: [{ operation: 'getTool', answers: [{ status: 404 }], ...more }],
  };
}

/** The text of a scenario with one answer. */
export function withAnswer(answer: JsonValue): JsonValue {
  return { description: 'd', rules: [{ operation: 'getTool', answers: [answer] }] };
}
