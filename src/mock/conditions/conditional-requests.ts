import type { Resource } from '../../contract/model.ts';
import { headerValue, headerValues, type HttpResponse } from '../../http/message.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import { hashText } from '../../values/random.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { findRecord } from '../records/find-record.ts';

const changes: ReadonlySet<string> = new Set(['replace', 'update', 'delete']);

/**
 * Whether a request changes its record only under a condition (RFC 9110, section 13.1), and the
 * contract says what it gets where that fails.
 */
export function hasCondition({ plan, request: { headers } }: ValidRequest): boolean {
  if (plan.role === undefined || !changes.has(plan.role.action)) return false;
  return (
    conditions.some((name) => headerValues(headers, name).length > 0) &&
    plan.operation.responses.some(({ status }) => status === '412')
  );
}

const conditions = ['if-match', 'if-none-match'] as const;

/**
 * Why the record's state does not allow the change; undefined where it does, or where there is no
 * such record: that is for the change to say.
 */
export function brokenCondition(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<Fault | undefined> {
  const [match, noneMatch] = conditions.map((name) =>
    headerValues(request.request.headers, name),
  ) as [string[], string[]];
  return whenReady(findRecord(request, resource, store), (found) => {
    if (found.kind === 'fault') return undefined;
    const tag = entityTag(found.record);
    if (match.length > 0 && !listsTag(match, tag))
      return failed(
        'If-Match names another state than the record is in: its entity tag is now ' +
          `"${tag}". Read it again, and send the tag that it has.`,
      );
    if (noneMatch.length > 0 && listsTag(noneMatch, tag))
      return failed(
        `If-None-Match rules out the state that the record is in: its entity tag is "${tag}".`,
      );
    return undefined;
  });
}

function failed(message: string): Fault {
  return makeFault('precondition', 'precondition_failed', message);
}

/**
 * The reply that stands for an answer which the client has already (RFC 9110, section 13.1.2);
 * undefined where it has not, or where the contract documents no 304.
 */
export function unchanged(
  { plan, request: { method, headers } }: ValidRequest,
  answer: HttpResponse,
): Reply | undefined {
  if (
    answer.status !== 200 ||
    (method !== 'GET' && method !== 'HEAD') ||
    plan.answerPlan(304).response?.status !== '304'
  )
    return undefined;
  const [tag, known] = [
    headerValue(answer.headers, 'etag'),
    headerValues(headers, 'if-none-match'),
  ];
  if (tag === undefined || known.length === 0 || !listsTag(known, tag)) return undefined;
  return { kind: 'reply', status: 304, body: undefined, headers: [['ETag', tag]] };
}

/**
 * What stands between the quotes of an entity tag (RFC 9110, section 8.8.3): the same for the same
 * state, and another for any other.
 */
export function entityTag(state: JsonValue): string {
  return hashText(stringifyJson(state))
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 16);
}

/**
 * Whether one of the tags that a condition lists is that of a state, or `*`; how they are quoted,
 * and whether they are weak, is no matter.
 */
function listsTag(listed: readonly string[], tag: string): boolean {
  return listed
    .flatMap((field) => field.split(','))
    .some((text) => text.trim() === '*' || bareTag(text) === bareTag(tag));
}

function bareTag(text: string): string {
  return text.trim().replace(/^W\//, '').replaceAll('"', '');
}
