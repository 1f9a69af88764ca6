import { makeOwn } from '../callbacks/known-members.ts';
import type { Schema, SchemaIssue } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere } from '../../json/value.ts';
import { plainValue, type ValueResult } from '../../values/plain-value.ts';
import { sampleContent } from '../../values/sample-content.ts';
import type { AnswerContent, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { SchemaField } from '../records/record-fields.ts';
import { fieldsOf, isIdentifierName, onlyValue } from '../records/record-fields.ts';
import { namePattern } from '../../contract/infer/infer-names.ts';

/** A valid body, or why there is none. */
export type Generated = { readonly kind: 'body'; readonly value: JsonValue } | Fault;

/** The number of items in a generated sequence. */
const itemsOfSequence = 3;

/**
 * A body for a response without a stored record: the contract's example, otherwise a generated
 * value. Fields with the names of request fields have their values, and a created object has a new
 * identifier and timestamp. `given` has further known values by name. The result is valid under the
 * schema.
 */
export function generateBody(
  content: AnswerContent,
  request: ValidRequest,
  given: JsonObject = {},
): Generated {
  const { schema } = content;
  const base = chooseBase(content, request);
  if (base.kind === 'fault' || schema === undefined || !isJsonObject(base.value)) return base;
  const fields = fieldsOf(schema);
  const named = membersWhere(given, (name) => fields.has(name));
  return {
    kind: 'body',
    value: nameInside(
      schema,
      overlay(schema, base.value, { ...membersToTell(schema, request), ...named }),
      request,
    ),
  };
}

/** The record in the response has the requested identifier, also within an envelope. */
function nameInside(
  schema: Schema,
  body: JsonObject,
  { plan: { role, recordParameter }, parameters }: ValidRequest,
): JsonObject {
  const field = role?.resource.identifier.field;
  const id = recordParameter === undefined ? undefined : parameters.get(`path ${recordParameter}`);
  if (
    role?.action !== 'read' ||
    field === undefined ||
    id === undefined ||
    fieldsOf(schema).has(field)
  )
    return body;
  const around = [...fieldsOf(schema).values()].find((member) =>
    fieldsOf(member.schema).has(field),
  );
  const inside = around && body[around.name];
  return around !== undefined && isJsonObject(inside)
    ? overlay(schema, body, { [around.name]: { ...inside, [field]: id } })
    : body;
}

function chooseBase(content: AnswerContent, request: ValidRequest): Generated {
  const { schema, itemSchema, examples } = content;
  const example =
    request.sampler !== undefined
      ? undefined
      : examples.find(({ value }) => judgeContent(value, content).length === 0);
  if (example !== undefined) return { kind: 'body', value: example.value };
  const sample = sampleFor(content);
  if (sample !== undefined) return { kind: 'body', value: sample };
  if (itemSchema !== undefined) return makeItems(itemSchema, request);
  return schema === undefined
    ? { kind: 'body', value: {} }
    : asGenerated(makeValue(schema, request, request.requestSeed()));
}

/** Media types with a fixed format, regardless of their schema. */
const always = namePattern(
  '^(image|audio|video|font)/',
  '^text/(html|css|javascript|calendar|vcard)$',
  '^application/(pdf|zip|gzip|javascript|xhtml\\+xml)$',
);

/**
 * A sample such as a picture or a page, which is better than a generated text. Plain text is
 * generated from its schema if it has one.
 */
function sampleFor(content: AnswerContent): string | undefined {
  const { form, schema, itemSchema, mediaType } = content;
  if (form === 'json' || itemSchema !== undefined) return undefined;
  const essence = parseMediaType(mediaType)?.essence ?? '';
  const isText = schema?.flatten().types.includes('string') ?? true;
  if (schema !== undefined && (essence === 'text/plain' || !(isText || always.test(essence))))
    return undefined;
  const sample =
    sampleContent(essence) ??
    sampleContent(form === 'binary' ? 'application/octet-stream' : 'text/plain');
  return sample === undefined || judgeContent(sample, content).length > 0 ? undefined : sample;
}

function makeItems(schema: Schema, request: ValidRequest): Generated {
  const items: JsonValue[] = [];
  for (let index = 0; index < itemsOfSequence; index += 1) {
    const made = asGenerated(
      makeValue(schema, request, `${request.requestSeed()} ${String(index)}`),
    );
    if (made.kind === 'fault') return made;
    items.push(made.value);
  }
  return { kind: 'body', value: items };
}

/** A value of the schema that conforms to the contract's rules, if one is found. */
export function makeValue(
  schema: Schema,
  {
    sampler,
    plan: {
      contract: { rules },
    },
  }: ValidRequest,
  seed: string,
): ValueResult {
  const maker = sampler?.sampleValue ?? plainValue;
  let made = maker(schema, { seed, direction: 'response' });
  for (let attempt = 1; made.ok && rules.all.length > 0; attempt += 1) {
    const { value, broken } = rules.settle(schema, made.value);
    made = { ...made, value };
    if (broken.length === 0 || attempt === maxAttempts) break;
    made = maker(schema, { seed: `${seed} ${String(attempt)}`, direction: 'response' });
  }
  return made;
}

const maxAttempts = 20;

function asGenerated(made: ValueResult): Generated {
  return made.ok ? { kind: 'body', value: made.value } : impossible(made.reason);
}

/** The error if no valid value can be made: the mock does not violate the contract. */
export function impossible(
  reason: string,
  hint = 'Give the contract an example here, or the mock an assumption.',
): Fault {
  return makeFault(
    'impossible',
    'not_implemented',
    `The mock cannot create this response: ${reason}. ${hint}`,
  );
}

/** Sets members one by one, and keeps each only if the schema allows it. */
function overlay(schema: Schema, base: JsonObject, members: JsonObject): JsonObject {
  const whole = { ...base, ...members };
  if (schema.validate(whole, 'response').length === 0) return whole;
  let value = base;
  for (const [name, member] of Object.entries(members)) {
    const more = { ...value, [name]: member };
    if (schema.validate(more, 'response').length === 0) value = more;
  }
  return value;
}

function membersToTell(schema: Schema, request: ValidRequest): JsonObject {
  const creates = request.plan.operation.method === 'POST';
  const body = bodySchema(request.plan.operation);
  const given = body && fieldsOf(body);
  return Object.fromEntries(
    [...fieldsOf(schema).values()].flatMap((field) => {
      const value = firstDefined(
        () => onlyValue(field),
        () => echo(field, request),
        () => (creates ? given?.get(field.name)?.flat.node.default : undefined),
        () => (creates ? makeOwn(field, request) : undefined),
      );
      return value === undefined || field.writeOnly ? [] : [[field.name, value] as const];
    }),
  );
}

/**
 * The value of a field in the request: a member of its body, otherwise a parameter with that name.
 */
function echo(field: SchemaField, { body, parameters, plan }: ValidRequest): JsonValue | undefined {
  // What the service sets is not taken from a request.
  if (isJsonObject(body) && Object.hasOwn(body, field.name) && !field.readOnly)
    return body[field.name];
  for (const location of ['path', 'query'] as const) {
    const value = parameters.get(`${location} ${field.name}`);
    if (value !== undefined) return value;
  }
  // `/things/{thingId}`: the last parameter is the `id` of the thing.
  const last = /\{([^{}/]+)\}$/.exec(plan.operation.path)?.[1];
  return last !== undefined && isIdentifierName(field) ? parameters.get(`path ${last}`) : undefined;
}

/**
 * Every violation of a response's content. A text that is the whole body, such as an XML example,
 * cannot be validated against the schema of its value.
 */
export function judgeContent(
  value: JsonValue,
  { schema, itemSchema, form }: AnswerContent,
): readonly SchemaIssue[] {
  if (schema !== undefined)
    return isOwnText(value, form) && !schema.flatten().types.includes('string')
      ? []
      : schema.validate(value, 'response');
  if (itemSchema === undefined || isOwnText(value, form)) return [];
  const items = isJsonArray(value) ? value : [value];
  return items.flatMap((item, index) =>
    itemSchema
      .validate(item, 'response')
      .map((issue) => ({ ...issue, at: joinPointer('', index) + issue.at })),
  );
}

function isOwnText(value: JsonValue, form: AnswerContent['form']): boolean {
  return typeof value === 'string' && form !== 'json';
}

/**
 * Evaluates functions in order until one does not return undefined; unlike with `??`, null is a
 * result.
 */
export function firstDefined<Value>(
  ...makers: readonly (() => Value | undefined)[]
): Value | undefined {
  for (const maker of makers) {
    const value = maker();
    if (value !== undefined) return value;
  }
  return undefined;
}
