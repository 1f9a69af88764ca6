import { wordsIn } from '../../words-in.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import { emptyBody, type HeaderList, headerValue, type HttpResponse } from '../../http/message.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import { describeIssue } from '../errors/describe-issue.ts';
import type { Refuse } from '../errors/write-error-response.ts';
import type { AnswerContent, AnswerPlan, ValidRequest } from '../model/request.ts';
import { type Fault, type FaultCause, makeReply, type Reply } from '../model/reply.ts';
import type { RequestContext } from '../request/request-context.ts';
import { fillHeaders, rangeOf } from './documented-headers.ts';
import { generateBody, impossible, judgeContent } from './generate-body.ts';
import type { Shown } from './show-status.ts';

/** Writes the responses to one request. */
export class Responder {
  readonly #context: RequestContext;
  readonly #refuse: Refuse;
  /** The last fault that was returned, except for simulated ones. */
  refused: Fault | undefined;

  constructor(context: RequestContext, refuse: Refuse) {
    this.#context = context;
    this.#refuse = refuse;
  }

  /** The response to a fault; `status` overrides that of the fault. */
  refuse(fault: Fault, status?: number): HttpResponse {
    const { routed, now } = this.#context;
    if (status === undefined) this.refused = fault;
    return this.#refuse(fault, {
      operation: routed.plan.operation,
      path: routed.target.path,
      now,
      status,
    });
  }

  /** Writes a reply; `offContract` allows it to violate the contract, `hint` says what else to do. */
  write(
    reply: Reply,
    content: AnswerContent | undefined,
    { seed, ...how }: Pick<Writing, 'seed' | 'offContract' | 'hint'>,
  ): HttpResponse {
    const { routed, now } = this.#context;
    const plan = routed.plan.answerPlan(reply.status);
    const written = writeReply(reply, { plan, content, seed, now, ...how });
    return 'kind' in written ? this.refuse(written) : written;
  }

  /** Writes a response that was taken from the contract. */
  show(shown: Shown, { requestSeed: seed }: ValidRequest): HttpResponse {
    if (shown.kind === 'fault') return this.refuse(shown);
    if (shown.kind === 'error') return this.refuse(shown.fault, shown.status);
    return this.write(shown.reply, shown.content, { seed });
  }
}

/** How to write a reply. */
interface Writing {
  readonly plan: AnswerPlan;
  readonly content: AnswerContent | undefined;
  readonly seed: () => string;
  readonly now: Date;
  /** Whether the response may violate the contract. */
  readonly offContract?: boolean;
  /** What to do if it violates the contract. */
  readonly hint?: string | undefined;
}

/** Statuses whose responses have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const bodiless = new Set([204, 205, 304]);

const openContent: AnswerContent = {
  mediaType: 'application/json',
  form: 'json',
  schema: undefined,
  examples: [],
};

/**
 * Writes a reply as the contract documents it. A response that its schema does not allow is never
 * sent; it becomes an internal error of the mock with a reason.
 */
function writeReply(reply: Reply, writing: Writing): HttpResponse | Fault {
  const { status, body } = reply;
  if (body === undefined || bodiless.has(status))
    return { status, headers: headersOf(reply, writing, { own: [], size: 0 }), body: emptyBody };
  const content = writing.content ?? openContent;
  if (reply.bytes !== undefined && content.form === 'json')
    return {
      status,
      headers: headersOf(reply, writing, {
        own: [['Content-Type', content.mediaType]],
        size: reply.bytes.length,
      }),
      body: reply.bytes,
    };
  const refusal = writing.offContract === true ? undefined : judge(reply, content, writing);
  if (refusal !== undefined) return refusal;
  const { mediaType, bytes } = write(body, content);
  const parts = { own: [['Content-Type', mediaType]], size: bytes.length } as const;
  return { status, headers: headersOf(reply, writing, parts), body: bytes };
}

const encoder = new TextEncoder();

function headersOf(
  reply: Reply,
  { plan, seed, now }: Writing,
  { own, size }: { readonly own: HeaderList; readonly size: number },
): HeaderList {
  const { status, total } = reply;
  const present = [...own, ...reply.headers];
  const documented =
    plan.headers.length === 0
      ? []
      : fillHeaders(plan.headers, {
          status,
          present,
          total,
          state: reply.state ?? reply.body,
          size,
          seed: seed(),
          now,
        });
  const all = [...present, ...documented];
  // A part of a body says which part it is, documented or not; several parts each say it themselves
  // (RFC 9110, sections 15.3.7.1 and 15.3.7.2).
  const isPart = status === 206 && size > 0 && own[0]?.[1].startsWith('multipart/') === false;
  return isPart && headerValue(all, 'Content-Range') === undefined
    ? [...all, ['Content-Range', rangeOf(size)]]
    : all;
}

function judge(
  { status, body = null }: Reply,
  content: AnswerContent,
  { hint }: Writing,
): Fault | undefined {
  const [issue] = judgeContent(body, content);
  if (issue === undefined) return undefined;
  const { message } = describeIssue(issue, body, { location: 'body', name: '' });
  const fault = impossible(
    `its ${String(status)} would break the contract at #${issue.pointer}. ${message.slice(0, -1)}`,
    hint,
  );
  return { ...fault, broken: issue.pointer };
}

function write(
  body: JsonValue,
  content: AnswerContent,
): { readonly mediaType: string; readonly bytes: Uint8Array } {
  if (content.form === 'json')
    return { mediaType: content.mediaType, bytes: encoder.encode(stringifyJson(body)) };
  const { mediaType, encoding, schema } = content;
  return writeContent(body, { mediaType, schema, encoding });
}

/**
 * The response of an operation that belongs to no resource: as assumed, otherwise from the
 * contract. If the contract does not describe the payload and nothing is assumed, the response is
 * empty. There is none for an operation that only documents a protocol switch.
 */
export function answerFromContract(request: ValidRequest): Reply | Fault {
  const { plan, content } = request;
  const assumed = plan.assumption?.body;
  if (assumed !== undefined) return makeReply(plan.status, assumed);
  if (plan.status < 200)
    return impossible(
      `the contract documents only ${String(plan.status)}, and the mock cannot switch protocols`,
      'Document a response to plain HTTP requests.',
    );
  if (content === undefined)
    return makeReply(plan.status, undefined, { headers: redirect(request) });
  const generated = generateBody(content, request);
  return generated.kind === 'fault'
    ? generated
    : makeReply(plan.status, generated.value, { headers: redirect(request) });
}

/** Causes for which a behaviour refuses what is missing from a request, or invalid in it. */
export const faultsOfRequests: ReadonlySet<FaultCause> = new Set(
  wordsIn(
    'path-value parameter-value body-missing body-unreadable body-value media-type impossible',
  ),
);

/** The success of the contract, if a behaviour needs what an invalid request does not give. */
export function answerable(reply: Reply | Fault, request: ValidRequest): Reply | Fault {
  return request.violation !== undefined &&
    reply.kind === 'fault' &&
    faultsOfRequests.has(reply.cause)
    ? answerFromContract(request)
    : reply;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * A redirect needs a Location (RFC 9110, section 15.4); without one in the contract, it is the base
 * URL.
 */
function redirect({ plan, basePath }: ValidRequest): HeaderList {
  if (
    !redirects.has(plan.status) ||
    plan.answerPlan(plan.status).headers.some(({ name }) => name.toLowerCase() === 'location')
  )
    return [];
  return [['Location', `${basePath}/`]];
}
