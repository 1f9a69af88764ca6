import type { Contract, Operation } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import { type Draft, requestOf } from './draft.ts';
import { isUnguessable } from './draft/harmless-identifier.ts';
import { missingIdentifiers } from './missing.ts';
import type { PlanContext } from './plan-context.ts';

/** Sent where nothing may be written too: it asks for nothing but to be shown something. */
const safeProbe = 'GET';

/**
 * Sent only for an identifier that nobody can have, and so change nothing whatever the server makes
 * of them. A PUT is not among them: it may create what is missing.
 */
const unsafeProbes = ['DELETE', 'PATCH', 'POST'] as const;

/**
 * A method that hardly any service has, and that changes nothing where one has it (RFC 4918,
 * section 9.1). Whoever answers it with the list takes every method for a GET. A name that nobody
 * knows would not get past the HTTP parsers of many servers.
 */
const strangeProbe = 'PROPFIND';

/** Asks each path by methods that the contract does not declare for it. */
export function planMethods(context: PlanContext): Sequence[] {
  const byPath = Map.groupBy(
    context.drafts.filter(({ operation }) => !operation.ownServers),
    ({ operation }) => operation.path,
  );
  return [...byPath.values()].flatMap((drafts) => [
    ...safeProbes(context, drafts),
    ...strangeOnes(context, drafts),
    ...unsafeOnes(context, drafts),
  ]);
}

function safeProbes(context: PlanContext, drafts: readonly Draft[]): Sequence[] {
  const [draft] = drafts;
  // A record that cannot exist is asked for where there are records; that a path without one serves
  // GET after all is seen at once.
  if (draft === undefined || isDeclared(context.contract, draft.operation, safeProbe)) return [];
  const request = draft.identifier === undefined ? bare(draft) : strange(context, draft);
  return request === undefined ? [] : [probe(draft, safeProbe, request)];
}

/** The plain request for a list, so that nothing but the method is amiss. */
function strangeOnes({ mode, contract }: PlanContext, drafts: readonly Draft[]): Sequence[] {
  const list = drafts.find(({ role }) => role?.action === 'list');
  if (
    mode === 'read-only' ||
    list === undefined ||
    isDeclared(contract, list.operation, strangeProbe)
  )
    return [];
  return [probe(list, strangeProbe, requestOf(list, 'known'))];
}

function unsafeOnes(context: PlanContext, drafts: readonly Draft[]): Sequence[] {
  const [draft] = drafts;
  if (
    draft === undefined ||
    context.mode === 'read-only' ||
    draft.identifier === undefined ||
    !draft.operation.path.endsWith(`{${draft.identifier.name}}`)
  )
    return [];
  const request = strange(context, draft, isUnguessable);
  return unsafeProbes
    .filter(
      (method) => request !== undefined && !isDeclared(context.contract, draft.operation, method),
    )
    .flatMap((method) => (request === undefined ? [] : [probe(draft, method, request)]));
}

function probe({ operation }: Draft, method: string, request: RequestTemplate): Sequence {
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

/** The arguments of the path alone: what an undeclared method takes besides, nobody says. */
function bare(draft: Draft): RequestTemplate | undefined {
  const { arguments: given } = requestOf(draft, 'known');
  return {
    arguments: given.filter(({ parameter }) => parameter.in === 'path'),
    credential: 'given',
  };
}

function strange(
  { seed }: PlanContext,
  draft: Draft,
  isUsable: (value: JsonValue) => boolean = () => true,
): RequestTemplate | undefined {
  const { identifier, operation } = draft;
  const identifiers =
    identifier === undefined
      ? []
      : missingIdentifiers(identifier, `${seed} method ${operation.path}`);
  const stranger = identifiers.find(({ value }) => isUsable(value));
  const request = bare(draft);
  if (request === undefined || stranger === undefined) return undefined;
  return {
    ...request,
    arguments: request.arguments.map(({ parameter, source }) => ({
      parameter,
      source: parameter === identifier ? { kind: 'value', value: stranger.value } : source,
    })),
  };
}

/**
 * Whether some path of the contract that the request could be meant for declares the method; HEAD
 * comes with GET (RFC 9110, section 9.3.2).
 */
function isDeclared({ operations }: Contract, asked: Operation, method: string): boolean {
  return operations.some(
    (operation) =>
      operation.method === method && couldMatch(segmentsOf(operation), segmentsOf(asked)),
  );
}

/** A parameter of either path may stand for whatever the other one has in its place. */
function couldMatch(left: readonly string[], right: readonly string[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      (segment, index) =>
        segment === right[index] || segment.includes('{') || right[index]?.includes('{') === true,
    )
  );
}

const segments = new WeakMap<Operation, readonly string[]>();

/** Every operation is held against every other one, and a contract may have a thousand. */
function segmentsOf(operation: Operation): readonly string[] {
  const known = segments.get(operation) ?? operation.path.split('/');
  segments.set(operation, known);
  return known;
}
