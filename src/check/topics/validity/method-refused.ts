import { sentForm } from '../../../contract/model/operation.ts';
import { isSuccess } from '../../../http/message.ts';
import { parentPointer } from '../../../json/pointer.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { roleOf, isUnguessable } from '../../model/step.ts';
import { check } from '../check.ts';
import type { Operation } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { RequestTemplate } from '../../model/request-template.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { missingIdentifiers } from '../../plan/missing-identifiers.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { isJsonMediaType, readJson } from '../../../http/media-type.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { collections } from '../../mutants/places.ts';

/** A method that the contract does not declare for a path is refused. */
export const methodRefused = check({
  id: 'method-refused',
  basis: 'protocol',
  severity: 'warning',
  harm: 'accepts',
  rule:
    'A method that the contract does not declare for a path gets 405, 404 or 501, and no ' +
    'success.',
  reason:
    'An undocumented method is neither reviewed nor tested, and may allow what should be ' +
    'forbidden.',
  example: ['> PATCH /items/1999999999   (the path has GET and PUT)', '< 200 OK'],
  confirm: 'repeat',
  plan: [{ at: 'refusals', all: planMethods }],
  intents: ['method'],
  mutants: [() => methodMutants],
  inspect({ case: { intent }, contract, operation, answer, exchange: { response } }) {
    if (intent.kind !== 'method' || intent.wanted !== 'refused' || response === undefined)
      return undefined;
    const { method } = intent;
    if (!isSuccess(response.status)) return [];
    const role = roleOf(contract, operation);
    const answered =
      `The server answered ${String(response.status)} to ${method} ` + sentForm(operation).path;
    const common = {
      at: parentPointer(operation.pointer),
      expected: '405 with Allow, 404 or 501',
    };
    if (
      method !== 'GET' &&
      role?.action === 'list' &&
      listedRecords(role.resource, answer) !== undefined
    ) {
      return {
        ...common,
        message:
          `${answered} with the list, as it does to GET: it may also ` +
          'confirm a PUT or a DELETE without doing anything.',
        actual: `${String(response.status)} and the list`,
        cause: 'as GET',
        severity: 'error',
        basis: 'inferred',
      };
    }
    return {
      ...common,
      message: `${answered}, which the contract does not declare.`,
      actual: String(response.status),
      cause: method,
      blame: 'undecided',
    };
  },
});

/** Sent in read-only runs too. */
const safeProbe = 'GET';

/**
 * Sent only for an identifier that no record can have, so that they change nothing. PUT is
 * excluded: it may create the missing record.
 */
const unsafeProbes = ['DELETE', 'PATCH', 'POST'] as const;

/**
 * A method that hardly any service supports, and that changes nothing (RFC 4918, section 9.1). A
 * service that returns the list for it treats every method as GET. The HTTP parsers of many servers
 * reject a made-up name.
 */
const unusualProbe = 'PROPFIND';

/** Requests to each path with methods that the contract does not declare for it. */
function planMethods(context: PlanContext): Sequence[] {
  const declared = new DeclaredMethods(context.contract.operations);
  const byPath = Map.groupBy(
    context.drafts.filter(({ operation }) => !operation.ownServers),
    ({ operation }) => sentForm(operation).path,
  );
  return [...byPath.values()].flatMap((drafts) => [
    ...safeSequences(context, drafts, declared),
    ...unusualSequences(context, drafts, declared),
    ...unsafeSequences(context, drafts, declared),
  ]);
}

function safeSequences(
  context: PlanContext,
  [draft]: readonly Draft[],
  declared: DeclaredMethods,
): Sequence[] {
  // A path with an identifier gets one that no record has; on others, a response shows that the
  // path supports GET.
  if (draft === undefined || declared.has(safeProbe, draft.operation)) return [];
  const request = draft.identifier === undefined ? pathOnly(draft) : withMissing(context, draft);
  return request === undefined ? [] : [methodSequence(draft, safeProbe, request)];
}

/** The plain request of a list, so that only the method is wrong. */
function unusualSequences(
  { mode }: PlanContext,
  drafts: readonly Draft[],
  declared: DeclaredMethods,
): Sequence[] {
  const list = drafts.find(({ role }) => role?.action === 'list');
  if (mode === 'read-only' || list === undefined || declared.has(unusualProbe, list.operation))
    return [];
  return [methodSequence(list, unusualProbe, requestOf(list, 'known'))];
}

