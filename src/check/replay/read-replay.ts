import type { Contract, Operation } from '../../contract/model.ts';
import { parseJson } from '../../json/parse-json.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray, defined, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { ReplayForm } from '../model/finding.ts';
import { phases } from '../model/phase.ts';
import {
  type Argument,
  type BodyTemplate,
  type Compared,
  misreadings,
  type RequestTemplate,
  type Source,
  takenOf,
  takenValues,
} from '../model/request-template.ts';
import type { Condition } from '../../contract/query-languages/language.ts';
import { operators } from '../../contract/query-languages/literals.ts';
import { conditionHeader, type ImpliedHeaders } from '../plan/plan-cache.ts';
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
  type Reader,
  flag,
  ifNumber,
  ifText,
  members,
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
  const requestOf = (value: JsonValue | undefined, name: string): RequestTemplate =>
    readRequest(objectOf(value, name), operation, implied);
  return makeCase({
    operation,
    ...members(
      {
        title: textOf,
        phase: wordOf(phases),
        request: requestOf,
        intent: (value, name) => readIntent(objectOf(value, name)),
      },
      { criteria: (value, name) => readStepCriteria(objectOf(value, name)), control: requestOf },
    )(step, 'step'),
  });
}

function readRequest(
  request: JsonObject,
  operation: Operation,
  implied: ImpliedHeaders,
): RequestTemplate {
  const { arguments: given, body } = request;
  if (!isJsonArray(given)) throw new Unreadable('the report has no arguments for its requests');
  return {
    arguments: given.map((argument) =>
      readArgument(objectOf(argument, 'argument'), operation, implied),
    ),
    ...(body === undefined ? {} : { body: readBody(objectOf(body, 'body'), operation) }),
    ...requestMembers(request, 'request'),
  };
}

const requestMembers = members(
  { credential: wordOf(credentials) },
  {
    scheme: textOf,
    identity: textOf,
    session: textOf,
    method: textOf,
    locatedBy: textOf,
    tick: textOf,
    headers: headersOf,
    address: members({ step: textOf, operation: textOf, expression: textOf }, {}),
    polling: members({ at: textOf, values: textsOf, seconds: countOf }, {}),
    linked: members({ step: textOf, is: (value) => value === true, except: textsOf }, {}),
  },
);

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
  return { parameter, source: readSource(argument['source'], 'source') };
}

type ReadSource = Exclude<Source, { readonly kind: 'seen' }>;

/** A record of a resource, or a parent of it. */
const ofResource = members({ resource: textOf }, { parent: ifNumber });

/** The members of each source, besides its kind. */
const sources: {
  readonly [Kind in ReadSource['kind']]: Reader<
    Omit<Extract<Source, { readonly kind: Kind }>, 'kind'>
  >;
} = {
  value: (source, name) => ({
    value: jsonOf(objectOf(source, name)['json']),
    ...members({}, { like: textOf, address: textOf })(source, name),
  }),
  known: (source, name) => ({ ...ofResource(source, name), ...otherwiseIn(source, name) }),
  text: members({ text: textOf }, {}),
  raw: members({ text: textOf }, {}),
  own: ofResource,
  created: ofResource,
  listed: ofResource,
  absent: ofResource,
  unique: members({}, { digits: ifNumber }),
  list: members({ of: sourcesIn }, { joint: textOf }),
  members: members({}, {}),
  tag: members({}, {}),
  field: (source, name) => ({
    ...members(
      { resource: textOf, field: textOf },
      { of: wordOf(takenOf), swapped: flag, day: flag, offset: ifNumber, own: flag },
    )(source, name),
    ...otherwiseIn(source, name),
  }),
  made: members(
    { step: textOf, resource: textOf },
    { parent: ifNumber, field: textOf, address: textOf },
  ),
  link: members(
    { operation: textOf, expression: textOf },
    { first: flag, step: textOf, of: textOf },
  ),
  held: members({ resource: textOf, field: textOf, least: countOf }, { otherThan: textOf }),
  expression: members(
    { resource: textOf, language: textOf, condition: readCondition },
    { unlike: wordOf(misreadings), within: textOf },
  ),
  share: members(
    { resource: textOf, pages: countOf, page: countOf, of: wordOf(['size', 'start']) },
    { within: textOf },
  ),
  next: members({ resource: textOf, parameter: textOf }, { altered: flag }),
};

function readSource(value: JsonValue | undefined, name: string): Source {
  const source = objectOf(value, name);
  const kind = wordOf(Object.keys(sources) as ReadSource['kind'][])(source['kind'], 'kind');
  return { kind, ...sources[kind](source, name) } as Source;
}

function sourcesIn(of: JsonValue | undefined): Source[] {
  if (!isJsonArray(of)) throw new Unreadable('of is no list');
  return of.map((one) => readSource(one, 'of'));
}

function readCondition(value: JsonValue | undefined, name: string): Condition<Compared> {
  const { all, any, not, as } = objectOf(value, name);
  const joined = all ?? any;
  if (isJsonArray(joined)) {
    const parts = joined.map((part) => readCondition(part, name));
    return all === undefined ? { any: parts } : { all: parts };
  }
  if (not !== undefined)
    return { not: readCondition(not, name), ...(typeof as === 'number' ? { as } : {}) };
  const compared = { field: textOf, op: wordOf(operators) };
  return members(compared, { format: textOf, takes: wordOf(takenValues) })(value, name);
}

/** What the bodies of fields have besides their value. */
const fieldsMembers = members(
  {},
  {
    onto: textOf,
    label: textOf,
    altered: (value, name) => {
      const { at, json } = objectOf(value, name);
      return { at: textOf(at, 'at'), ...(json === undefined ? {} : { part: jsonOf(json) }) };
    },
    fills: (value) =>
      isJsonArray(value)
        ? value.map((fill) => members({ at: textOf, source: readSource }, {})(fill, 'fill'))
        : undefined,
    identifier: ifTexts,
    namedBy: ifText,
    codes: ifTexts,
  },
);

function ifTexts(value: JsonValue | undefined): string[] | undefined {
  return isJsonArray(value) ? textsOf(value) : undefined;
}

function readBody(body: JsonObject, operation: Operation): BodyTemplate {
  const { kind, mediaType, base64, json } = body;
  if (textOf(kind, 'kind') === 'bytes')
    return {
      kind: 'bytes',
      ...members({}, { mediaType: textOf })(body, 'body'),
      bytes: new Uint8Array(Buffer.from(textOf(base64, 'base64'), 'base64')),
    };
  const { onto, label, altered, ...fields } = fieldsMembers(body, 'body');
  if (kind === 'json')
    return {
      kind,
      mediaType: textOf(mediaType, 'mediaType'),
      value: jsonOf(json),
      ...defined({ onto }),
      ...fields,
    };
  const media = operation.requestBody?.content.find(
    (candidate) => candidate.mediaType === mediaType,
  );
  if (media === undefined)
    throw new Unreadable(`${operation.id} no longer takes ${String(mediaType)}`);
  return { kind: 'content', media, value: jsonOf(json), ...defined({ altered, label }), ...fields };
}

/** What a source has instead of the value of a record. */
function otherwiseIn(
  source: JsonValue | undefined,
  name: string,
): { readonly otherwise?: JsonValue } {
  const { json } = objectOf(source, name);
  return json === undefined ? {} : { otherwise: jsonOf(json) };
}

function jsonOf(text: JsonValue | undefined): JsonValue {
  const reading = parseJson(textOf(text, 'json'));
  if (!reading.ok) throw new Unreadable('the report has a value that is not JSON');
  return reading.value;
}
