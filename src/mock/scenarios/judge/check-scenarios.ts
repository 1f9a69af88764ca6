import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { suggestWord, VouchError } from '../../../errors.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { MockOptions } from '../../mock.ts';
import type { OperationPlans } from '../../model/request.ts';
import { planOperations } from '../../plan/plan-operations.ts';
import { exampleCollection, findCollection } from '../../records/collection-name.ts';
import { concernsOperation } from '../match-rule.ts';
import { scenarioError } from '../parse/parse-scenario.ts';
import type { Concerned, ScenarioFault } from '../scenario-fault.ts';
import { faultAt, oneFault, suggestScenario } from '../scenario-fault.ts';
import { storedRecord } from '../scenario-state.ts';
import type { Scenario, ScenarioRecords, ScenarioRule } from '../scenario.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeMatch } from './judge-match.ts';

/** The names of the initially active scenarios, in order. */
export function startingScenarios({ scenario }: Pick<MockOptions, 'scenario'>): readonly string[] {
  return scenario === undefined ? [] : typeof scenario === 'string' ? [scenario] : scenario;
}

/**
 * Throws a VouchError ('scenario-invalid') if a scenario contradicts the contract, if two have the
 * same name, or if an initially active one does not exist.
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

/**
 * Every contradiction between a scenario and a contract: unknown names, rules that no request can
 * match, invalid records, and invalid answers without `offContract`.
 */
export function validateScenario(
  scenario: Scenario,
  contract: Contract,
  plans: OperationPlans = planOperations(contract, []),
): ScenarioFault[] {
  const { rules } = scenario;
  return [
    ...judgeState(scenario.state ?? {}, contract),
    ...rules.flatMap((rule, index) =>
      judgeRule(rule, index, rules.slice(0, index), contract, plans),
    ),
  ];
}

function judgeRule(
  rule: ScenarioRule,
  index: number,
  earlier: readonly ScenarioRule[],
  contract: Contract,
  plans: OperationPlans,
): ScenarioFault[] {
  const pointer = joinPointer('', 'rules', index);
  const unknown = judgeWords(rule, contract).map((fault) => ({
    ...fault,
    pointer: pointer + fault.pointer,
  }));
  if (unknown.length > 0) return unknown;
  const concerned = {
    operations: contract.operations.filter((operation) => concernsOperation(rule, operation)),
    named: rule.tags.length === 0 && !rule.operations.includes('*'),
  };
  const answers = rule.answers.flatMap((answer, position) =>
    judgeAnswer(answer, { concerned, plans, pointer: joinPointer(pointer, 'answers', position) }),
  );
  return [
    ...judgeTurn(earlier, concerned).map((message) => ({ pointer, ...message })),
    ...judgeMatch(rule.match, concerned, joinPointer(pointer, 'match')),
    ...answers,
  ];
}

function judgeWords({ operations, tags }: ScenarioRule, contract: Contract): ScenarioFault[] {
  const ids = contract.operations.map(({ id }) => id);
  const used = [...new Set(contract.operations.flatMap((operation) => operation.tags))];
  const place = (list: readonly string[], index: number): readonly number[] =>
    list.length === 1 ? [] : [index];
  return [
    ...operations.flatMap((id, index) =>
      id === '*' || ids.includes(id)
        ? []
        : faultAt('', ['operation', ...place(operations, index)], {
            message: `The contract has no operation ${id}.`,
            hint: suggestWord(id, ids),
          }),
    ),
    ...tags.flatMap((tag, index) =>
      used.includes(tag)
        ? []
        : faultAt('', ['tag', ...place(tags, index)], {
            message: `No operation of the contract has the tag ${tag}.`,
            hint: suggestWord(tag, used),
          }),
    ),
  ];
}

/** The first matching rule wins, so rules after an unconditional one never match. */
function judgeTurn(
  earlier: readonly ScenarioRule[],
  { operations }: Concerned,
): Omit<ScenarioFault, 'pointer'>[] {
  const always = (rule: ScenarioRule, operation: Operation): boolean =>
    rule.match === undefined && rule.then !== 'pass' && concernsOperation(rule, operation);
  const taken = earlier.findIndex((rule) =>
    operations.every((operation) => always(rule, operation)),
  );
  if (taken === -1) return [];
  return [
    {
      message:
        `This rule is never reached: rules[${String(taken)}] matches every request ` +
        'that it could match, and comes first.',
      hint: 'Put the rule with the match before the one without.',
    },
  ];
}

/** The errors in the initial records of a scenario. */
export function judgeState(
  state: NonNullable<Scenario['state']>,
  contract: Contract,
): ScenarioFault[] {
  return Object.entries(state).flatMap(([name, records]) => {
    const found = findCollection(name, contract.resources);
    const pointer = joinPointer('', 'state', name);
    if (found?.collection !== undefined) return judgeRecords(records, found.resource, pointer);
    if (found !== undefined)
      return {
        pointer,
        message: `Records of ${name} are kept for each of those above them.`,
        hint: `Write the path instead of the name: ${exampleCollection(found.resource)}.`,
      };
    return {
      pointer,
      message: `The contract has no resource ${name}.`,
      hint: suggestWord(
        name,
        contract.resources.map((candidate) => candidate.name),
      ),
    };
  });
}

function judgeRecords(
  { kind, records }: ScenarioRecords,
  resource: Resource,
  pointer: Pointer,
): ScenarioFault[] {
  const list = kind === 'add' ? joinPointer(pointer, 'add') : pointer;
  const seen = new Set<string>();
  return records.flatMap((record, index) =>
    judgeRecord(record, resource, joinPointer(list, index), seen),
  );
}

function judgeRecord(
  record: JsonValue,
  resource: Resource,
  pointer: Pointer,
  seen: Set<string>,
): ScenarioFault[] {
  const { field } = resource.identifier;
  const [issue] = resource.record.validate(record, 'response');
  if (issue !== undefined)
    return oneFault(
      pointer + issue.at,
      'This record of ' +
        `${resource.name}${issue.at === '' ? '' : `, at ${issue.at},`} ` +
        `${issue.message}.`,
      'Fix the record, or the contract.',
    );
  const id = storedRecord(record, resource)?.id;
  if (id === undefined)
    return oneFault(
      pointer,
      `This record of ${resource.name} has no ${field}, by which records are found.`,
      `Give it a ${field}.`,
    );
  if (seen.has(id))
    return oneFault(
      joinPointer(pointer, field),
      `Two records of ${resource.name} have the ${field} ${id}.`,
      'Give each record a unique identifier.',
    );
  seen.add(id);
  return [];
}
