import type { Contract, Operation } from '../../contract/model.ts';
import { parseJson } from '../../json/parse-json.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { ReplayForm } from '../model/finding.ts';
import { phases } from '../model/phase.ts';
import {
  type Argument,
  type BodyTemplate,
  type Compared,
  type Alteration,
  type Fill,
  misreadings,
  type Polling,
  type RequestTemplate,
  type ShownAddress,
  type WhetherLinked,
  type Source,
  takenOf,
  takenValues,
} from '../model/request-template.ts';
import type { Condition } from '../../contract/query-languages/language.ts';
import { operators } from '../../contract/query-languages/literals.ts';
import { conditionHeader } from '../plan/condition-header.ts';
import type { ImpliedHeaders } from '../plan/plan-cache.ts';
import {
  countOf,
  credentials,
  headersOf,
  objectOf,
  readIntent,
  textOf,
  textsOf,
  Unreadable,
  wordOf,
} from './read-intent.ts';
import { readStepCriteria } from '../engine/workflows/step-case.ts';
import { hashContract } from '../engine/judge/write-replay.ts';

/** A parsed sequence; or, as a clause, why it does not match the contract. */
export type ReplayReading =
  | { readonly ok: true; readonly sequence: Sequence }
  | { readonly ok: false; readonly reason: string };

/** Reads a replay for a contract, which may have changed since the replay was written. */
export function readReplay(form: ReplayForm, contract: Contract): ReplayReading {
  try {
    // Some findings concern parts that the contract lacks, so the place may have been missing
    // before.
    const hasChanged = form.contract !== hashContract(contract);
    if (hasChanged && valueAt(contract.document, form.at) === undefined)
      throw new Unreadable(`the contract no longer has the place ${form.at}`);
    const implied: ImpliedHeaders = new Map();
    const sequence = makeSequence(...form.steps.map((step) => readStep(step, contract, implied)));
    if (sequence.cases.length === 0)
      throw new Unreadable('the report does not contain its requests');
    return {
      ok: true,
      sequence: form.concurrent === true ? { ...sequence, concurrent: true } : sequence,
    };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}

function readStep(step: JsonObject, contract: Contract, implied: ImpliedHeaders): Case {
  const id = textOf(step['operation'], 'operation');
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined)
    throw new Unreadable(`the contract no longer has the operation ${id}`);
  const { control, criteria } = step;
  return makeCase({
    title: textOf(step['title'], 'title'),
    phase: wordOf(step['phase'], 'phase', phases),
    operation,
    request: readRequest(objectOf(step['request'], 'request'), operation, implied),
    intent: readIntent(objectOf(step['intent'], 'intent')),
    ...(criteria === undefined
      ? {}
      : { criteria: readStepCriteria(objectOf(criteria, 'criteria')) }),
    ...(control === undefined
      ? {}
      : { control: readRequest(objectOf(control, 'control'), operation, implied) }),
  });
}

function readRequest(
  request: JsonObject,
  operation: Operation,
  implied: ImpliedHeaders,
): RequestTemplate {
  const { arguments: given, body, credential, headers, address, polling, linked } = request;
  if (!isJsonArray(given)) throw new Unreadable('the report has no arguments for its requests');
  return {
    arguments: given.map((argument) =>
      readArgument(objectOf(argument, 'argument'), operation, implied),
    ),
    ...(body === undefined ? {} : { body: readBody(objectOf(body, 'body'), operation) }),
    credential: wordOf(credential, 'credential', credentials),
    ...textsIn(request, 'scheme', 'identity', 'session', 'method', 'locatedBy', 'tick'),
    ...(headers === undefined ? {} : { headers: headersOf(headers) }),
    ...(address === undefined ? {} : { address: readAddress(objectOf(address, 'address')) }),
    ...(polling === undefined ? {} : { polling: readPolling(objectOf(polling, 'polling')) }),
    ...(linked === undefined ? {} : { linked: readLinked(objectOf(linked, 'linked')) }),
  };
}

