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
  const {
    arguments: given,
    body,
    credential,
    scheme,
    identity,
    method,
    headers,
    locatedBy,
    address,
    polling,
    linked,
  } = request;
  if (!isJsonArray(given)) throw new Unreadable('the report has no arguments for its requests');
  return {
    arguments: given.map((argument) =>
      readArgument(objectOf(argument, 'argument'), operation, implied),
    ),
    ...(body === undefined ? {} : { body: readBody(objectOf(body, 'body'), operation) }),
    credential: wordOf(credential, 'credential', credentials),
    ...(scheme === undefined ? {} : { scheme: textOf(scheme, 'scheme') }),
    ...(identity === undefined ? {} : { identity: textOf(identity, 'identity') }),
    ...(method === undefined ? {} : { method: textOf(method, 'method') }),
    ...(headers === undefined ? {} : { headers: headersOf(headers) }),
    ...(locatedBy === undefined ? {} : { locatedBy: textOf(locatedBy, 'locatedBy') }),
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

const sourceKinds = [
  'text',
  'raw',
  'own',
  'created',
  'listed',
  'absent',
  'unique',
  'members',
  'field',
  'held',
  'expression',
  'share',
  'next',
  'made',
  'link',
] as const;

function readSource(source: JsonObject): Source {
  if (source['kind'] === 'value') return readValue(source);
  if (source['kind'] === 'known')
    return {
      kind: 'known',
      resource: resourceIn(source),
      ...parentIn(source),
      ...(source['json'] === undefined ? {} : { otherwise: jsonOf(source['json']) }),
    };
  if (source['kind'] !== 'list') return readOtherSource(source);
  const { joint } = source;
  return {
    kind: 'list',
    of: sourcesIn(source['of']),
    ...(typeof joint === 'string' ? { joint } : {}),
  };
}

function readOtherSource(source: JsonObject): Source {
  const kind = wordOf(source['kind'], 'kind', sourceKinds);
  switch (kind) {
    case 'text':
    case 'raw':
      return { kind, text: textOf(source['text'], 'text') };
    case 'own':
    case 'created':
    case 'listed':
      return { kind, resource: resourceIn(source), ...parentIn(source) };
    case 'absent':
      return { kind, resource: resourceIn(source) };
    case 'unique':
      return {
        kind,
        ...(typeof source['digits'] === 'number' ? { digits: source['digits'] } : {}),
      };
    case 'members':
      return { kind };
    case 'field':
      return readField(source);
    case 'next':
      return readNext(source);
    case 'held':
      return readHeld(source);
    case 'expression':
      return readExpression(source);
    case 'share':
      return readShare(source);
    case 'made':
      return {
        kind,
        step: textOf(source['step'], 'step'),
        resource: resourceIn(source),
        ...parentIn(source),
        ...(typeof source['field'] === 'string' ? { field: source['field'] } : {}),
        ...addressIn(source),
      };
    case 'link':
      return readLink(source);
  }
}

function sourcesIn(of: JsonValue | undefined): Source[] {
  if (of === undefined || !isJsonArray(of)) throw new Unreadable('of is no list');
  return of.map((one) => readSource(objectOf(one, 'of')));
}

function resourceIn(source: JsonObject): string {
  return textOf(source['resource'], 'resource');
}

function parentIn({ parent }: JsonObject): { readonly parent?: number } {
  return typeof parent === 'number' ? { parent } : {};
}

function addressIn({ address }: JsonObject): { readonly address?: string } {
  return typeof address === 'string' ? { address } : {};
}

function readValue({ json, like, ...rest }: JsonObject): Source {
  const value = jsonOf(json);
  const named = like === undefined ? {} : { like: textOf(like, 'like') };
  return { kind: 'value', value, ...named, ...addressIn(rest) };
}

function readHeld(source: JsonObject): Source {
  return {
    kind: 'held',
    resource: resourceIn(source),
    field: textOf(source['field'], 'field'),
    least: countOf(source['least'], 'least'),
    ...(typeof source['otherThan'] === 'string' ? { otherThan: source['otherThan'] } : {}),
  };
}

function readExpression(source: JsonObject): Source {
  const { unlike, within } = source;
  return {
    kind: 'expression',
    resource: resourceIn(source),
    language: textOf(source['language'], 'language'),
    condition: readCondition(objectOf(source['condition'], 'condition')),
    ...(unlike === undefined ? {} : { unlike: wordOf(unlike, 'unlike', misreadings) }),
    ...(typeof within === 'string' ? { within } : {}),
  };
}

function readCondition(condition: JsonObject): Condition<Compared> {
  const { all, any, not, as, field, op, format, takes } = condition;
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
    ...(typeof format === 'string' ? { format } : {}),
    ...(takes === undefined ? {} : { takes: wordOf(takes, 'takes', takenValues) }),
  };
}

function readField(source: JsonObject): Source {
  return {
    kind: 'field',
    resource: resourceIn(source),
    field: textOf(source['field'], 'field'),
    ...(source['of'] === 'middle' || source['of'] === 'behind' ? { of: source['of'] } : {}),
  };
}

function readNext(source: JsonObject): Source {
  return {
    kind: 'next',
    resource: resourceIn(source),
    parameter: textOf(source['parameter'], 'parameter'),
    ...(source['altered'] === true ? { altered: true } : {}),
  };
}

function readShare(source: JsonObject): Source {
  return {
    kind: 'share',
    resource: resourceIn(source),
    pages: countOf(source['pages'], 'pages'),
    page: countOf(source['page'], 'page'),
    of: wordOf(source['of'], 'of', ['size', 'start'] as const),
    ...(typeof source['within'] === 'string' ? { within: source['within'] } : {}),
  };
}

function readLink(source: JsonObject): Source {
  return {
    kind: 'link',
    operation: textOf(source['operation'], 'operation'),
    expression: textOf(source['expression'], 'expression'),
    ...(source['first'] === true ? { first: true } : {}),
    ...(typeof source['step'] === 'string' ? { step: source['step'] } : {}),
    ...(typeof source['of'] === 'string' ? { of: source['of'] } : {}),
  };
}

function readBody(body: JsonObject, operation: Operation): BodyTemplate {
  const kind = textOf(body['kind'], 'kind');
  const mediaType = body['mediaType'];
  if (kind === 'bytes')
    return {
      kind,
      ...(typeof mediaType === 'string' ? { mediaType } : {}),
      bytes: new Uint8Array(Buffer.from(textOf(body['base64'], 'base64'), 'base64')),
    };
  if (kind === 'json')
    return {
      kind,
      mediaType: textOf(mediaType, 'mediaType'),
      value: jsonOf(body['json']),
      ...(typeof body['onto'] === 'string' ? { onto: body['onto'] } : {}),
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
    ...(typeof body['label'] === 'string' ? { label: body['label'] } : {}),
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
