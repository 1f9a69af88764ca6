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
    const items = places.flatMap((place) => objectShape(schema, place).items);
    for (const item of value.slice(0, mostItems)) walk(item, { schema, places: items, found, depth: depth + 1 });
  } else if (isJsonObject(value)) {
    walkObject(value, { schema, places, found, depth });
  }
}

function walkObject(value: JsonObject, { schema, places, found, depth }: Walk): void {
  const shapes = places.map((place) => objectShape(schema, place));
  const [first] = places;
  if (first !== undefined && !shapes.some(({ open }) => open) && shapes.some(({ members }) => members.size > 0)) {
    const names = Object.keys(value).filter((name) => !shapes.some(({ members }) => members.has(name)));
    found.push({ pointer: schema.flatten(first.node, first.pointer).pointer, fields: names.map((name) => [name, value[name] ?? null]) });
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null) continue;
    const named = shapes.flatMap(({ members }) => members.get(name) ?? []);
    walk(member, { schema, places: named, found, depth: depth + 1 });
  }
}
