import type { Contract, Operation } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { suggestWord } from '../../../nearest-word.ts';
import type { OperationPlan } from '../../model/operation-plan.ts';
import { planOperations } from '../../plan/plan-operations.ts';
import { concernsOperation } from '../match-rule.ts';
import { type Concerned, faultAt, type ScenarioFault } from '../scenario-fault.ts';
import type { Scenario, ScenarioRule } from '../scenario.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeMatch } from './judge-match.ts';
import { judgeState } from './judge-state.ts';

/** Operations by id, as the mock has prepared them. */
export type OperationPlans = ReadonlyMap<string, OperationPlan>;

/**
 * Every way in which a scenario does not fit a contract: words that the contract does not have,
 * rules that no request could match, records that it does not allow, and answers that it does not
 * allow and that do not say `offContract`.
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
      judgeRule({ rule, index, earlier: rules.slice(0, index) }, contract, plans),
    ),
  ];
}

interface Given {
  readonly rule: ScenarioRule;
  readonly index: number;
  readonly earlier: readonly ScenarioRule[];
}

function judgeRule(
  { rule, index, earlier }: Given,
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
        : [
            faultAt('', ['operation', ...place(operations, index)], {
              message: `The contract has no operation ${id}.`,
              hint: suggestWord(id, ids),
            }),
          ],
    ),
    ...tags.flatMap((tag, index) =>
      used.includes(tag)
        ? []
        : [
            faultAt('', ['tag', ...place(tags, index)], {
              message: `No operation of the contract has the tag ${tag}.`,
              hint: suggestWord(tag, used),
            }),
          ],
    ),
  ];
}

/**
 * The first rule that matches wins, so that one which always does leaves nothing to those after it.
 */
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
      message: `This rule is never asked: rules[${String(taken)}] matches every request that it could match, and comes first.`,
      hint: 'Put the rule with the match before the one without.',
    },
  ];
}
