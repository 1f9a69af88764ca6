import type { Operation } from '../../contract/model.ts';
import type { FaultCause } from '../model/fault.ts';

/**
 * The statuses that a contract may document for a fault, the most fitting first, and what HTTP
 * itself gives it.
 */
interface Statuses {
  readonly documented: readonly number[];
  readonly otherwise: number;
}

const always = (status: number): Statuses => ({ documented: [], otherwise: status });

const statuses: Readonly<Record<FaultCause, Statuses>> = {
  target: { documented: [400, 422], otherwise: 400 },
  session: { documented: [400, 422], otherwise: 400 },
  preference: { documented: [400, 422], otherwise: 400 },
  'no-path': always(404),
  'wrong-method': always(405),
  gone: always(410),
  credential: { documented: [401, 403], otherwise: 401 },
  'credential-malformed': { documented: [401, 400, 403], otherwise: 401 },
  // RFC 6750, section 3.1: a client that gets 401 for a scope would fetch the same token again, for
  // ever.
  forbidden: always(403),
  'path-value': { documented: [404, 400, 422], otherwise: 400 },
  'parameter-value': { documented: [400, 422], otherwise: 400 },
  'body-missing': { documented: [400, 422], otherwise: 400 },
  'body-unreadable': { documented: [400, 422], otherwise: 400 },
  // RFC 9110, section 15.5.21: 422 is for content that is well-formed and wrong; who documents both
  // tells them apart.
  'body-value': { documented: [422, 400], otherwise: 400 },
  // The request names a record that is not there, in its body: whichever refusal the contract has
  // will do.
  reference: { documented: [422, 400, 404, 409], otherwise: 400 },
  'media-type': { documented: [415, 400, 422], otherwise: 415 },
  'not-acceptable': always(406),
  'not-found': always(404),
  conflict: { documented: [409, 422, 400], otherwise: 409 },
  precondition: always(412),
  impossible: always(501),
  internal: always(500),
};

/**
 * The status of a fault: the one that the operation documents for it, else the one that HTTP gives
 * (RFC 9110, section 15).
 *
 * Who shows no credential, or one that nobody knows, gets 401 with a challenge: clients log in on
 * that (section 15.5.2). Some services say 403 instead, and a contract that documents 403 and
 * leaves no room for 401, not by `4XX` or `default` either, is one of them: its clients wait for
 * what is documented.
 */
export function chooseStatus(cause: FaultCause, operation: Operation | undefined): number {
  const { documented, otherwise } = statuses[cause];
  const named = operation?.responses.map(({ status }) => status) ?? [];
  if (isOfCredential(cause) && !named.includes('401') && leavesOpen(named)) return otherwise;
  return documented.find((status) => named.includes(String(status))) ?? otherwise;
}

function isOfCredential(cause: FaultCause): boolean {
  return cause === 'credential' || cause === 'credential-malformed';
}

function leavesOpen(named: readonly string[]): boolean {
  return named.includes('4XX') || named.includes('default');
}
