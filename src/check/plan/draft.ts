import type { Contract, MediaTypeSpec, Operation, Parameter, Schema } from '../../contract/model.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import type { Argument, BodyTemplate, RequestTemplate, Source } from '../case.ts';
import { roleOf, type Role } from '../subject.ts';

/** The plain valid request of an operation: what a person would send, and nothing that may be left out of the address. */
export interface Draft {
  readonly operation: Operation;
  readonly role?: Role;
  /** The required arguments but for the record's identifier. */
  readonly arguments: readonly Argument[];
  /** The path parameter that names a record. */
  readonly identifier?: Parameter;
  readonly body?: DraftBody;
  /** Whether it refers to something that the contract does not show, such as the identifier of an owner. */
  readonly invented: boolean;
}

/** The body of a request that is being planned. */
export interface DraftBody {
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly value: JsonValue;
  /** Whether the contract itself shows the value, as an example. */
  readonly shown: boolean;
}

/** A draft, or why there is none: a clause that begins with a small letter. */
export type DraftResult = { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly reason: string };

/** Drafts the plain request of an operation. */
export function draftRequest(contract: Contract, operation: Operation, seed: string): DraftResult {
  const role = roleOf(contract, operation);
  const identifier = operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === role?.resource.identifier.parameter);
  const given: Argument[] = [];
  let invented = false;
  for (const parameter of operation.parameters.filter((candidate) => candidate.required && candidate !== identifier)) {
    if (parameter.in === 'path') return { ok: false, reason: `nothing in the contract shows which values {${parameter.name}} has` };
    const made = plainArgument(parameter, seed);
    if (!made.ok) return { ok: false, reason: `no valid ${parameter.name} could be made: ${made.reason}` };
    given.push({ parameter, source: { kind: 'value', value: made.value } });
    invented ||= isReference(parameter.name) && !isShown(parameter);
  }
  const body = draftBody(operation, seed);
  if (body !== undefined && 'reason' in body) return { ok: false, reason: body.reason };
  invented ||= body !== undefined && !body.shown && refers(body.value);
  const optional = { ...(role === undefined ? {} : { role }), ...(identifier === undefined ? {} : { identifier }), ...(body === undefined ? {} : { body }) };
  return { ok: true, draft: { operation, arguments: given, invented, ...optional } };
}

/** A valid value of a parameter: an example of the contract where it shows one. */
function plainArgument(parameter: Parameter, seed: string): ReturnType<typeof plainValue> {
  const example = validExample(parameter);
  return example === undefined ? plainValue(parameter.schema, { seed, direction: 'request' }) : { ok: true, value: example.value };
}

function validExample({ examples, schema }: Parameter): Parameter['examples'][number] | undefined {
  return examples.find(({ value }) => schema.validate(value, 'request').length === 0);
}

/** Whether the contract shows a value, or says which there are. */
function isShown(parameter: Parameter): boolean {
  const { node } = parameter.schema.flatten();
  return validExample(parameter) !== undefined || [node.enum, node.const, node.default, node.examples, node['example']].some((shown) => shown !== undefined);
}

/** Whether a name is that of a reference to another record: `ownerId`, `category_id`. */
function isReference(name: string): boolean {
  return /(^|[a-z0-9])(Id|ID|Ids|Uuid|Ref)$|[_-](id|ids|uuid|ref)$|^(id|uuid|ref)$/.test(name);
}

/** Whether a body that was made up refers to another record anywhere. */
function refers(value: JsonValue): boolean {
  // Array.isArray does not narrow a readonly array out of a union.
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some(refers);
  return isJsonObject(value) && Object.entries(value).some(([name, member]) => isReference(name) || refers(member));
}

function draftBody(operation: Operation, seed: string): DraftBody | { readonly reason: string } | undefined {
  if (operation.requestBody === undefined) return undefined;
  const media = operation.requestBody.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  if (media === undefined) {
    const offered = operation.requestBody.content.map(({ mediaType }) => mediaType).join(', ');
    return operation.requestBody.required ? { reason: `vouch writes JSON bodies, and this one is ${offered || 'of no media type'}` } : undefined;
  }
  return plainBody(media, seed);
}

function plainBody({ mediaType, schema, examples }: MediaTypeSpec, seed: string): DraftBody | { readonly reason: string } {
  const example = examples.find(({ value }) => schema === undefined || schema.validate(value, 'request').length === 0);
  const named = { mediaType, ...(schema === undefined ? {} : { schema }) };
  if (example !== undefined) return { ...named, value: example.value, shown: true };
  if (schema === undefined) return { ...named, value: {}, shown: false };
  const made = plainValue(schema, { seed, direction: 'request' });
  return made.ok ? { ...named, value: made.value, shown: false } : { reason: `no valid body could be made: ${made.reason}` };
}

/** How a draft names its record, where it needs one. */
export type RecordKind = 'known' | 'own' | 'created' | 'listed';

/** The request of a draft, with another body or further arguments where they are given. */
export function requestOf(draft: Draft, record: RecordKind, changes: { readonly extra?: readonly Argument[]; readonly body?: BodyTemplate | 'none' } = {}): RequestTemplate {
  const extra = changes.extra ?? [];
  const replaced = new Set(extra.map(({ parameter }) => parameter));
  const identifier: Argument[] = draft.identifier === undefined || draft.role === undefined ? [] : [{ parameter: draft.identifier, source: recordSource(record, draft.role.resource.name) }];
  const body = changes.body ?? (draft.body === undefined ? 'none' : jsonBody(draft.body, draft.body.value));
  return {
    arguments: [...[...identifier, ...draft.arguments].filter(({ parameter }) => !replaced.has(parameter)), ...extra],
    ...(body === 'none' ? {} : { body }),
    credential: 'given',
  };
}

function recordSource(kind: RecordKind, resource: string): Source {
  return { kind, resource };
}

/** A value as the body of a draft. */
export function jsonBody({ mediaType }: DraftBody, value: JsonValue): BodyTemplate {
  return { kind: 'json', mediaType, value };
}

/** Whether a method changes nothing (RFC 9110, section 9.2.1). */
export function isSafe(operation: Operation): boolean {
  return operation.method === 'GET' || operation.method === 'HEAD' || operation.method === 'OPTIONS';
}
