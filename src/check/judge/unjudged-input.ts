import type { Operation } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { Case } from '../model/case.ts';
import type { Step } from '../model/step.ts';

/**
 * A parameter, or the body, that a server does not look at: nearly every invalid value of it was
 * accepted.
 */
export interface UnjudgedInput {
  readonly operation: Operation;
  readonly subject: string;
  readonly pointer: Pointer;
  readonly tried: number;
  readonly accepted: number;
}

const fewestRules = 3;
const share = 0.75;

/** Finds input for which this rule or that one is not the cause: the server judges none of them. */
export function findUnjudged(steps: readonly Step[]): UnjudgedInput[] {
  const broken = steps.filter(
    ({ case: { intent }, exchange }) =>
      intent.kind === 'invalid' && intent.accepted === 'error' && exchange.response !== undefined,
  );
  const byInput = Map.groupBy(
    broken,
    ({ case: tried }) => `${tried.operation.id} ${subjectOf(tried)}`,
  );
  return [...byInput.values()].flatMap((tries) => toInput(tries) ?? []);
}

function toInput(tries: readonly Step[]): UnjudgedInput | undefined {
  const [first] = tries;
  const accepted = tries.filter(({ exchange }) => isSuccess(exchange.response?.status ?? 0));
  const rules = new Set(
    accepted.map(({ case: { intent } }) => (intent.kind === 'invalid' ? intent.at : '')),
  );
  if (first === undefined || rules.size < fewestRules || accepted.length < tries.length * share)
    return undefined;
  const { operation } = first.case;
  const subject = subjectOf(first.case);
  const pointer =
    operation.parameters.find(({ name }) => name === subject)?.pointer ??
    operation.requestBody?.pointer ??
    operation.pointer;
  return { operation, subject, pointer, tried: tries.length, accepted: accepted.length };
}

function subjectOf({ intent }: Case): string {
  return intent.kind === 'invalid' ? intent.subject : '';
}

/** Whether a case tries such input. */
export function isUnjudged(tried: Case, { operation, subject }: UnjudgedInput): boolean {
  return (
    tried.operation === operation &&
    tried.intent.kind === 'invalid' &&
    tried.intent.subject === subject
  );
}
