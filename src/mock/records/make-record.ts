import type { Resource } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import type { ValidRequest } from '../behaviour.ts';
import { firstDefined } from '../first-defined.ts';
import { completeValue } from './complete-value.ts';
import { withParents } from './parent-fields.ts';
import { parentTexts } from './path-values.ts';
import { momentKind, onlyValue, writeMoment } from './known-values.ts';
import { shapeOf } from './record-shapes.ts';
import { defaultMembers, givenMembers, isOfService } from './request-members.ts';
import type { SchemaField } from './schema-fields.ts';

/** What a record is made from. */
export interface RecordSource {
  readonly request: ValidRequest;
  readonly resource: Resource;
  /** The record that is replaced; undefined where a new one is made. */
  readonly earlier?: JsonObject;
  /** The identifier, which the request has no say in any more. */
  readonly id: JsonValue;
}

/**
 * The record that a request body leads to: its members but those that are not the client's to set, what was left out with
 * its default, and what the service adds.
 */
export function makeRecord(source: RecordSource): JsonObject {
  const { resource, request, id } = source;
  const members = new Map<string, JsonValue>(Object.entries({ ...defaultMembers(request, resource), ...givenMembers(request, resource) }));
  if (resource.kind === 'collection') members.set(resource.identifier.field, id);
  for (const field of shapeOf(resource).fields.values()) {
    addMember(members, field, source);
    const member = members.get(field.name);
    // What a request may leave out of an object in it, answers may have to show.
    if (typeof member === 'object' && member !== null) members.set(field.name, completeValue(field.schema, member, `${request.requestSeed} ${field.name}`));
  }
  return withParents(inOrder(members, resource), resource, parentTexts(request, resource));
}

/** Members in the order in which people look for them: the identifier, what the contract names, the rest. */
export function inOrder(members: ReadonlyMap<string, JsonValue>, resource: Resource): JsonObject {
  const order = [resource.identifier.field, ...shapeOf(resource).fields.keys(), ...members.keys()];
  const names = [...new Set(order)].filter((name) => members.has(name));
  // Every name is one of the members'.
  return Object.fromEntries(names.map((name) => [name, members.get(name) as JsonValue]));
}

function addMember(members: Map<string, JsonValue>, field: SchemaField, { request, earlier }: RecordSource): void {
  const isService = isOfService(field, request);
  if (isService && momentKind(field) === 'change') members.set(field.name, writeMoment(field, request.now));
  if (members.has(field.name) || field.writeOnly) return;
  const own = (): JsonValue | undefined => (isService ? ownMember(field, request, earlier) : onlyValue(field));
  const value = firstDefined(own, () => required(field, request));
  if (value !== undefined) members.set(field.name, value);
}

/** What the service knows of a field: what it had, what it can only be, when it came to be, what the contract says. */
function ownMember(field: SchemaField, { now }: ValidRequest, earlier: JsonObject = {}): JsonValue | undefined {
  if (Object.hasOwn(earlier, field.name)) return earlier[field.name];
  return firstDefined(() => onlyValue(field), () => (momentKind(field) === undefined ? field.flat.node.default : writeMoment(field, now)));
}

/** A value for a field that a record must have and that nobody gave. */
function required(field: SchemaField, { requestSeed }: ValidRequest): JsonValue | undefined {
  if (!field.required) return undefined;
  const result = plainValue(field.schema, { seed: `${requestSeed} ${field.name}`, direction: 'response', required: 'only' });
  return result.ok ? result.value : undefined;
}
