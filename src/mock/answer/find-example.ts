import type { JsonValue } from '../../json/value.ts';
import { selectResponse } from '../../contract/select-response.ts';
import type { AnswerContent } from '../plan/answer-plan.ts';
import type { OperationPlan } from '../plan/operation-plan.ts';

/**
 * An example of the contract's, with the status that it is answered with and the media type that it
 * is written in.
 */
export interface NamedExample {
  readonly name: string;
  readonly value: JsonValue;
  readonly status: number;
  readonly content: AnswerContent;
}

/**
 * The examples of an operation's answers in every media type: of one status, or of all of them, the
 * success first. Those of a range and of `default` come with a status that the contract documents
 * by no other response.
 */
export function findExamples(plan: OperationPlan, status?: number): NamedExample[] {
  const statuses =
    status === undefined
      ? [
          plan.status,
          ...plan.operation.responses.flatMap((response) => statusFor(response.status, plan) ?? []),
        ]
      : [status];
  return [...new Set(statuses)].flatMap((each) =>
    plan
      .answerPlan(each)
      .contents.flatMap((content) =>
        content.examples.map(({ name, value }) => ({ name, value, status: each, content })),
      ),
  );
}

/** Statuses that a response for several may stand for, the most usual first. */
const usual: readonly number[] = [500, 400, 404, 409, 422, 401, 403, 429, 503, 200, 201, 202, 204];

/**
 * A status that the contract documents by the response of this key, and no other; undefined where
 * there is none left.
 */
function statusFor(key: string, plan: OperationPlan): number | undefined {
  if (/^\d+$/.test(key)) return Number(key);
  const digit = /^(\d)XX$/.exec(key)?.[1];
  const candidates =
    digit === undefined
      ? [plan.status, ...usual]
      : [plan.status, ...Array.from({ length: 100 }, (_, index) => Number(digit) * 100 + index)];
  return candidates.find((status) => selectResponse(plan.operation, status)?.status === key);
}
