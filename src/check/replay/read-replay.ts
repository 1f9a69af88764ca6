import type { Contract, Operation } from '../../contract/model.ts';
import { valueAt } from '../../json/pointer.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { BodyTemplate, Case, Intent, RequestTemplate, Sequence, Source } from '../case.ts';
import { makeCase, makeSequence } from '../case.ts';
import type { Phase } from '../event.ts';
import type { CredentialChoice } from '../secrets/secrets.ts';
import { hashContract } from './hash-contract.ts';
import type { ReplayForm } from './replay-form.ts';

/** A sequence that was read back, or in a clause why the contract has no place for it any more. */
export type ReplayReading = { readonly ok: true; readonly sequence: Sequence } | { readonly ok: false; readonly reason: string };

class Unreadable extends Error {}

/** Reads a form back over a contract, which may be another one than it was written over. */
export function readReplay(form: ReplayForm, contract: Contract): ReplayReading {
  try {
    const document = contract.document;
    // Some findings are about what was never written there.
    if (form.contract !== hashContract(contract) && valueAt(document, form.at) === undefined) throw new Unreadable(`the contract no longer has the place ${form.at}`);
    const sequence = makeSequence(...form.steps.map((step) => readStep(step as unknown as JsonObject, contract)));
    if (sequence.cases.length === 0) throw new Unreadable('the report does not hold its requests');
    return { ok: true, sequence: form.concurrent === true ? { ...sequence, concurrent: true } : sequence };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}

function readStep(step: JsonObject, contract: Contract): Case {
  const id = textOf(step['operation'], 'operation');
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Unreadable(`the contract no longer has the operation ${id}`);
  const control = step['control'];
  return makeCase({
    title: textOf(step['title'], 'title'),
    // What another release wrote here is told by no check apart from what this one knows.
    phase: textOf(step['phase'], 'phase') as Phase,
    operation,
    request: readRequest(objectOf(step['request'], 'request'), operation),
    // As `writeReplay` wrote it; an intent that no check knows makes none of them speak.
    intent: objectOf(step['intent'], 'intent') as unknown as Intent,
    ...(control === undefined ? {} : { control: readRequest(objectOf(control, 'control'), operation) }),
  });
}

function readRequest(request: JsonObject, operation: Operation): RequestTemplate {
  const { arguments: given, body, credential, ...rest } = request;
  if (!isJsonArray(given)) throw new Unreadable('the report does not hold the arguments of its requests');
  return {
    // What further members there are, `writeReplay` took from a template as they were.
    ...(rest as object),
    arguments: given.map((argument) => readArgument(objectOf(argument, 'argument'), operation)),
    ...(body === undefined ? {} : { body: readBody(objectOf(body, 'body'), operation) }),
    credential: textOf(credential, 'credential') as CredentialChoice,
  };
}

function readArgument(argument: JsonObject, operation: Operation): RequestTemplate['arguments'][number] {
  const name = textOf(argument['name'], 'name');
  const place = textOf(argument['in'], 'in');
  const parameter = operation.parameters.find((candidate) => candidate.name === name && candidate.in === place);
  if (parameter === undefined) throw new Unreadable(`${operation.id} no longer has the ${place} parameter ${name}`);
  return { parameter, source: readSource(objectOf(argument['source'], 'source')) };
}

function readSource(source: JsonObject): Source {
  const kind = textOf(source['kind'], 'kind');
  if (kind === 'value') return { kind, value: jsonOf(source['json']) };
  if (kind === 'known') return { kind, resource: textOf(source['resource'], 'resource'), ...(typeof source['parent'] === 'number' ? { parent: source['parent'] } : {}), ...(source['json'] === undefined ? {} : { otherwise: jsonOf(source['json']) }) };
  // Every other kind has nothing but texts, and a segment's number.
  return source as unknown as Source;
}

function readBody(body: JsonObject, operation: Operation): BodyTemplate {
  const kind = textOf(body['kind'], 'kind');
  const mediaType = body['mediaType'];
  if (kind === 'bytes') return { kind, ...(typeof mediaType === 'string' ? { mediaType } : {}), bytes: new Uint8Array(Buffer.from(textOf(body['base64'], 'base64'), 'base64')) };
  if (kind === 'json') return { kind, mediaType: textOf(mediaType, 'mediaType'), value: jsonOf(body['json']), ...(typeof body['onto'] === 'string' ? { onto: body['onto'] } : {}) };
  const media = operation.requestBody?.content.find((candidate) => candidate.mediaType === mediaType);
  if (media === undefined) throw new Unreadable(`${operation.id} no longer takes ${String(mediaType)}`);
  return { kind: 'content', media, value: jsonOf(body['json']) };
}

function jsonOf(text: JsonValue | undefined): JsonValue {
  const reading = parseJson(textOf(text, 'json'));
  if (!reading.ok) throw new Unreadable('the report holds a value that is no JSON');
  return reading.value;
}

function textOf(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`the report does not say the ${name} of its requests`);
}

function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Unreadable(`the report does not say the ${name} of its requests`);
}