function readAddress(address: JsonObject): ShownAddress {
  const [step, operation, expression] = ['step', 'operation', 'expression'].map((name) =>
    textOf(address[name], name),
  );
  return { step: step ?? '', operation: operation ?? '', expression: expression ?? '' };
}

function readPolling({ at, values, seconds }: JsonObject): Polling {
  return { at: textOf(at, 'at'), values: textsOf(values), seconds: countOf(seconds, 'seconds') };
}

function readLinked({ step, is, except }: JsonObject): WhetherLinked {
  return { step: textOf(step, 'step'), is: is === true, except: textsOf(except) };
}

function readArgument(
  argument: JsonObject,
  operation: Operation,
  implied: ImpliedHeaders,
): Argument {
  const name = textOf(argument['name'], 'name');
  const place = textOf(argument['in'], 'in');
  const parameter =
    operation.parameters.find((candidate) => candidate.name === name && candidate.in === place) ??
    (place === 'header' ? conditionHeader(operation, name, implied) : undefined);
  if (parameter === undefined)
    throw new Unreadable(`${operation.id} no longer has the ${place} parameter ${name}`);
  return { parameter, source: readSource(objectOf(argument['source'], 'source')) };
}

type ReadSource = Exclude<Source, { readonly kind: 'seen' }>;

/** The members of each source, besides its kind. */
const sources: {
  readonly [Kind in ReadSource['kind']]: (
    source: JsonObject,
  ) => Omit<Extract<Source, { readonly kind: Kind }>, 'kind'>;
} = {
  value: ({ json, ...rest }) => ({ value: jsonOf(json), ...textsIn(rest, 'like', 'address') }),
  known: (source) => ({
    ...resourceIn(source),
    ...(source['json'] === undefined ? {} : { otherwise: jsonOf(source['json']) }),
  }),
  text: ({ text }) => ({ text: textOf(text, 'text') }),
  raw: ({ text }) => ({ text: textOf(text, 'text') }),
  own: resourceIn,
  created: resourceIn,
  listed: resourceIn,
  absent: resourceIn,
  unique: ({ digits }) => (typeof digits === 'number' ? { digits } : {}),
  list: (source) => ({ of: sourcesIn(source['of']), ...textsIn(source, 'joint') }),
  members: () => ({}),
  field: (source) => ({
    ...resourceIn(source),
    field: textOf(source['field'], 'field'),
    ...(source['of'] === undefined ? {} : { of: wordOf(source['of'], 'of', takenOf) }),
    ...(source['swapped'] === true ? { swapped: true } : {}),
    ...(source['day'] === true ? { day: true } : {}),
  }),
  made: (source) => ({
    step: textOf(source['step'], 'step'),
    ...resourceIn(source),
    ...textsIn(source, 'field', 'address'),
  }),
  link: (source) => ({
    operation: textOf(source['operation'], 'operation'),
    expression: textOf(source['expression'], 'expression'),
    ...(source['first'] === true ? { first: true } : {}),
    ...textsIn(source, 'step', 'of'),
  }),
  held: (source) => ({
    ...resourceIn(source),
    field: textOf(source['field'], 'field'),
    least: countOf(source['least'], 'least'),
    ...textsIn(source, 'otherThan'),
  }),
  expression: (source) => ({
    ...resourceIn(source),
    language: textOf(source['language'], 'language'),
    condition: readCondition(objectOf(source['condition'], 'condition')),
    ...(source['unlike'] === undefined
      ? {}
      : { unlike: wordOf(source['unlike'], 'unlike', misreadings) }),
    ...textsIn(source, 'within'),
  }),
  share: (source) => ({
    ...resourceIn(source),
    pages: countOf(source['pages'], 'pages'),
    page: countOf(source['page'], 'page'),
    of: wordOf(source['of'], 'of', ['size', 'start'] as const),
    ...textsIn(source, 'within'),
  }),
  next: (source) => ({
    ...resourceIn(source),
    parameter: textOf(source['parameter'], 'parameter'),
    ...(source['altered'] === true ? { altered: true } : {}),
  }),
};

function readSource(source: JsonObject): Source {
  const kind = wordOf(source['kind'], 'kind', Object.keys(sources) as (keyof typeof sources)[]);
  return { kind, ...sources[kind](source) } as Source;
}

