import type { Schema } from '../../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { Pointer } from '../../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../json/value.ts';
import type { Answer, Step } from '../../model/step.ts';
import { Recent } from '../recent.ts';
import { type Naming, namingOf } from './naming.ts';

/** An object of an answer that has members which its schema does not name. */
export interface UndocumentedFields {
  /** The schema of the object. */
  readonly pointer: Pointer;
  readonly fields: readonly (readonly [name: string, value: JsonValue])[];
}

/**
 * Every object in an answer whose schema names members, and says nothing of others: with those that
 * it does not name, if any.
 */
export function readFields(step: Step): readonly UndocumentedFields[] {
  const { answer } = step;
  const before = known.get(answer);
  if (before !== undefined) return before;
  const schema = schemaOf(step);
  if (schema === undefined || answer.kind !== 'json') return [];
  const found: UndocumentedFields[] = [];
  walk(answer.value, namingOf(schema), { found, depth: 0 });
  return known.set(answer, found);
}

// Two ask for the same answer, one soon after the other. An answer belongs to one step.
const known = new Recent<Answer, readonly UndocumentedFields[]>();

/**
 * Problem details may have members of their own (RFC 9457, section 3.2), and what undeclared
 * methods answer no contract says.
 */
function schemaOf({
  case: { intent, operation },
  exchange: { response },
  answer,
}: Step): Schema | undefined {
  if (
    response === undefined ||
    answer.kind !== 'json' ||
    intent.kind === 'method' ||
    /^application\/problem\+json/i.test(answer.mediaType)
  )
    return undefined;
  return selectMediaType(
    selectResponse(operation, response.status)?.content ?? [],
    answer.mediaType,
  )?.schema;
}

/** How deep a walk through an answer is, and what it came by. */
interface Walk {
  readonly found: UndocumentedFields[];
  depth: number;
}

const deepest = 12;
const mostItems = 100;
const none: UndocumentedFields['fields'] = [];

function walk(value: JsonValue, naming: Naming | undefined, course: Walk): void {
  if (naming === undefined || course.depth > deepest) return;
  course.depth += 1;
  if (isJsonArray(value)) walkItems(value, naming.items(), course);
  else if (isJsonObject(value)) walkObject(value, naming, course);
  course.depth -= 1;
}

function walkItems(value: JsonArray, items: Naming | undefined, course: Walk): void {
  const count = Math.min(value.length, mostItems);
  for (let index = 0; index < count; index += 1) walk(value[index] ?? null, items, course);
}

/** Every object of every answer passes here: what its schema names makes nothing new. */
function walkObject(value: JsonObject, naming: Naming, course: Walk): void {
  let unnamed: [name: string, value: JsonValue][] | undefined;
  for (const name in value) {
    const member = value[name] ?? null;
    if (!naming.names(name)) {
      if (naming.isClosed) (unnamed ??= []).push([name, member]);
    } else if (typeof member === 'object' && member !== null)
      walk(member, naming.member(name), course);
  }
  if (naming.isClosed)
    course.found.push(
      unnamed === undefined ? wholly(naming) : { pointer: naming.pointer, fields: unnamed },
    );
}

/** An object that shows only what its schema names: one for all of them. */
function wholly(naming: Naming): UndocumentedFields {
  let seen = whole.get(naming);
  if (seen === undefined) whole.set(naming, (seen = { pointer: naming.pointer, fields: none }));
  return seen;
}

const whole = new WeakMap<Naming, UndocumentedFields>();
