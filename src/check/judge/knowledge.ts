import type { Contract } from '../../contract/model.ts';
import { isSecured } from '../credential.ts';
import { isJsonObject } from '../../json/value.ts';
import { pageOf } from '../evidence/list-page.ts';
import { isRefusal, isSuccess } from '../evidence/refusal.ts';
import { createdIdentifier } from '../memory.ts';
import { roleOf, type RunKnowledge, type Step } from '../subject.ts';

/** What all the steps of a run together show, in the order of the plan. */
export function gatherKnowledge(contract: Contract, steps: readonly Step[], runId: string): RunKnowledge {
  const answered = steps.filter(({ exchange }) => exchange.response !== undefined);
  return {
    largestPages: largestPages(contract, answered),
    answers: countBy(answered, (step) => step.case.operation.id),
    authorised: answered.some((step) => isSecured(step.case.operation) && step.case.request.credential === 'given' && isSuccess(step.exchange.response?.status ?? 0)),
    creators: creators(contract, answered),
    refusedTexts: refusedTexts(contract, answered, runId),
  };
}

function countBy(steps: readonly Step[], nameOf: (step: Step) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const step of steps) counts.set(nameOf(step), (counts.get(nameOf(step)) ?? 0) + 1);
  return counts;
}

function largestPages(contract: Contract, steps: readonly Step[]): Map<string, number> {
  const largest = new Map<string, number>();
  for (const step of steps) {
    const size = pageOf({ contract }, step)?.records.length ?? 0;
    const { id } = step.case.operation;
    if (size > (largest.get(id) ?? 0)) largest.set(id, size);
  }
  return largest;
}

function creators(contract: Contract, steps: readonly Step[]): Map<string, Step[]> {
  const found = new Map<string, Step[]>();
  for (const step of steps) {
    const role = roleOf(contract, step.case.operation);
    if (role?.action !== 'create' || !isSuccess(step.exchange.response?.status ?? 0)) continue;
    const identifier = createdIdentifier(role.resource, step.answer, step.exchange.response);
    if (identifier === undefined) continue;
    const name = `${role.resource.name} ${String(identifier)}`;
    found.set(name, [...(found.get(name) ?? []), step]);
  }
  return found;
}

/** Texts that bear the run's mark. One that was sent twice, and accepted once, shows nothing. */
function refusedTexts(contract: Contract, steps: readonly Step[], runId: string): Map<string, Step> {
  const refused = new Map<string, Step>();
  const accepted = new Set<string>();
  for (const step of steps) {
    const role = roleOf(contract, step.case.operation);
    if (role === undefined || !isJsonObject(step.sent.body)) continue;
    const marked = Object.entries(step.sent.body).filter(([, value]) => typeof value === 'string' && value.includes(`${runId}-`));
    for (const [field, value] of marked) {
      const name = `${role.resource.name} ${field} ${String(value)}`;
      if (role.action === 'create' && isRefusal(step.exchange.response?.status ?? 0)) refused.set(name, step);
      else accepted.add(name);
    }
  }
  return new Map([...refused].filter(([name]) => !accepted.has(name)));
}
