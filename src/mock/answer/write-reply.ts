import { writeContent } from '../../contract/content/write-content.ts';
import type { HttpResponse } from '../../http/message.ts';
import { emptyBody } from '../../http/message.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { AnswerContent, AnswerPlan } from '../plan/answer-plan.ts';
import { fillHeaders } from './documented-headers.ts';
import { describeIssue } from '../errors/describe-issue.ts';
import type { Fault } from '../errors/fault.ts';
import { impossible } from './generate-body.ts';
import { judgeContent } from './judge-content.ts';
import type { Reply } from './reply.ts';

/** How a reply is to be written. */
export interface Writing {
  readonly plan: AnswerPlan;
  readonly content: AnswerContent | undefined;
  readonly seed: () => string;
  readonly now: Date;
  /** The contract is not asked: the answer is meant to break it. */
  readonly offContract?: boolean;
}

/** Statuses whose answers have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const bodiless = new Set([204, 205, 304]);

const openContent: AnswerContent = {
  mediaType: 'application/json',
  form: 'json',
  schema: undefined,
  examples: [],
};

/**
 * Writes a reply as the contract has it. No answer leaves that its schema does not allow: that is a
 * fault of the mock's, and said so.
 */
export function writeReply(reply: Reply, writing: Writing): HttpResponse | Fault {
  const { status, body } = reply;
  if (body === undefined || bodiless.has(status))
    return { status, headers: headersOf(reply, writing, []), body: emptyBody };
  const content = writing.content ?? openContent;
  if (reply.bytes !== undefined && content.form === 'json')
    return {
      status,
      headers: headersOf(reply, writing, [['Content-Type', content.mediaType]]),
      body: reply.bytes,
    };
  const refusal = writing.offContract === true ? undefined : judge(body, content, reply.status);
  if (refusal !== undefined) return refusal;
  const { mediaType, bytes } = write(body, content);
  return { status, headers: headersOf(reply, writing, [['Content-Type', mediaType]]), body: bytes };
}

const encoder = new TextEncoder();

function headersOf(
  reply: Reply,
  { plan, seed, now }: Writing,
  own: HttpResponse['headers'],
): HttpResponse['headers'] {
  const present = [...own, ...reply.headers];
  return plan.headers.length === 0
    ? present
    : [
        ...present,
        ...fillHeaders(plan.headers, {
          status: reply.status,
          present,
          total: reply.total,
          state: reply.state ?? reply.body,
          seed: seed(),
          now,
        }),
      ];
}

function judge(body: JsonValue, content: AnswerContent, status: number): Fault | undefined {
  const [issue] = judgeContent(body, content);
  if (issue === undefined) return undefined;
  const { message } = describeIssue(issue, body, { place: 'body', name: '' });
  return impossible(
    `its ${String(status)} would break the contract at #${issue.pointer}. ${message.slice(0, -1)}`,
  );
}

function write(
  body: JsonValue,
  content: AnswerContent,
): { readonly mediaType: string; readonly bytes: Uint8Array } {
  if (content.form === 'json')
    return { mediaType: content.mediaType, bytes: encoder.encode(stringifyJson(body)) };
  const { mediaType, encoding, schema } = content;
  return writeContent(body, {
    mediaType,
    ...(schema === undefined ? {} : { schema }),
    ...(encoding === undefined ? {} : { encoding }),
  });
}
