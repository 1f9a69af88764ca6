import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { LocatedError } from './schema-compiler.ts';
import { isWithin } from './schema-issue.ts';

/**
 * Ajv reports a failed `oneOf` or `anyOf` and, before it, what each branch disliked. A reader wants
 * the one that failed: errors of the branches are dropped, told apart by where they stand in the
 * contract.
 */
export function withoutBranches(errors: readonly LocatedError[]): readonly LocatedError[] {
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
  // Branches that refer to further choices look like branches of those too. What failed is told:
  // the outermost, which Ajv names last.
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
 * What tells two errors of one keyword at one place apart. An enumeration has only one, and may be
 * long.
 */
function paramsOf({ keyword, params }: LocatedError['error']): string {
  return keyword === 'enum' || keyword === 'const' ? '' : JSON.stringify(params);
}
