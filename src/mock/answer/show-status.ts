import type { Example } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { statusTitle } from '../../http/problem.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonValue } from '../../json/value.ts';
import { nearestWord } from '../../errors.ts';
import type { AnswerContent, OperationPlan, Preferences, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault, makeReply, type Reply } from '../model/reply.ts';
import { namedHeaders } from './documented-headers.ts';
import { generateBody } from './generate-body.ts';

/**
 * A response from the contract instead of state: a reply with its content, or an error with a
 * status.
 */
export type Shown =
  | { readonly kind: 'shown'; readonly reply: Reply; readonly content: AnswerContent | undefined }
  | { readonly kind: 'error'; readonly status: number; readonly fault: Fault }
  | Fault;

/**
 * The contract's response for a status: its example, otherwise an error or a value of its schema.
 * `why` names the reason.
 */
export function showStatus(status: number, request: ValidRequest, why: string): Shown {
  const [content] = request.plan.answerPlan(status).contents;
  const example =
    request.sampler !== undefined
      ? undefined
      : content?.examples.find(
          ({ value }) =>
            content.schema === undefined || content.schema.validate(value, 'response').length === 0,
        );
  if (example !== undefined) return shown(status, example.value, content);
  if (status >= 400 && (request.sampler === undefined || content === undefined))
    return { kind: 'error', status, fault: errorOf(status, why) };
  if (content === undefined) return shown(status, undefined, undefined);
  const generated = generateBody(content, request);
  return generated.kind === 'fault' ? generated : shown(status, generated.value, content);
}

function shown(
  status: number,
  body: JsonValue | undefined,
  content: AnswerContent | undefined,
): Shown {
  return { kind: 'shown', reply: makeReply(status, body), content };
}

function errorOf(status: number, why: string): Fault {
  return makeFault('preference', codeOf(status), `${statusTitle(status)}: ${why}.`);
}

/** A code for programs: `internal_server_error`. */
export function codeOf(status: number): string {
  return statusTitle(status)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
}

/** Why a response is not the usual one. */
export const byPreference = 'the client requested this response with the header Prefer';

/** The response of an operation that documents only failures; undefined if it documents more. */
export function showFailure(request: ValidRequest): Shown | undefined {
  return request.plan.status < 500
    ? undefined
    : showStatus(request.plan.status, request, 'the contract documents no other answer');
}

/** The response that a client requests with `Prefer`; undefined without such a preference. */
export function showPreferred(
  request: ValidRequest,
  { code, example }: Preferences,
): Shown | undefined {
  const { plan } = request;
  if (code !== undefined && plan.answerPlan(code).response === undefined)
    return unknownCode(code, plan);
  if (example !== undefined) return showExample(example, code, request);
  if (code !== undefined && code !== plan.status) return showStatus(code, request, byPreference);
  if (request.sampler === undefined || request.content === undefined) return undefined;
  return showStatus(plan.status, request, '');
}

function unknownCode(code: number, { operation }: OperationPlan): Fault {
  const documented = operation.responses.map(({ status }) => status).join(', ');
  return makeFault(
    'preference',
    'invalid_preference',
    `Prefer requests the status ${String(code)}, which ${operation.id} does not ` +
      `document. It documents ${documented || 'none'}.`,
  );
}

/**
 * An example by name, of the requested status or of any: success first, in the media type that the
 * client accepts.
 */
function showExample(
  name: string,
  code: number | undefined,
  { plan, content }: ValidRequest,
): Shown {
  const examples = findExamples(plan, code);
  const named = examples.filter((example) => example.name === name);
  const found =
    named.find((example) => example.content.mediaType === content?.mediaType) ?? named[0];
  return found === undefined
    ? unknownExample(name.slice(0, 60), code, { plan, examples })
    : showNamed(found, plan);
}

/** An example of the contract, with the header fields that have an example of its name. */
export function showNamed(
  { name, status, value, content }: NamedExample,
  plan: OperationPlan,
): Shown {
  const headers = namedHeaders(plan.answerPlan(status).headers, name);
  return { kind: 'shown', reply: makeReply(status, value, { headers }), content };
}

function unknownExample(
  name: string,
  code: number | undefined,
  { plan, examples }: { readonly plan: OperationPlan; readonly examples: readonly NamedExample[] },
): Fault {
  const known = [...new Set(examples.map((example) => example.name))];
  const where =
    code === undefined ? plan.operation.id : `the ${String(code)} of ${plan.operation.id}`;
  const nearest = nearestWord(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return makeFault(
    'preference',
    'invalid_preference',
    `Prefer requests the example ${quoteExcerpt(name)}, which ${where} does not ` +
      `have.${meant} There are: ${known.join(', ') || 'none'}.`,
  );
}

/** An example of the contract with its status and media type. */
export interface NamedExample extends Example {
  readonly status: number;
  readonly content: AnswerContent;
}

/**
 * The examples of an operation's responses in every media type: of one status, or of all, success
 * first. Those of a range or of `default` get a status that no other response documents.
 */
export function findExamples(plan: OperationPlan, status?: number): NamedExample[] {
  const statuses =
    status === undefined
      ? [
          plan.status,
          ...plan.operation.responses.flatMap((response) => statusFor(response.status, plan) ?? []),
        ]
      : [status];
  return [...new Set(statuses)].flatMap((each) =>
    plan
      .answerPlan(each)
      .contents.flatMap((content) =>
        content.examples.map((example) => ({ ...example, status: each, content })),
      ),
  );
}

/** Statuses for a response of a range, most common first. */
const usual: readonly number[] = [500, 400, 404, 409, 422, 401, 403, 429, 503, 200, 201, 202, 204];

/** A status that only the response with this key documents; undefined if there is none. */
function statusFor(key: string, plan: OperationPlan): number | undefined {
  if (/^\d+$/.test(key)) return Number(key);
  const digit = /^(\d)XX$/.exec(key)?.[1];
  const candidates =
    digit === undefined
      ? [plan.status, ...usual]
      : [plan.status, ...Array.from({ length: 100 }, (_, index) => Number(digit) * 100 + index)];
  return candidates.find((status) => selectResponse(plan.operation, status)?.status === key);
}
