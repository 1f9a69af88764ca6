import { VouchError } from '../../../errors.ts';
import type { MockOptions } from '../../mock.ts';
import { planOperations } from '../../plan/plan-operations.ts';
import { scenarioError } from '../parse/parse-scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { ScenarioFault } from '../scenario-fault.ts';
import { validateScenario } from './validate-scenario.ts';
import { suggestScenario } from '../suggest-scenario.ts';

/** The names of the scenarios that are on from the start, in their order. */
export function startingScenarios({ scenario }: Pick<MockOptions, 'scenario'>): readonly string[] {
  return scenario === undefined ? [] : typeof scenario === 'string' ? [scenario] : scenario;
}

/**
 * Throws a VouchError ('scenario-invalid') where a scenario does not fit the contract, two have one
 * name, or one that is to be on is none of them.
 */
export function checkScenarios(
  options: Pick<MockOptions, 'scenarios' | 'scenario' | 'contract' | 'assumptions'>,
): void {
  const { scenarios, contract, assumptions } = options;
  const names = scenarios.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new VouchError('scenario-invalid', `Two scenarios are called ${twice}.`, {
      hint: 'Rename one of them.',
    });
  const missing = startingScenarios(options).find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new VouchError('scenario-invalid', `There is no scenario ${missing}.`, {
      hint: suggestScenario(missing, names),
    });
  if (scenarios.length === 0) return;
  const plans = planOperations(contract, assumptions);
  for (const scenario of scenarios) {
    const [fault, ...others] = validateScenario(scenario, contract, plans);
    if (fault !== undefined) throw refuse(scenario, fault, others.length);
  }
}

function refuse(
  { name, fault = scenarioError(name) }: Scenario,
  { pointer, message, hint }: ScenarioFault,
  others: number,
): VouchError {
  const more = others === 0 ? '' : ` (${String(others)} more)`;
  return fault(pointer, `${message}${more}`, hint);
}
