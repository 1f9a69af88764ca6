import { joinPointer, type Pointer, isWithin } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../../json/value.ts';
import type { LocatedNode, SchemaIssue, SchemaNode, SchemaObject } from '../model.ts';
import { standardName } from './keywords-and-formats.ts';
import type { LocatedError } from './schema-compiler.ts';

/** One Ajv error as a readable issue: where in the value, which keyword, where in the contract. */
export function toIssue({ error, pointer }: LocatedError): SchemaIssue {
  const keyword = keywordOf(error.keyword);
  const property = propertyOf(error.params);
  const issue: SchemaIssue = {
    at: error.instancePath,
    keyword,
    pointer:
      keyword === 'writeOnly' ? joinPointer(pointer, 'properties') : joinPointer(pointer, keyword),
    // The value of a keyword comes from the document, so it is JSON.
    message:
      sentences[keyword]?.(error.schema as JsonValue, property, error.data) ??
      `must satisfy ${keyword}`,
  };
  if (Array.isArray(error.params['passingSchemas']))
    return { ...issue, message: issue.message.replace(/none$/, 'several'), several: true };
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
  const: (expected) => `must be ${textOf(expected)}`,
  required: (_expected, property) => `must have the property ${property ?? ''}`,
  additionalProperties: (_expected, property) =>
    `must not have the property ${property ?? ''}, which the contract does not name`,
  unevaluatedProperties: (_expected, property) =>
    `must not have the property ${property ?? ''}, which the contract does not name`,
  writeOnly: (expected) =>
    `must not show ${(expected as string[]).join(', ')}, which the contract marks writeOnly`,
  minimum: (expected) => `must be ${textOf(expected)} or more`,
  maximum: (expected) => `must be ${textOf(expected)} or less`,
  exclusiveMinimum: (expected) => `must be more than ${textOf(expected)}`,
  exclusiveMaximum: (expected) => `must be less than ${textOf(expected)}`,
  multipleOf: (expected) => `must be a multiple of ${textOf(expected)}`,
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
    `but is ${nameType(value)} that matches none`,
  anyOf: (expected) =>
    `must match one of the ${String((expected as JsonValue[]).length)} alternatives`,
  not: () => 'must not be present, or must not match the schema under `not`',
};

function anyOf(words: readonly string[]): string {
  return words.length > 1 ? `one of ${words.join(', ')}` : (words[0] ?? 'nothing');
}

/** At most this many values of an enumeration are listed. */
const maxShownValues = 100;

function anyOfValues(values: readonly JsonValue[]): string {
  if (values.length <= maxShownValues) return anyOf(values.map(textOf));
  const more = String(values.length - maxShownValues);
  return `${anyOf(values.slice(0, maxShownValues).map(textOf))} or ${more} others`;
}

