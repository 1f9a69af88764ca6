import type { HttpResponse } from '../http/message.ts';
import { emptyBody } from '../http/message.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import type { AnswerContent, AnswerPlan } from './answer-plan.ts';
import { fillHeaders } from './documented-headers.ts';
import { describeIssue } from './errors/describe-issue.ts';
import type { Fault } from './errors/fault.ts';
import { impossible } from './generate-body.ts';
import type { Reply } from './reply.ts';

/** How a reply is to be written. */
export interface Writing {
  readonly plan: AnswerPlan;
  readonly content: AnswerContent | undefined;
  readonly seed: string;
  /** The contract is not asked: the answer is meant to break it. */
  readonly offContract?: boolean;
}

/** Statuses whose answers have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const bodiless = new Set([204, 205, 304]);

const openContent: AnswerContent = { mediaType: 'application/json', form: 'json', schema: undefined, examples: [] };

/** Writes a reply as the contract has it. No answer leaves that its schema does not allow: that is a fault of the mock's, and said so. */
export function writeReply(reply: Reply, writing: Writing): HttpResponse | Fault {
  const { status, body } = reply;
  if (body === undefined || bodiless.has(status)) return { status, headers: headersOf(reply, writing, []), body: emptyBody };
  const content = writing.content ?? openContent;
  const refusal = writing.offContract === true ? undefined : judge(body, content, reply.status);
  if (refusal !== undefined) return refusal;
  const text = writeBody(body, content);
  if (text === undefined) return impossible(`the contract has it as ${content.mediaType}, which it does not write`);
  return { status, headers: headersOf(reply, writing, [['Content-Type', content.mediaType]]), body: encoder.encode(text) };
}

const encoder = new TextEncoder();

function headersOf(reply: Reply, { plan, seed }: Writing, own: HttpResponse['headers']): HttpResponse['headers'] {
  const present = [...own, ...reply.headers];
  return plan.headers.length === 0 ? present : [...present, ...fillHeaders(plan.headers, { present, total: reply.total, seed })];
}

function judge(body: JsonValue, { schema }: AnswerContent, status: number): Fault | undefined {
  const [issue] = schema?.validate(body, 'response') ?? [];
  if (issue === undefined) return undefined;
  const { message } = describeIssue(issue, body, { place: 'body', name: '' });
  return impossible(`its ${String(status)} would break the contract at #${issue.pointer}. ${message.slice(0, -1)}`);
}

function writeBody(body: JsonValue, { form }: AnswerContent): string | undefined {
  if (form === 'json') return stringifyJson(body);
  if (typeof body === 'string') return body;
  return typeof body === 'object' ? undefined : String(body);
}
