import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { standardName } from './exact-keywords.ts';
import type { SchemaIssue } from '../model.ts';
import type { LocatedError } from './schema-compiler.ts';

/**
 * One Ajv error as an issue that a person can read: where in the value, which keyword, where in the
 * contract.
 */
export function toIssue({ error, pointer }: LocatedError): SchemaIssue {
  const keyword = keywordOf(error.keyword);
  const property = propertyOf(error.params);
  const issue: SchemaIssue = {
    at: error.instancePath,
    keyword,
    pointer:
      keyword === 'writeOnly' ? joinPointer(pointer, 'properties') : joinPointer(pointer, keyword),
    // What stands at a keyword comes from the document, so it is JSON.
    message: describe(keyword, error.schema as JsonValue, property, error.data),
  };
  return property === undefined ? issue : { ...issue, property };
}

function keywordOf(keyword: string): string {
  if (keyword === 'exactFormat') return 'format';
  if (keyword === 'writeOnlyAbsent') return 'writeOnly';
  return standardName(keyword);
}

function propertyOf(params: Record<string, unknown>): string | undefined {
  const name =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName'];
  return typeof name === 'string' ? name : undefined;
}

const tooManyItems = 'must have no more items than the contract lists';

type Describe = (expected: JsonValue, property: string | undefined, value: unknown) => string;

const sentences: Readonly<Record<string, Describe>> = {
  type: (expected, _property, value) =>
    `must be ${anyOf([expected].flat().map((type) => withArticle(String(type))))}, ` +
    `but is ${nameType(value)}`,
  enum: (expected) => `must be ${anyOfValues(expected as JsonValue[])}`,
  const: (expected) => `must be ${show(expected)}`,
  required: (_expected, property) => `must have the property ${property ?? ''}`,
  additionalProperties: (_expected, property) =>
    `must not have the property ${property ?? ''}, which the contract does not name`,
  unevaluatedProperties: (_expected, property) =>
    `must not have the property ${property ?? ''}, which the contract does not name`,
  writeOnly: (expected) =>
    `must not show ${(expected as string[]).join(', ')}, which the contract marks writeOnly`,
  minimum: (expected) => `must be ${show(expected)} or more`,
  maximum: (expected) => `must be ${show(expected)} or less`,
  exclusiveMinimum: (expected) => `must be more than ${show(expected)}`,
  exclusiveMaximum: (expected) => `must be less than ${show(expected)}`,
  multipleOf: (expected) => `must be a multiple of ${show(expected)}`,
  minLength: (expected) => `must have ${count(expected, 'character')} or more`,
  maxLength: (expected) => `must have ${count(expected, 'character')} or fewer`,
  pattern: (expected) => `must match the pattern ${String(expected)}`,
  format: (expected) => `must have the format ${String(expected)}`,
  minItems: (expected) => `must have ${count(expected, 'item')} or more`,
  maxItems: (expected) => `must have ${count(expected, 'item')} or fewer`,
  items: () => tooManyItems,
  additionalItems: () => tooManyItems,
  unevaluatedItems: () => tooManyItems,
  contains: () => 'must have as many items matching `contains` as the contract requires',
  uniqueItems: () => 'must not have the same item twice',
  minProperties: (expected) => `must have ${count(expected, 'property')} or more`,
  maxProperties: (expected) => `must have ${count(expected, 'property')} or fewer`,
  propertyNames: (_expected, property) =>
    `must not have the property ${property ?? ''}, because of its name`,
  dependentRequired: (_expected, property) =>
    `must have the property ${property ?? ''}, which another of its properties requires`,
  if: () => 'must match the `then` or `else` schema that its `if` selects',
  oneOf: (expected, _property, value) =>
    `must match exactly one of the ${String((expected as JsonValue[]).length)} alternatives, ` +
    `but is ${nameType(value)} that matches none or several`,
  anyOf: (expected) =>
    `must match one of the ${String((expected as JsonValue[]).length)} alternatives`,
  not: () => 'must not be present, or must not match the schema under `not`',
};

function describe(
  keyword: string,
  expected: JsonValue,
  property: string | undefined,
  value: unknown,
): string {
  return sentences[keyword]?.(expected, property, value) ?? `must satisfy ${keyword}`;
}

function anyOf(words: readonly string[]): string {
  return words.length > 1 ? `one of ${words.join(', ')}` : (words[0] ?? 'nothing');
}

/** So many values of an enumeration are written out. */
const maxShownValues = 100;

function anyOfValues(values: readonly JsonValue[]): string {
  if (values.length <= maxShownValues) return anyOf(values.map(show));
  const more = String(values.length - maxShownValues);
  return `${anyOf(values.slice(0, maxShownValues).map(show))} or ${more} others`;
}

function show(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

function count(expected: JsonValue, noun: string): string {
  const plural = noun === 'property' ? 'properties' : `${noun}s`;
  return `${show(expected)} ${expected === 1 ? noun : plural}`;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return `${'aeio'.includes(type[0] ?? ' ') ? 'an' : 'a'} ${type}`;
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'bigint') return 'an integer';
  return withArticle(Number.isInteger(value) ? 'integer' : typeof value);
}

/** Whether a pointer is another one, or stands below it. */
export function isWithin(pointer: Pointer, ancestor: Pointer): boolean {
  return (
    pointer.startsWith(ancestor) &&
    (pointer.length === ancestor.length || pointer[ancestor.length] === '/')
  );
}