function count(expected: JsonValue, noun: string): string {
  const plural = noun === 'property' ? 'properties' : `${noun}s`;
  return `${textOf(expected)} ${expected === 1 ? noun : plural}`;
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

/** Validates a value by one alternative. */
export type ValidateBranch = (branch: LocatedNode, value: JsonValue) => readonly SchemaIssue[];

/**
 * The issues of a value that matches no alternative, by the schema's discriminator (OpenAPI 3.1,
 * section 4.8.25): the value names no alternative, or it violates the one that it names. Undefined
 * if the schema has no discriminator, or the discriminator does not explain the failure.
 */
export function discriminatorIssues(
  node: SchemaObject,
  { error, pointer }: LocatedError,
  judge: ValidateBranch,
): SchemaIssue[] | undefined {
  const property = isJsonObject(node['discriminator'])
    ? node['discriminator']['propertyName']
    : undefined;
  // Ajv receives only JSON values.
  const value = error.data as JsonValue;
  if (typeof property !== 'string' || !isJsonObject(value)) return undefined;
  const place = { pointer: joinPointer(pointer, 'discriminator'), property };
  if (!Object.hasOwn(value, property))
    return [
      {
        ...place,
        at: error.instancePath,
        keyword: 'required',
        message: `must have the property ${property}`,
      },
    ];
  const branches = namedBranches(node, { keyword: error.keyword, pointer });
  const branch = branches.get(String(value[property]));
  if (branch === undefined)
    return [
      {
        at: joinPointer(error.instancePath, property),
        keyword: 'enum',
        pointer: place.pointer,
        message: `must be one of ${[...branches.keys()].join(', ')}`,
      },
    ];
  const issues = judge(branch, value).map((issue) => ({
    ...issue,
    at: error.instancePath + issue.at,
  }));
  return issues.length === 0 ? undefined : issues;
}

/**
 * The issues of a value by the only alternative to null, as generators write what may be absent:
 * `anyOf: [{ $ref: … }, { type: 'null' }]`. Undefined if there are several, or the value is null.
 */
export function nullableIssues(
  node: SchemaObject,
  { error, pointer }: LocatedError,
  judge: ValidateBranch,
): SchemaIssue[] | undefined {
  const branches = (node[error.keyword] ?? []) as readonly SchemaNode[];
  const others = [...branches.entries()].filter(([, branch]) => !isNull(branch));
  const [first] = others;
  if (first === undefined || others.length > 1 || branches.length < 2 || error.data === null)
    return undefined;
  const [index, branch] = first;
  const place = { node: branch, pointer: joinPointer(pointer, error.keyword, index) };
  // Ajv receives only JSON values.
  const issues = judge(place, error.data as JsonValue).map((issue) => ({
    ...issue,
    at: error.instancePath + issue.at,
  }));
  return issues.length === 0 ? undefined : issues;
}

function isNull(branch: SchemaNode): boolean {
  return typeof branch === 'object' && (branch.type === 'null' || branch.const === null);
}

/**
 * The alternatives by the values that name them: the keys of the mapping, otherwise the names of
 * their schemas.
 */
function namedBranches(
  node: SchemaObject,
  { keyword, pointer }: { readonly keyword: string; readonly pointer: string },
): Map<string, LocatedNode> {
  const mapping = Object.entries((node['discriminator'] as JsonObject)['mapping'] ?? {});
  const branches = (node[keyword] ?? []) as readonly SchemaNode[];
  return new Map(
    branches.flatMap((branch, index): [string, LocatedNode][] => {
      const reference = typeof branch === 'object' ? branch.$ref : undefined;
      if (reference === undefined) return [];
      const name = reference.slice(reference.lastIndexOf('/') + 1);
      const keys = mapping
        .filter(([, target]) => target === reference || target === name)
        .map(([key]) => key);
      return (keys.length === 0 ? [name] : keys).map((key) => [
        key,
        { node: branch, pointer: joinPointer(pointer, keyword, index) },
      ]);
    }),
  );
}

/**
 * Ajv reports a failed `oneOf` or `anyOf` together with the errors of each branch. Drops the errors
 * of the branches, which are identified by their place in the contract.
 */
export function dropBranchErrors(errors: readonly LocatedError[]): readonly LocatedError[] {
  if (errors.length < 2) return errors;
  const composites = errors.filter(
    ({ error }) => error.keyword === 'oneOf' || error.keyword === 'anyOf',
  );
  if (composites.length === 0) return distinct(errors);
  const branches = composites.map((composite) => ({
    composite,
    own: joinPointer(composite.pointer, composite.error.keyword),
    refers: hasReferences(composite.error.schema),
  }));
  const kept = errors.filter(
    (candidate) => !branches.some((branch) => isOfBranch(candidate, branch)),
  );
  // Branches that refer to further choices look like branches of those too. Keeps the outermost,
  // which Ajv reports last.
  return distinct(kept.length === 0 ? composites.slice(-1) : kept);
}

/** A failed composite, the places of its branches, and whether any of them is a reference. */
interface Branches {
  readonly composite: LocatedError;
  readonly own: Pointer;
  readonly refers: boolean;
}

function isOfBranch(candidate: LocatedError, { composite, own, refers }: Branches): boolean {
  if (
    candidate === composite ||
    !isWithin(candidate.error.instancePath, composite.error.instancePath)
  )
    return false;
  if (isWithin(candidate.pointer, own)) return true;
  // A branch that is a `$ref` violates rules at another place: outside the composite's own schema
  // object.
  return refers && !isWithin(candidate.pointer, composite.pointer);
}

function hasReferences(branches: unknown): boolean {
  return (
    Array.isArray(branches) &&
    branches.some((branch) => typeof branch === 'object' && branch !== null && '$ref' in branch)
  );
}

function distinct(errors: readonly LocatedError[]): readonly LocatedError[] {
  const seen = new Set<string>();
  return errors.filter(({ error, pointer }) => {
    const { instancePath, keyword, params } = error;
    // An enumeration has one error at a place, and its parameters may be long.
    const more = keyword === 'enum' || keyword === 'const' ? '' : JSON.stringify(params);
    const name = `${instancePath} ${pointer} ${keyword} ${more}`;
    return seen.has(name) ? false : seen.add(name) !== undefined;
  });
}
