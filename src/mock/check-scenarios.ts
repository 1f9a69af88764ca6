import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { suggestWord } from '../nearest-word.ts';
import type { Scenario } from './scenario.ts';
import { validateScenario, type ScenarioFault } from './validate-scenario.ts';

/** Throws a VouchError ('scenario-invalid') where a scenario does not fit the contract, two have one name, or the one that is to be on is none of them. */
export function checkScenarios(scenarios: readonly Scenario[], active: string | undefined, contract: Contract): void {
  const names = scenarios.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new VouchError('scenario-invalid', `Two scenarios are called ${twice}.`, { hint: 'Rename one of them.' });
  if (active !== undefined && !names.includes(active)) {
    throw new VouchError('scenario-invalid', `There is no scenario ${active}.`, { hint: suggestWord(active, names) });
  }
  for (const scenario of scenarios) {
    const [fault, ...others] = validateScenario(scenario, contract);
    if (fault !== undefined) throw refuse(scenario, fault, others.length);
  }
}

function refuse({ name }: Scenario, { rule, answer, message }: ScenarioFault, others: number): VouchError {
  const place = `rules[${String(rule)}]${answer === undefined ? '' : `.answers[${String(answer)}]`}`;
  const more = others === 0 ? '' : ` (${String(others)} more)`;
  return new VouchError('scenario-invalid', `Scenario ${name}, ${place}: ${message}${more}`, { hint: 'Mend the scenario, or the contract.' });
}