function sourcesIn(of: JsonValue | undefined): Source[] {
  if (of === undefined || !isJsonArray(of)) throw new Unreadable('of is no list');
  return of.map((one) => readSource(objectOf(one, 'of')));
}

function resourceIn(source: JsonObject): { readonly resource: string; readonly parent?: number } {
  const { parent } = source;
  return {
    resource: textOf(source['resource'], 'resource'),
    ...(typeof parent === 'number' ? { parent } : {}),
  };
}

/** The texts that an object has under some names. */
function textsIn<Name extends string>(
  object: JsonObject,
  ...names: readonly Name[]
): { readonly [name in Name]?: string } {
  const there = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, textOf(object[name], name)])) as {
    [name in Name]?: string;
  };
}

function readCondition(condition: JsonObject): Condition<Compared> {
  const { all, any, not, as, field, op, takes } = condition;
  const joined = all ?? any;
  if (isJsonArray(joined)) {
    const parts = joined.map((part) => readCondition(objectOf(part, 'condition')));
    return all === undefined ? { any: parts } : { all: parts };
  }
  if (not !== undefined)
    return {
      not: readCondition(objectOf(not, 'condition')),
      ...(typeof as === 'number' ? { as } : {}),
    };
  return {
    field: textOf(field, 'field'),
    op: wordOf(op, 'op', operators),
    ...textsIn(condition, 'format'),
    ...(takes === undefined ? {} : { takes: wordOf(takes, 'takes', takenValues) }),
  };
}

function readBody(body: JsonObject, operation: Operation): BodyTemplate {
  const kind = textOf(body['kind'], 'kind');
  const mediaType = body['mediaType'];
  if (kind === 'bytes')
    return {
      kind,
      ...textsIn(body, 'mediaType'),
      bytes: new Uint8Array(Buffer.from(textOf(body['base64'], 'base64'), 'base64')),
    };
  if (kind === 'json')
    return {
      kind,
      mediaType: textOf(mediaType, 'mediaType'),
      value: jsonOf(body['json']),
      ...textsIn(body, 'onto'),
      ...fillsOf(body),
      ...identifierOf(body),
    };
  const media = operation.requestBody?.content.find(
    (candidate) => candidate.mediaType === mediaType,
  );
  if (media === undefined)
    throw new Unreadable(`${operation.id} no longer takes ${String(mediaType)}`);
  return {
    kind: 'content',
    media,
    value: jsonOf(body['json']),
    ...alterationOf(body),
    ...textsIn(body, 'label'),
    ...fillsOf(body),
    ...identifierOf(body),
  };
}

function alterationOf({ altered }: JsonObject): { altered?: Alteration } {
  if (altered === undefined) return {};
  const { at, json } = objectOf(altered, 'altered');
  return {
    altered: { at: textOf(at, 'at'), ...(json === undefined ? {} : { part: jsonOf(json) }) },
  };
}

function fillsOf({ fills }: JsonObject): { fills?: readonly Fill[] } {
  if (!isJsonArray(fills)) return {};
  return {
    fills: fills.map((fill) => {
      const { at, source } = objectOf(fill, 'fill');
      return { at: textOf(at, 'at'), source: readSource(objectOf(source, 'source')) };
    }),
  };
}

function identifierOf({ identifier, namedBy, codes }: JsonObject): {
  identifier?: readonly string[];
  namedBy?: string;
  codes?: readonly string[];
} {
  const coded = isJsonArray(codes)
    ? { codes: codes.filter((name) => typeof name === 'string') }
    : {};
  if (!isJsonArray(identifier)) return coded;
  const path = identifier.filter((name) => typeof name === 'string');
  return { ...coded, identifier: path, ...(typeof namedBy === 'string' ? { namedBy } : {}) };
}

function jsonOf(text: JsonValue | undefined): JsonValue {
  const reading = parseJson(textOf(text, 'json'));
  if (!reading.ok) throw new Unreadable('the report has a value that is not JSON');
  return reading.value;
}
