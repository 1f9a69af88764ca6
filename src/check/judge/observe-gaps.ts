import type { Contract, Gap } from '../../contract/model.ts';
import { isJsonObject } from '../../json/value.ts';
import { countWords, showValue } from '../evidence/phrases.ts';
import { jsonOf } from '../evidence/read-answer.ts';
import { isRefusal, isSuccess } from '../evidence/refusal.ts';
import type { Step } from '../subject.ts';

/** A gap of the contract, and what the target was seen to do there. */
export interface ObservedGap {
  readonly gap: { readonly id: string; readonly message: string };
  readonly observed: string;
}

/** Fills the contract's gaps with what was seen: facts for whoever writes the contract, no findings. */
export function observeGaps(contract: Contract, steps: readonly Step[]): ObservedGap[] {
  return contract.gaps.flatMap((gap) => {
    const own = steps.filter((step) => step.case.operation.id === gap.operation?.id && step.exchange.response !== undefined);
    const observed = observe(gap, own);
    return observed === undefined ? [] : [{ gap: { id: gap.id, message: gap.message }, observed }];
  });
}

function observe(gap: Gap, steps: readonly Step[]): string | undefined {
  switch (gap.kind) {
    case 'refusal-undocumented':
      return statuses(steps.filter((step) => step.case.intent.kind === 'invalid' && isRefusal(statusOf(step))), 'Refused invalid requests with');
    case 'unauthorised-undocumented':
      return statuses(steps.filter((step) => step.case.intent.kind === 'credential' && isRefusal(statusOf(step))), 'Refused requests without a valid credential with');
    case 'success-open':
      return statuses(steps.filter((step) => step.case.intent.kind === 'valid' && statusOf(step) < 400), 'Answered valid requests with');
    case 'payload-open':
      return observePayload(steps);
    case 'default-unknown':
      return observeDefault(gap, steps);
    case 'text-unbounded':
      return observeLength(gap, steps);
    case 'paging-unknown':
      return undefined;
  }
}

function statusOf({ exchange }: Step): number {
  return exchange.response?.status ?? 0;
}

function statuses(steps: readonly Step[], words: string): string | undefined {
  const counts = Map.groupBy(steps, statusOf);
  if (counts.size === 0) return undefined;
  return `${words} ${[...counts].map(([status, seen]) => `${String(status)} (${countWords(seen.length, 'time')})`).join(', ')}.`;
}

function observePayload(steps: readonly Step[]): string | undefined {
  const step = steps.find((candidate) => candidate.case.intent.kind === 'valid' && statusOf(candidate) < 400);
  if (step === undefined) return undefined;
  const { answer } = step;
  if (answer.kind === 'empty') return `Answered ${String(statusOf(step))} without a body.`;
  const value = jsonOf(answer);
  const shape = isJsonObject(value) ? `an object with ${Object.keys(value).slice(0, 12).join(', ') || 'no members'}` : Array.isArray(value) ? `an array of ${countWords(value.length, 'item')}` : undefined;
  return `Answered ${String(statusOf(step))} with ${shape ?? 'a body'} in ${answer.mediaType ?? 'no media type'}.`;
}

/** The field is the part of the gap's id before its last word: `createPet.body.status.default`. */
function fieldOf({ id }: Gap): string {
  return id.split('.').at(-2) ?? '';
}

function observeDefault(gap: Gap, steps: readonly Step[]): string | undefined {
  const field = fieldOf(gap);
  const seen = steps.flatMap((step) => {
    const record = jsonOf(step.answer);
    const left = isJsonObject(step.sent.body) && !Object.hasOwn(step.sent.body, field);
    if (!left || step.case.intent.kind !== 'valid' || !isSuccess(statusOf(step)) || !isJsonObject(record)) return [];
    return [Object.hasOwn(record, field) ? showValue(record[field]) : 'nothing'];
  });
  const distinct = [...new Set(seen)];
  return distinct.length === 0 ? undefined : `A record that was sent without ${field} came back with ${distinct.map((value) => (value === 'nothing' ? 'none' : value)).join(' or ')}.`;
}

function observeLength(gap: Gap, steps: readonly Step[]): string | undefined {
  const field = fieldOf(gap);
  const lengths = steps.flatMap((step) => {
    const text = isJsonObject(step.sent.body) ? step.sent.body[field] : undefined;
    return typeof text === 'string' && step.case.intent.kind === 'valid' ? [{ length: Array.from(text).length, status: statusOf(step) }] : [];
  });
  const [longest] = lengths.toSorted((left, right) => right.length - left.length);
  return longest === undefined ? undefined : `Answered ${String(longest.status)} to ${countWords(longest.length, 'character')} in ${field}.`;
}
