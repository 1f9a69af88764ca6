import type { Contract, Operation } from '../../contract/model.ts';
import { parseJson } from '../../json/parse-json.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import { phases } from '../model/phase.ts';
import type { BodyTemplate, RequestTemplate, Source } from '../model/request-template.ts';
import { conditionHeader } from '../plan/draft/condition-header.ts';
import { hashContract } from './hash-contract.ts';
import { credentials, readIntent } from './read-intent.ts';
import { countOf, headersOf, objectOf, textOf, Unreadable, wordOf } from './read-member.ts';
import type { ReplayForm } from '../model/finding.ts';

/** A sequence that was read back, or in a clause why the contract has no place for it any more. */
export type ReplayReading =
  | { readonly ok: true; readonly sequence: Sequence }
  | { readonly ok: false; readonly reason: string };

/** Reads a form back over a contract, which may be another one than it was written over. */
export function readReplay(form: ReplayForm, contract: Contract): ReplayReading {
  try {
    const document = contract.document;
    // Some findings are about what was never written there.
    if (form.contract !== hashContract(contract) && valueAt(document, form.at) === undefined)
      throw new Unreadable(`the contract no longer has the place ${form.at}`);
    const sequence = makeSequence(
      ...form.steps.map((step) => readStep(step as unknown as JsonObject, contract)),
    );
    if (sequence.cases.length === 0) throw new Unreadable('the report does not hold its requests');
    return {
      ok: true,
      sequence: form.concurrent === true ? { ...sequence, concurrent: true } : sequence,
    };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}

function readStep(step: JsonObject, contract: Contract): Case {
  const id = textOf(step['operation'], 'operation');
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined)
    throw new Unreadable(`the contract no longer has the operation ${id}`);
  const control = step['control'];
  return makeCase({
    title: textOf(step['title'], 'title'),
    phase: wordOf(step['phase'], 'phase', phases),
    operation,
    request: readRequest(objectOf(step['request'], 'request'), operation),
    intent: readIntent(objectOf(step['intent'], 'intent')),
    ...(control === undefined
      ? {}
      : { control: readRequest(objectOf(control, 'control'), operation) }),
  });
}

function readRequest(request: JsonObject, operation: Operation): RequestTemplate {
  const { arguments: given, body, credential, method, headers, locatedBy } = request;
  if (!isJsonArray(given))
    throw new Unreadable('the report does not hold the arguments of its requests');
  return {
    arguments: given.map((argument) => readArgument(objectOf(argument, 'argument'), operation)),
    ...(body === undefined ? {} : { body: readBody(objectOf(body, 'body'), operation) }),
    credential: wordOf(credential, 'credential', credentials),
    ...(method === undefined ? {} : { method: textOf(method, 'method') }),
    ...(headers === undefined ? {} : { headers: headersOf(headers) }),
    ...(locatedBy === undefined ? {} : { locatedBy: textOf(locatedBy, 'locatedBy') }),
  };
}

function readArgument(
  argument: JsonObject,
  operation: Operation,
): RequestTemplate['arguments'][number] {
  const name = textOf(argument['name'], 'name');
  const place = textOf(argument['in'], 'in');
  const parameter =
    operation.parameters.find((candidate) => candidate.name === name && candidate.in === place) ??
    (place === 'header' ? conditionHeader(operation, name) : undefined);
  if (parameter === undefined)
    throw new Unreadable(`${operation.id} no longer has the ${place} parameter ${name}`);
  return { parameter, source: readSource(objectOf(argument['source'], 'source')) };
}

function readSource(source: JsonObject): Source {
  const kind = textOf(source['kind'], 'kind');
  if (kind === 'value') return { kind, value: jsonOf(source['json']) };
  if (kind === 'known')
    return {
      kind,
      resource: textOf(source['resource'], 'resource'),
      ...(typeof source['parent'] === 'number' ? { parent: source['parent'] } : {}),
      ...(source['json'] === undefined ? {} : { otherwise: jsonOf(source['json']) }),
    };
  const resource = (): string => textOf(source['resource'], 'resource');
  const known = wordOf(source['kind'], 'kind', sourceKinds);
  switch (known) {
    case 'text':
    case 'raw':
      return { kind: known, text: textOf(source['text'], 'text') };
    case 'own':
    case 'created':
    case 'listed':
      return {
        kind: known,
        resource: resource(),
        ...(typeof source['parent'] === 'number' ? { parent: source['parent'] } : {}),
      };
    case 'absent':
      return { kind: known, resource: resource() };
    case 'unique':
      return {
        kind: known,
        ...(typeof source['digits'] === 'number' ? { digits: source['digits'] } : {}),
      };
    case 'field':
      return { kind: known, resource: resource(), field: textOf(source['field'], 'field') };
    case 'held':
      return {
        kind: known,
        resource: resource(),
        field: textOf(source['field'], 'field'),
        least: countOf(source['least'], 'least'),
      };
    case 'share':
      return {
        kind: known,
        resource: resource(),
        pages: countOf(source['pages'], 'pages'),
        page: countOf(source['page'], 'page'),
        of: wordOf(source['of'], 'of', ['size', 'start'] as const),
      };
    case 'next':
      return {
        kind: known,
        resource: resource(),
        parameter: textOf(source['parameter'], 'parameter'),
      };
    case 'link':
      return {
        kind: known,
        operation: textOf(source['operation'], 'operation'),
        expression: textOf(source['expression'], 'expression'),
        ...(source['first'] === true ? { first: true } : {}),
      };
  }
}

const sourceKinds = [
  'text',
  'raw',
  'own',
  'created',
  'listed',
  'absent',
  'unique',
  'field',
  'held',
  'share',
  'next',
  'link',
] as const;

function identifierOf({ identifier, namedBy }: JsonObject): {
  identifier?: readonly string[];
  namedBy?: string;
} {
  if (!isJsonArray(identifier)) return {};
  const path = identifier.filter((name) => typeof name === 'string');
  return { identifier: path, ...(typeof namedBy === 'string' ? { namedBy } : {}) };
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
      ...identifierOf(body),
    };
  const media = operation.requestBody?.content.find(
    (candidate) => candidate.mediaType === mediaType,
  );
  if (media === undefined)
    throw new Unreadable(`${operation.id} no longer takes ${String(mediaType)}`);
  return { kind: 'content', media, value: jsonOf(body['json']), ...identifierOf(body) };
}

function jsonOf(text: JsonValue | undefined): JsonValue {
  const reading = parseJson(textOf(text, 'json'));
  if (!reading.ok) throw new Unreadable('the report holds a value that is no JSON');
  return reading.value;
}
