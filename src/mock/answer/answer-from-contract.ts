import type { ValidRequest } from '../behaviour.ts';
import type { Fault } from '../errors/fault.ts';
import { generateBody } from './generate-body.ts';
import { makeReply, type Reply } from './reply.ts';

/**
 * Answers an operation that belongs to no resource: as assumed, else from the contract. Where the contract leaves the payload
 * open and nothing is assumed, the answer is empty.
 */
export function answerFromContract(request: ValidRequest): Reply | Fault {
  const { plan, content } = request;
  const assumed = plan.assumption?.body;
  if (assumed !== undefined) return makeReply(plan.status, assumed);
  if (content === undefined) return makeReply(plan.status, undefined);
  const generated = generateBody(content, request);
  return generated.kind === 'fault' ? generated : makeReply(plan.status, generated.value);
}
