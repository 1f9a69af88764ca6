import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { LocatedNode, SchemaIssue, SchemaNode, SchemaObject } from '../model.ts';
import type { LocatedError } from './schema-compiler.ts';
import { isWithin } from './schema-issue.ts';

/** Judges a value by one alternative. */
export type ValidateBranch = (branch: LocatedNode, value: JsonValue) => readonly SchemaIssue[];

/**
 * The issues of a value that matches no alternative, judged by the schema's discriminator (OpenAPI
 * 3.1, section 4.8.25): the value names no alternative, or it breaks rules of the one that it
 * names. Undefined if the schema has no discriminator, or the discriminator does not explain the
 * failure.
 */
export function discriminatorIssues(
  node: SchemaObject,
  { error, pointer }: LocatedError,
  judge: ValidateBranch,
): SchemaIssue[] | undefined {
  const property = isJsonObject(node['discriminator'])
    ? node['discriminator']['propertyName']
    : undefined;
  // Ajv is given nothing but JSON values.
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
 * The alternatives by the values that name them: the keys of the mapping, else the names of their
 * schemas.
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
  // Branches that refer to further choices look like branches of those too. The outermost, which
  // Ajv reports last, is kept.
  return distinct(kept.length === 0 ? composites.slice(-1) : kept);
}

/** A composite that failed, where its branches stand, and whether any of them is a reference. */
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
  // A branch that is a `$ref` breaks rules that stand elsewhere: outside the composite's own schema
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
    const name = `${error.instancePath} ${pointer} ${error.keyword} ${paramsOf(error)}`;
    return seen.has(name) ? false : seen.add(name) !== undefined;
  });
}

/**
 * Distinguishes two errors of one keyword at one place. An enumeration has only one, and its
 * parameters may be long.
 */
function paramsOf({ keyword, params }: LocatedError['error']): string {
  return keyword === 'enum' || keyword === 'const' ? '' : JSON.stringify(params);
}
