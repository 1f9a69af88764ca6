import type { LocatedNode, Schema } from '../../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Step } from '../../subject.ts';
import { objectShape } from './object-shape.ts';
import type { Answer } from '../answer/read-answer.ts';

/** An object of an answer that has members which its schema does not name. */
export interface UndocumentedFields {
  /** The schema of the object. */
  readonly pointer: Pointer;
  readonly fields: readonly (readonly [name: string, value: JsonValue])[];
}

/** Every object in an answer whose schema names members, and says nothing of others: with those that it does not name, if any. */
export function readFields(step: Step): readonly UndocumentedFields[] {
  const { answer } = step;
  const before = known.get(answer);
  if (before !== undefined) return before;
  const schema = schemaOf(step);
  if (schema === undefined || answer.kind !== 'json') return [];
  const found: UndocumentedFields[] = [];
  walk(answer.value, { schema, places: [schema], found, depth: 0 });
  known.set(answer, found);
  return found;
}

// Two ask for the same answer, one after the other. An answer belongs to one step.
const known = new WeakMap<Answer, readonly UndocumentedFields[]>();

/** Problem details may have members of their own (RFC 9457, section 3.2), and what undeclared methods answer no contract says. */
function schemaOf({ case: { intent, operation }, exchange: { response }, answer }: Step): Schema | undefined {
  if (response === undefined || answer.kind !== 'json' || intent.kind === 'method' || /^application\/problem\+json/i.test(answer.mediaType)) return undefined;
  return selectMediaType(selectResponse(operation, response.status)?.content ?? [], answer.mediaType)?.schema;
}

interface Walk {
  readonly schema: Schema;
  /** Every schema that the value may be meant by. */
  readonly places: readonly LocatedNode[];
  readonly found: UndocumentedFields[];
  readonly depth: number;
}

const deepest = 12;
const mostItems = 100;

function walk(value: JsonValue, { schema, places, found, depth }: Walk): void {
  if (places.length === 0 || depth > deepest) return;
  if (isJsonArray(value)) {
    const inside = { schema, places: places.flatMap((place) => objectShape(schema, place).items), found, depth: depth + 1 };
    const count = Math.min(value.length, mostItems);
    for (let index = 0; index < count; index += 1) walk(value[index] ?? null, inside);
  } else if (isJsonObject(value)) {
    walkObject(value, { schema, places, found, depth });
  }
}

/** Every object of every answer passes here: what its schema names makes nothing new. */
function walkObject(value: JsonObject, { schema, places, found, depth }: Walk): void {
  const [first] = places;
  const closed = first !== undefined && isClosed(schema, places);
  const only = first !== undefined && places.length === 1 ? objectShape(schema, first).members : undefined;
  let unnamed: UndocumentedFields['fields'] = none;
  for (const name in value) {
    const member = value[name] ?? null;
    const isNamed = !closed || (only === undefined ? places.some((place) => objectShape(schema, place).members.has(name)) : only.has(name));
    if (!isNamed) unnamed = [...unnamed, [name, member]];
    else if (typeof member === 'object' && member !== null) walk(member, { schema, places: places.flatMap((place) => objectShape(schema, place).members.get(name) ?? []), found, depth: depth + 1 });
  }
  if (!closed) return;
  const seen = wholly(schema, first);
  found.push(unnamed === none ? seen : { pointer: seen.pointer, fields: unnamed });
}

/** Whether schemas name members, and say nothing of others. */
function isClosed(schema: Schema, places: readonly LocatedNode[]): boolean {
  return !places.some((place) => objectShape(schema, place).open) && places.some((place) => objectShape(schema, place).members.size > 0);
}

const none: UndocumentedFields['fields'] = [];

/** An object that shows only what its schema names: one for all of them. */
function wholly(schema: Schema, place: LocatedNode): UndocumentedFields {
  const known = whole.get(place);
  if (known !== undefined) return known;
  const seen = { pointer: schema.flatten(place.node, place.pointer).pointer, fields: none };
  whole.set(place, seen);
  return seen;
}

const whole = new WeakMap<LocatedNode, UndocumentedFields>();
