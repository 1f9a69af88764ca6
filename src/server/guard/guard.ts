import type { Contract } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { knownCoding, knownExpectation, knownTransferCoding } from './guard-body.ts';
import { boundedHeaders, singleFields, soundHost } from './guard-fields.ts';
import { boundedTarget, knownMethod, knownVersion, readableTarget } from './guard-line.ts';
import type { RequestHead } from '../request-head.ts';

/**
 * Reads as the rule kept. Answers a head that breaks it, and nothing to one that keeps it. The
 * contract may add methods. Pure.
 */
export type GuardRule = (
  head: RequestHead,
  contract?: Pick<Contract, 'operations'>,
) => HttpResponse | undefined;

/**
 * Every rule that a request must keep before its body is read, in the order in which they are
 * asked.
 */
export const guardRules: readonly GuardRule[] = [
  knownVersion,
  knownMethod,
  boundedTarget,
  readableTarget,
  boundedHeaders,
  soundHost,
  singleFields,
  knownTransferCoding,
  knownCoding,
  knownExpectation,
];

/** The refusal of the first rule that a head breaks, or undefined where the request may come in. */
export function inspectHead(
  head: RequestHead,
  contract?: Pick<Contract, 'operations'>,
): HttpResponse | undefined {
  for (const rule of guardRules) {
    const refusal = rule(head, contract);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
