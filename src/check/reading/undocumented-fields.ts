import type { Schema } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import type { Pointer } from '../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { isDescribed } from './is-described.ts';
import type { Answer, Step } from '../model/step.ts';
import { isLargeAnswer } from './read-answer.ts';
import { Recent } from './recent.ts';
import { type Naming, namingOf } from './naming.ts';

/** An object of a response that has members which its schema does not declare. */
export interface UndocumentedFields {
  /** The schema of the object. */
  readonly pointer: Pointer;
  readonly fields: readonly (readonly [name: string, value: JsonValue])[];
}

/**
 * Every object in a response whose schema declares members and does not restrict others, with its
 * undeclared members.
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

// Two callers read the same response, one soon after the other. A response belongs to one step.
const known = new Recent<Answer, readonly UndocumentedFields[]>(isLargeAnswer);

/**
 * Problem details may have extension members (RFC 9457, section 3.2), and no contract describes
 * responses to undeclared methods.
 */
function schemaOf(step: Step): Schema | undefined {
  const { answer } = step;
  const { operation } = step.case;
  const { response } = step.exchange;
  if (
    response === undefined ||
    answer.kind !== 'json' ||
    !isDescribed(step) ||
    /^application\/problem\+json/i.test(answer.mediaType)
  )
    return undefined;
  return selectMediaType(
    selectResponse(operation, response.status)?.content ?? [],
    answer.mediaType,
  )?.schema;
}

/** The depth of a walk through a response, and what it found. */
interface Walk {
  readonly found: UndocumentedFields[];
  depth: number;
}

const deepest = 12;
const maxItems = 100;
const none: UndocumentedFields['fields'] = [];

function walk(value: JsonValue, naming: Naming | undefined, course: Walk): void {
  if (naming === undefined || course.depth > deepest) return;
  course.depth += 1;
  if (isJsonArray(value)) walkItems(value, naming.items(), course);
  else if (isJsonObject(value)) walkObject(value, naming, course);
  course.depth -= 1;
}

function walkItems(value: JsonArray, items: Naming | undefined, course: Walk): void {
  const count = Math.min(value.length, maxItems);
  for (let index = 0; index < count; index += 1) walk(value[index] ?? null, items, course);
}

/** Called for every object of every response: without undeclared members, nothing is allocated. */
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

/** The shared result for objects without undeclared members. */
function wholly(naming: Naming): UndocumentedFields {
  return naming.derive(withoutFields);
}

function withoutFields({ pointer }: Naming): UndocumentedFields {
  return { pointer, fields: none };
}
