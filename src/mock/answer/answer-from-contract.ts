import type { HeaderList } from '../../http/message.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { generateBody, impossible } from './generate-body.ts';
import { makeReply, type Reply } from '../model/reply.ts';

/**
 * Answers an operation that belongs to no resource: as assumed, else from the contract. Where the
 * contract leaves the payload open and nothing is assumed, the answer is empty. Where the contract
 * documents nothing but that the protocol is switched, that cannot be answered.
 */
export function answerFromContract(request: ValidRequest): Reply | Fault {
  const { plan, content } = request;
  const assumed = plan.assumption?.body;
  if (assumed !== undefined) return makeReply(plan.status, assumed);
  if (plan.status < 200)
    return impossible(
      `the contract documents ${String(plan.status)} alone, and the mock speaks no other protocol`,
      'Give the contract an answer for those that ask in plain HTTP.',
    );
  if (content === undefined)
    return makeReply(plan.status, undefined, { headers: redirect(request) });
  const generated = generateBody(content, request);
  return generated.kind === 'fault'
    ? generated
    : makeReply(plan.status, generated.value, { headers: redirect(request) });
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * A redirect leads somewhere (RFC 9110, section 15.4), even where the contract does not say where:
 * then to where the service begins.
 */
function redirect({ plan, basePath }: ValidRequest): HeaderList {
  if (
    !redirects.has(plan.status) ||
    plan.answerPlan(plan.status).headers.some(({ name }) => name.toLowerCase() === 'location')
  )
    return [];
  return [['Location', `${basePath}/`]];
}