function unsafeSequences(
  context: PlanContext,
  [draft]: readonly Draft[],
  declared: DeclaredMethods,
): Sequence[] {
  if (context.mode === 'read-only' || draft?.identifier === undefined) return [];
  const { operation, identifier } = draft;
  if (!sentForm(operation).path.endsWith(`{${identifier.name}}`)) return [];
  const request = withMissing(context, draft, isUnguessable);
  if (request === undefined) return [];
  return unsafeProbes
    .filter((method) => !declared.has(method, operation))
    .map((method) => methodSequence(draft, method, request));
}

function methodSequence({ operation }: Draft, method: string, request: RequestTemplate): Sequence {
  return makeSequence(
    makeCase({
      title: `a ${method}, which the contract does not declare for that path`,
      phase: 'negative',
      operation,
      request: { ...request, method },
      intent: { kind: 'method', method, wanted: 'refused' },
    }),
  );
}

/** The arguments of the path alone: an undeclared method has no other parameters. */
function pathOnly(draft: Draft): RequestTemplate {
  const { arguments: given } = requestOf(draft, 'known');
  return {
    arguments: given.filter(({ parameter }) => parameter.in === 'path'),
    credential: 'given',
  };
}

/** The path with an identifier that no record has. */
function withMissing(
  { seed }: PlanContext,
  draft: Draft,
  isUsable: (value: JsonValue) => boolean = () => true,
): RequestTemplate | undefined {
  const { identifier, operation } = draft;
  if (identifier === undefined) return undefined;
  const missing = missingIdentifiers(identifier, `${seed} method ${operation.path}`).find(
    ({ value }) => isUsable(value),
  );
  if (missing === undefined) return undefined;
  const request = pathOnly(draft);
  return {
    ...request,
    arguments: request.arguments.map(({ parameter, source }) => ({
      parameter,
      source: parameter === identifier ? { kind: 'value', value: missing.value } : source,
    })),
  };
}

/** The methods that the contract declares, by path. */
class DeclaredMethods {
  /**
   * Precomputed: every operation is compared with every other one, and a contract may have a
   * thousand.
   */
  readonly #segments: ReadonlyMap<Operation, readonly string[]>;

  constructor(operations: readonly Operation[]) {
    this.#segments = new Map(
      operations.map((operation) => [operation, sentForm(operation).path.split('/')]),
    );
  }

  /** Whether some path that matches the request declares the method. */
  has(method: string, asking: Operation): boolean {
    const asked = sentForm(asking).path.split('/');
    for (const [operation, segments] of this.#segments)
      if (sentForm(operation).method === method && couldMatch(segments, asked)) return true;
    return false;
  }
}

/** A parameter of either path matches any segment of the other one. */
function couldMatch(left: readonly string[], right: readonly string[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      (segment, index) =>
        segment === right[index] || segment.includes('{') || right[index]?.includes('{') === true,
    )
  );
}

const mutant = mutantsOf('validation');

/** Methods and media types that the contract does not have. */
export const methodMutants: readonly Mutator[] = [
  mutant('answers-any-method', {
    rule: 'An undeclared method is treated like GET.',
    where: (contract) =>
      collections(contract).flatMap(({ operations: { list } }) =>
        list === undefined ? [] : [{ operation: list }],
      ),
    says: 'answers any method',
    plant:
      ({ operation }) =>
      (service, fired) =>
      (request) => {
        const asGet = { ...request, method: 'GET' };
        if (
          request.method === 'HEAD' ||
          service.operationOf(request) !== undefined ||
          service.operationOf(asGet) !== operation
        )
          return service.respond(request);
        fired();
        return service.respond(asGet);
      },
  }),
  mutant('takes-any-media-type', {
    rule: 'A body of another media type is accepted, although the contract documents 415.',
    where: ({ operations }) =>
      operations
        .filter(({ responses }) => responses.some(({ status }) => status === '415'))
        .flatMap((operation) => {
          const [only, ...others] = operation.requestBody?.content ?? [];
          return only === undefined ||
            others.length > 0 ||
            only.range !== undefined ||
            !isJsonMediaType(only.mediaType)
            ? []
            : [{ operation, mediaType: only.mediaType }];
        }),
    says: 'reads any body as JSON',
    request: (request, { mediaType }) =>
      readJson(request) === undefined && parseJson(request.body).ok
        ? setHeader(request, 'Content-Type', mediaType)
        : undefined,
  }),
];
