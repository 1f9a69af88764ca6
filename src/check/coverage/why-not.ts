import type { Operation } from '../../contract/model.ts';

/** What is known of why an operation was not asked for more. */
export interface Circumstances {
  readonly operation: Operation;
  /** Why some of its planned requests were not sent, in a clause. */
  readonly unsent?: string | undefined;
  /** Whether any valid request was answered with a success. */
  readonly succeeded: boolean;
  readonly hasToken: boolean;
}

const byStatus: Readonly<Record<string, string>> = {
  '304':
    'A conditional request; vouch sends one where the contract has an ETag and an answer comes with one.',
  '402': 'An account that has to pay first.',
  '403': 'A token that is known and lacks a right: a scope, a role, somebody else’s record.',
  '405': 'A method that the path does not have; vouch tries some in read-write mode.',
  '406':
    'An Accept header with nothing that the operation has; vouch accepts all that the contract shows.',
  '408': 'A request that takes too long to arrive; vouch sends none.',
  '409': 'A request that collides with what is there, such as a name that is taken.',
  '410': 'A record that is gone for good.',
  '412':
    'A precondition (If-Match) that fails; vouch sends one where a change takes If-Match and a read comes with an ETag.',
  '413': 'A body over the server’s limit.',
  '415':
    'A body in a media type that the operation does not take, which the server refuses with this status.',
  '422':
    'An invalid request that the server refuses with this status; those that were sent got another one.',
  '400':
    'An invalid request that the server refuses with this status; those that were sent got another one, or there were none.',
  '428': 'A request without the precondition that the server asks for.',
  '429': 'More requests than the server allows in a while; vouch keeps --rate.',
};

/** What would reach a status of an operation, in one sentence. */
export function whyNoStatus(
  status: string,
  { operation, unsent, succeeded, hasToken }: Circumstances,
): string {
  if (status.startsWith('2')) {
    if (succeeded)
      return 'A valid request that the server answers with this status; it answered with another success.';
    return unsent === undefined
      ? 'A valid request that the server accepts; see the statuses that it answered with.'
      : `Its requests, which were not sent: ${unsent}.`;
  }
  if (status.startsWith('5')) return 'A failure of the server, which vouch does not provoke.';
  if (status.startsWith('3'))
    return byStatus[status] ?? 'A reason for the server to send the client elsewhere.';
  if (status === 'default') return 'A status that the operation does not name.';
  if (status === '401')
    return hasToken
      ? 'A request without a valid credential that the server refuses with this status.'
      : 'A run that sends wrong credentials to this operation.';
  if (status === '404')
    return operation.path.includes('{')
      ? 'An identifier of which there is no record, which the server answers with this status.'
      : 'Something that the server cannot find; nothing in the request names a record.';
  return byStatus[status] ?? 'A fault in the request that the server refuses with this status.';
}

/** What would reach a class of values of an input, in one sentence. */
export function whyNoClass(
  name: string,
  place: string,
  { operation, unsent }: Circumstances,
): string {
  if (unsent !== undefined) return `Its requests, which were not all sent: ${unsent}.`;
  if (name === 'known-record')
    return `A record to ask for: give one with targets.NAME.examples.${operation.id}.`;
  if (name === 'missing-record')
    return 'An identifier that fits the schema and that surely nobody has; or an operation that may be sent one.';
  if (place === 'body' && operation.method !== 'POST')
    return 'Mode fuzz, which sends more bodies to operations that change a record.';
  if (name === 'wrong-type' || name === 'null-given')
    return 'A media type that tells types apart, as JSON does.';
  return 'Mode fuzz, which sends more values than the bounded plan has room for.';
}
