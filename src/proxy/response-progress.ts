import { outOfTime, type ResponseReader } from '../check/transport/wire/answer/response-reader.ts';
import { emptyBody, headerValue, type HttpResponse } from '../http/message.ts';
import { insertFields, type ProxiedExchange } from './proxied-exchange.ts';

/** What a response that waits for its judgement must do now. */
export type Waiting =
  | { readonly kind: 'waits' }
  /** Only interim responses came, such as 100 (Continue), for which the client waits. */
  | { readonly kind: 'interim' }
  /** It passes on, with these header fields. */
  | { readonly kind: 'passes'; readonly fields: string };

/** Which responses wait until they are complete. */
interface WaitRules {
  /** Whether all of them get fields with the verdict. */
  readonly hasFields: boolean;
  readonly replaceable: ReadonlySet<number>;
}

/** Whether an incomplete response waits on: what has no end, or no judgement, must not. */
export function howItWaits(
  { head, isBetweenHeads, bodyDropped }: ResponseReader,
  { hasFields, replaceable }: WaitRules,
): Waiting {
  if (head === undefined) return { kind: isBetweenHeads ? 'interim' : 'waits' };
  if (isEventStream(head.headers)) return { kind: 'passes', fields: notJudged('it is a stream') };
  if (bodyDropped) return { kind: 'passes', fields: notJudged('it is larger than vouch reads') };
  return hasFields || replaceable.has(head.status)
    ? { kind: 'waits' }
    : { kind: 'passes', fields: '' };
}

/** The header field that says why a response has no verdict. */
export function notJudged(why: string): string {
  return `Vouch-Response: not judged; ${why}\r\n`;
}

/** Takes the bytes of a response that waits; with the fields added, if there are any. */
export function takeHeld(exchange: ProxiedExchange, fields: string): Buffer | undefined {
  const held = exchange.heldResponse;
  exchange.heldResponse = undefined;
  if (held === undefined || held.length === 0) return undefined;
  const bytes = Buffer.concat(held);
  return fields === '' ? bytes : insertFields(bytes, fields);
}

/** Notes what is known of an exchange that the client, or the end of the proxy, cut off. */
export function leaveOff(exchange: ProxiedExchange, responses: ResponseReader): void {
  exchange.durationMs = performance.now() - exchange.began;
  const { head } = responses;
  const isStream = head !== undefined && isEventStream(head.headers);
  if (exchange.isSlow && !(isStream && exchange.responseBegun)) {
    if (!exchange.responseBegun) responses.begin(exchange.head.method);
    exchange.fault = outOfTime(responses, Math.round(exchange.durationMs));
  } else if (head !== undefined && exchange.responseBegun && exchange.requestWhole) {
    exchange.response = { status: head.status, headers: head.headers, body: emptyBody };
    exchange.bodyRecorded = false;
  }
}

/** Whether a response is a stream of events, which has no end (HTML, section 9.2). */
function isEventStream(headers: HttpResponse['headers']): boolean {
  return /^\s*text\/event-stream/i.test(headerValue(headers, 'content-type') ?? '');
}
