import type { MediaTypeSpec, Schema, SchemaIssue, SchemaNode } from '../../../contract/model.ts';
import { objectMembers } from '../../../contract/schema/object-members.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonObject, memberOf, type JsonValue } from '../../../json/value.ts';
import type { WorkBudget } from '../../../json/work-budget.ts';

/** The schema of one server-sent event: of its fields, or of the JSON in its `data`. */
export interface EventSchema {
  readonly schema: Schema;
  readonly describes: 'event' | 'data';
}

/** The members of an event (OpenAPI 3.2, section 4.14.4; WHATWG HTML, section 9.2.6). */
const fields: readonly string[] = ['data', 'event', 'id', 'retry'];
/** Those that tell an event from a record. */
const telling: readonly string[] = ['data', 'event', 'retry'];

/**
 * The schema of the events of a media type: `itemSchema`, or, before OpenAPI 3.2, the schema of the
 * whole, which describes a list of them or one. Undefined if it describes no event.
 */
export function eventSchemaOf({ schema, itemSchema }: MediaTypeSpec): EventSchema | undefined {
  const own = itemSchema ?? (schema && itemOf(schema));
  if (own === undefined || own.flatten().types.join() === 'string') return undefined;
  const { properties, required } = objectMembers(own);
  const names = [...properties.keys()];
  const isEvent =
    (names.length === 0 || names.some((name) => telling.includes(name))) &&
    [...required].every((name) => fields.includes(name));
  return { schema: own, describes: isEvent ? 'event' : 'data' };
}

function itemOf(schema: Schema): Schema {
  const { types, items } = schema.flatten();
  return types.includes('array') && items !== undefined ? schema.part(items) : schema;
}

/** An issue of an event, and the event with its `data` as JSON where the issue is in there. */
export interface EventIssue {
  readonly issue: SchemaIssue;
  readonly value: JsonValue;
}

/** The issues of one event. An event whose `data` is no JSON, such as `[DONE]`, is no other one. */
export function judgeEvent(
  { schema, describes }: EventSchema,
  event: JsonValue,
  budget: WorkBudget,
): readonly EventIssue[] {
  if (describes === 'data') {
    const value = dataOf(event);
    return value === undefined ? [] : issuesOf(schema, value, value, budget);
  }
  const typed = withRetry(event, schema);
  const issues = issuesOf(schema, typed, typed, budget);
  return issues.length > 0 ? issues : judgeContent(contentsOf(schema, typed), typed, budget);
}

function issuesOf(
  schema: Schema,
  value: JsonValue,
  shown: JsonValue,
  budget: WorkBudget,
  at = '',
): EventIssue[] {
  return schema
    .validate(value, 'response', budget)
    .map((issue) => ({ issue: { ...issue, at: at + issue.at }, value: shown }));
}

/** The JSON in the `data` of an event; undefined if it is none. */
function dataOf(event: JsonValue): JsonValue | undefined {
  const data = memberOf(event, 'data');
  const reading = typeof data === 'string' ? parseJson(data) : undefined;
  return reading?.ok === true ? reading.value : undefined;
}

/** `retry` is a number, and a text for a schema that says so. */
function withRetry(event: JsonValue, schema: Schema): JsonValue {
  const place = objectMembers(schema).properties.get('retry');
  if (place === undefined || !isJsonObject(event) || event['retry'] === undefined) return event;
  const { types } = schema.flatten(place);
  return types.join() === 'string' ? { ...event, retry: String(event['retry']) } : event;
}

/** What a schema says of the content of `data` (JSON Schema 2020-12, validation, section 8.4). */
interface Content {
  readonly pointer: Pointer;
  readonly schema: Schema | undefined;
}

/**
 * The contents that an event may have: by the schema itself, or by those of its alternatives that
 * the event conforms to. `undefined` stands for an alternative that allows any.
 */
function contentsOf(schema: Schema, event: JsonValue, depth = 0): readonly (Content | undefined)[] {
  const { node, pointer, properties } = schema.flatten();
  const place = properties.get('data');
  const own = place && contentAt(schema.part(place));
  if (own !== undefined) return [own];
  const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
  const branches = node[keyword];
  if (!Array.isArray(branches) || depth > deepest) return [undefined];
  return (branches as readonly SchemaNode[])
    .map((branch, index) =>
      schema.part(schema.follow({ node: branch, pointer: joinPointer(pointer, keyword, index) })),
    )
    .filter((branch) => branch.validate(event, 'response').length === 0)
    .flatMap((branch) => contentsOf(branch, event, depth + 1));
}

const deepest = 4;

function contentAt(data: Schema): Content | undefined {
  const { node, pointer } = data.flatten();
  const type = node['contentMediaType'];
  if (typeof type !== 'string' || !isJsonMediaType(type)) return undefined;
  const inside = node['contentSchema'] as SchemaNode | undefined;
  const at = joinPointer(pointer, 'contentSchema');
  return {
    pointer: joinPointer(pointer, 'contentMediaType'),
    schema:
      inside === undefined ? undefined : data.part(data.follow({ node: inside, pointer: at })),
  };
}

/** The issues of the first content, if the `data` is none of them. */
function judgeContent(
  contents: readonly (Content | undefined)[],
  event: JsonValue,
  budget: WorkBudget,
): readonly EventIssue[] {
  if (!isJsonObject(event) || contents.length === 0 || contents.includes(undefined)) return [];
  const value = dataOf(event);
  const found = contents.map((content) => {
    if (content === undefined) return [];
    if (value === undefined) return [noJson(content, event)];
    const shown = { ...event, data: value };
    return content.schema === undefined
      ? []
      : issuesOf(content.schema, value, shown, budget, '/data');
  });
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}

function noJson({ pointer }: Content, event: JsonValue): EventIssue {
  const message = 'must be JSON, and is not';
  return { issue: { at: '/data', keyword: 'contentMediaType', pointer, message }, value: event };
}
