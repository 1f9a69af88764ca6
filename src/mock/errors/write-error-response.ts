import { wordsIn } from '../../words-in.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import { recordPlace, speaksJsonApi } from '../../contract/infer/conventions/envelope-styles.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { lazy } from '../../contract/lazy.ts';
import type { Contract, Operation, Resource, ResponseSpec } from '../../contract/model.ts';
import { documentsInvalidPath } from '../../contract/model/operation.ts';
import { documents, selectResponse } from '../../contract/select-response.ts';
import type { ArgumentProblem } from '../../contract/words/argument-codes.ts';
import { argumentCode, isStatedCode, quotesPointers } from '../../contract/words/argument-codes.ts';
import { unknownCode, unknownCodes } from '../../contract/words/error-codes.ts';
import { type ErrorCode, VouchError } from '../../errors.ts';
import type { WrittenContent } from '../../http/media-type.ts';
import { emptyBody, type HeaderList, type HttpResponse } from '../../http/message.ts';
import { problemResponse, statusTitle } from '../../http/problem.ts';
import { splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { fillHeaders } from '../answer/documented-headers.ts';
import type { Answer } from '../mock.ts';
import { type Fault, type FaultCause, type FaultIssue, makeFault } from '../model/reply.ts';
import { canonicalCode, hasCanonicalErrors } from './canonical-code.ts';
import type { ErrorForm, FindErrorForm } from './error-form.ts';
import { type ErrorFacts, pointerOf } from './error-roles.ts';
import { fillError } from './fill-error.ts';
import { frameworkErrors } from './framework-errors.ts';
import { cutText, showMessage } from './visible-text.ts';

/** The parts of a request that its error response depends on. */
interface FaultPlace {
  readonly operation?: Operation | undefined;
  /** The requested path on the wire. */
  readonly path: string;
  readonly now: Date;
  /** A status that overrides the one of the fault. */
  readonly status?: number | undefined;
}

type SchemaForm = Pick<Extract<ErrorForm, { kind: 'schema' }>, 'schema' | 'examples'>;

export type Refuse = (fault: Fault, place: FaultPlace) => HttpResponse;

/**
 * Builds every error response: with the status that the contract documents for the fault, in its
 * error schema, with the actual reason. Without an error schema: problem details (RFC 9457).
 */
export function makeRefuse(
  findForm: FindErrorForm,
  { contract, seed }: { readonly contract: Contract; readonly seed: string },
): Refuse {
  const ofFramework = lazy(() => frameworkErrors(contract));
  return (given, place) => {
    const code = statedCode(given, place.operation, contract) ?? given.code;
    const issues = quotesPointers(contract) ? given.issues.map(withPointer) : given.issues;
    const fault = { ...given, code, issues };
    const status = place.status ?? chooseStatus(fault.cause, place.operation);
    const form = findForm(place.operation, status);
    const shown = place.operation && selectResponse(place.operation, status);
    const facts = factsOf(fault, status, place, seed);
    const own = isOpenForm(form) ? ofFramework()?.(fault, facts) : undefined;
    const written =
      own !== undefined && allows(shown, own)
        ? respond(status, writeContent(own, { mediaType: 'application/json' }), fault)
        : write(fault, status, form, facts);
    const response =
      shown?.sentAs === undefined ? written : { ...written, status: Number(shown.sentAs) };
    const documented = shown?.headers ?? [];
    if (documented.length === 0) return response;
    return {
      ...response,
      headers: [
        ...response.headers,
        ...fillHeaders(documented, {
          status,
          present: response.headers,
          total: undefined,
          state: undefined,
          size: response.body.length,
          seed,
          now: place.now,
        }),
      ],
    };
  };
}

/** Whether the contract leaves the words of an error to a format with members. */
function isOpenForm({ kind }: ErrorForm): boolean {
  return kind === 'problem' || kind === 'schema';
}

/** Whether a response documents nothing but a description, or an error with these members. */
function allows(response: ResponseSpec | undefined, error: JsonObject): boolean {
  if (response === undefined || response.content.length === 0) return true;
  const schema = response.content.find(({ mediaType }) => mediaType === 'application/json')?.schema;
  const known = schema?.flatten().properties;
  return (
    Object.keys(error).every((name) => known?.has(name) === true) &&
    schema?.accepts(error, 'response') === true
  );
}

/** A violation in the body whose message says where it is: `… [json-pointer:/items/0]`. */
function withPointer(issue: FaultIssue): FaultIssue {
  if (issue.location !== 'body' || issue.name === '') return issue;
  return { ...issue, message: `${issue.message} [json-pointer:${pointerOf(issue.name)}]` };
}

function write(fault: Fault, status: number, form: ErrorForm, facts: ErrorFacts): HttpResponse {
  if (form.kind === 'problem') return writeProblem(status, fault, form.mediaType);
  if (form.kind === 'wordless') return writeWordless(status, fault, form);
  const sentence = `${facts.message}\n`;
  if (form.kind === 'text' && (form.schema?.validate(sentence, 'response').length ?? 0) === 0)
    return respond(
      status,
      writeContent(sentence, { mediaType: form.mediaType, schema: form.schema }),
      fault,
    );
  const body = form.schema && writeError({ ...form, schema: form.schema }, facts);
  return body === undefined
    ? writeProblem(status, fault, undefined)
    : respond(
        status,
        writeContent(body, { mediaType: form.mediaType, schema: form.schema }),
        fault,
      );
}

function writeWordless(
  status: number,
  fault: Fault,
  { mediaType, sample }: Extract<ErrorForm, { kind: 'wordless' }>,
): HttpResponse {
  if (mediaType === undefined || sample === undefined)
    return { status, headers: fault.headers, body: emptyBody };
  return respond(status, writeContent(sample, { mediaType }), fault);
}

/** The headers of the fault follow the type of the body. */
function respond(
  status: number,
  { mediaType, bytes }: WrittenContent,
  { headers }: Fault,
): HttpResponse {
  return { status, headers: [['Content-Type', mediaType], ...headers], body: bytes };
}

function factsOf(fault: Fault, status: number, place: FaultPlace, seed: string): ErrorFacts {
  return {
    status,
    code: fault.code,
    canonical: canonicalCode(status, fault.cause, fault.code),
    isCoded: place.operation?.verdict !== undefined,
    title: statusTitle(status),
    message: showMessage(fault.message),
    instance: cutText(place.path, 200),
    now: place.now,
    issues: fault.issues,
    fill: (schema) => plainValue(schema, { seed, direction: 'response', required: 'only' }),
  };
}

/** The error in the contract's schema; undefined if that schema cannot be used. */
function writeError(form: SchemaForm, facts: ErrorFacts): JsonValue | undefined {
  try {
    return writeInWords(form, facts);
  } catch (error) {
    if (error instanceof VouchError) return undefined;
    throw error;
  }
}

/** If the schema has no field for the facts: its example, otherwise any valid error. */
function writeInWords(form: SchemaForm, facts: ErrorFacts): JsonValue | undefined {
  const filled = fillError(form.schema, facts);
  if (filled !== undefined && !saysNothing(filled)) return filled;
  const plain = { code: facts.code, message: facts.message };
  if (filled !== undefined)
    return form.schema.validate(plain, 'response').length === 0 ? plain : filled;
  const example = form.examples.find(
    ({ value }) => form.schema.validate(value, 'response').length === 0,
  );
  if (example !== undefined) return example.value;
  const generated = facts.fill(form.schema);
  return generated.ok ? generated.value : undefined;
}

/** An object without declared members would contain no reason. */
function saysNothing(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function writeProblem(status: number, fault: Fault, mediaType: string | undefined): HttpResponse {
  const issues = fault.issues
    .slice(0, 20)
    .map(({ location, name, message }) => ({ in: location, name, detail: message }));
  const members: JsonObject = {
    code: fault.code,
    ...(issues.length === 0 ? {} : { errors: issues }),
  };
  const response = problemResponse(status, showMessage(fault.message), {
    headers: fault.headers,
    members,
  });
  return mediaType === undefined
    ? response
    : { ...response, headers: replaceType(response.headers, mediaType) };
}

function replaceType(headers: HeaderList, mediaType: string): HeaderList {
  return headers.map(
    ([name, value]) => [name, name.toLowerCase() === 'content-type' ? mediaType : value] as const,
  );
}

/** The statuses that a contract can document for a fault, best first, and the one of HTTP. */
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
  // RFC 6750, section 3.1: after a 401, a client would request the same token again without end.
  forbidden: always(403),
  'path-value': { documented: [404, 400, 422], otherwise: 400 },
  'parameter-value': { documented: [400, 422], otherwise: 400 },
  'body-missing': { documented: [400, 422], otherwise: 400 },
  'body-unreadable': { documented: [400, 422], otherwise: 400 },
  // RFC 9110, section 15.5.21: 422 is for well-formed but invalid content; contracts that document
  // both statuses distinguish them.
  'body-value': { documented: [422, 400], otherwise: 400 },
  // The body refers to a missing record: any documented 4xx will do.
  reference: { documented: [422, 400, 404, 409], otherwise: 400 },
  'media-type': { documented: [415, 400, 422], otherwise: 415 },
  'not-acceptable': always(406),
  'not-found': always(404),
  conflict: { documented: [409, 422, 400], otherwise: 409 },
  // The state of the record does not allow the request: 400 is FAILED_PRECONDITION (AIP-193).
  state: { documented: [409, 423, 412, 403, 405, 400], otherwise: 409 },
  precondition: always(412),
  // RFC 6585, section 3.
  'condition-missing': { documented: [428, 400, 422], otherwise: 400 },
  // draft-ietf-httpapi-idempotency-key-header-07, section 2.7.
  'key-reuse': { documented: [422, 409, 400], otherwise: 409 },
  impossible: always(501),
  internal: always(500),
};

/**
 * The status of a fault: the one that the operation documents for it, otherwise the one of HTTP
 * (RFC 9110, section 15).
 *
 * A missing or unknown credential gets 401 with a challenge: clients log in on that (section
 * 15.5.2). Some services return 403 instead. A contract that documents 403 and excludes 401 (also
 * by `4XX` or `default`) describes such a service, so its clients get the documented status.
 */
export function chooseStatus(cause: FaultCause, operation: Operation | undefined): number {
  // FAILED_PRECONDITION, and an argument that contradicts an earlier one (AIP-193, AIP-155).
  const isCanonical = cause === 'state' || cause === 'key-reuse';
  if (isCanonical && operation !== undefined && hasCanonicalErrors(operation)) return 400;
  if (cause === 'reference' && operation !== undefined && isMissingRelation(operation)) return 404;
  const { documented, otherwise } =
    cause === 'path-value' && operation !== undefined && documentsInvalidPath(operation)
      ? statuses['parameter-value']
      : statuses[cause];
  const named = operation?.responses.map(({ status }) => status) ?? [];
  if (isOfCredential(cause) && !named.includes('401') && leavesOpen(named)) return otherwise;
  return documented.find((status) => named.includes(String(status))) ?? otherwise;
}

/** A related resource that does not exist is 404 (JSON:API 1.1, sections 8.1.5 and 8.2.6). */
function isMissingRelation(operation: Operation): boolean {
  return documents(operation, '404') && speaksJsonApi(operation);
}

function isOfCredential(cause: FaultCause): boolean {
  return cause === 'credential' || cause === 'credential-malformed';
}

function leavesOpen(named: readonly string[]): boolean {
  return named.includes('4XX') || named.includes('default');
}

/** The response to a request that failed. An unusable schema is only detected on use. */
export function answerFailure(error: unknown): Answer {
  const response = describeFailure(error);
  return { ...response, delayMs: 0, ...(response.status === 500 ? { failure: error } : {}) };
}

/** The status for each limit of the store, by error code. */
const noRoom: ReadonlyMap<ErrorCode, { readonly status: number; readonly code: string }> = new Map([
  ['store-full', { status: 409, code: 'store_full' }],
  // RFC 4918, section 11.5.
  ['store-out-of-bytes', { status: 507, code: 'insufficient_storage' }],
  ['record-too-large', { status: 413, code: 'record_too_large' }],
]);

function describeFailure(error: unknown): HttpResponse {
  if (error instanceof VouchError && error.code === 'contract-reference')
    return problemResponse(501, `The contract cannot be served here. ${error.message}`, {
      members: { code: 'not_implemented' },
    });
  // The client may retry (RFC 9110, section 15.6.4).
  if (error instanceof VouchError && error.code === 'store-unavailable')
    return problemResponse(503, error.message, {
      headers: [['Retry-After', retrySeconds]],
      members: { code: 'store_unavailable' },
    });
  const room = error instanceof VouchError ? noRoom.get(error.code) : undefined;
  if (error instanceof VouchError && room !== undefined)
    return problemResponse(room.status, `${error.message} ${error.hint ?? ''}`.trim(), {
      members: { code: room.code },
    });
  return problemResponse(
    500,
    'vouch failed with an internal error; the request did not cause it.',
    { members: { code: 'internal' } },
  );
}

const retrySeconds = '1';

/** The response if the mock has the maximum number of added records. */
export function storeFull({ name }: Resource): Fault {
  return makeFault(
    'conflict',
    'store_full',
    `The mock holds as many added records as it may, so this record of ${name} was not added. ` +
      'Delete records, reset the mock, or start it with a greater mock.maxRecords.',
  );
}

/**
 * The code that the contract states for a fault of a call, whose refusals differ in their codes
 * alone. Undefined where a status tells refusals from successes, or if no text has one.
 */
function statedCode(
  fault: Fault,
  operation: Operation | undefined,
  contract: Pick<Contract, 'description'>,
): string | undefined {
  if (operation?.verdict === undefined) return undefined;
  if (isStatedCode(contract, operation, fault.code)) return fault.code;
  const { cause, issues, missing } = fault;
  const [issue] = issues;
  if (cause === 'not-found') return missing && missingCode(operation, missing);
  if (cause === 'reference') return issue && unknownCode(operation, issue.name)?.code;
  if (!ofArguments.has(cause)) return undefined;
  const name = issue?.name.split(/[.[]/)[0] ?? '';
  return argumentCode(contract, operation, { name, problem: problemOf(issue?.rule ?? 'type') });
}

const ofArguments: ReadonlySet<Fault['cause']> = new Set(
  wordsIn('path-value parameter-value body-missing body-unreadable body-value media-type'),
);

function problemOf(rule: string): ArgumentProblem {
  if (rule === 'required') return 'missing';
  if (/^min|^exclusiveMinimum$/.test(rule)) return 'short';
  if (/^max|^exclusiveMaximum$/.test(rule)) return 'long';
  return rule === 'type' ? 'type' : 'other';
}

/**
 * The code for a record that is not there: by a name of its resource; otherwise the only one that
 * no resource above it explains.
 */
function missingCode(operation: Operation, resource: Resource): string | undefined {
  const own = nounsOf(resource).flatMap((noun) => unknownCode(operation, noun)?.code ?? [])[0];
  if (own !== undefined) return own;
  const above = resource.parents.flatMap((parent) =>
    parent.resource === undefined ? [] : nounsOf(parent.resource),
  );
  const explained = above.map((noun) => unknownCode(operation, noun)?.code);
  const [left, ...others] = unknownCodes(operation).filter(({ code }) => !explained.includes(code));
  return others.length === 0 ? left?.code : undefined;
}

/** What the records of a resource are called: in its path, and where responses show them. */
function nounsOf({ collectionPath, operations, record, list }: Resource): string[] {
  const { create, read, update } = operations;
  const shown = [create, read, update].flatMap((operation) => {
    const place = operation && recordPlace(operation, record)?.at;
    return place === undefined ? [] : splitPointer(place).slice(-1);
  });
  return [lastWord(collectionPath), ...shown, ...splitPointer(list?.records ?? '').slice(-1)];
}
