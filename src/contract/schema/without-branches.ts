import { joinPointer } from '../../json/pointer.ts';
import type { LocatedError } from './schema-compiler.ts';
import { isWithin } from './schema-issue.ts';

/**
 * Ajv reports a failed `oneOf` or `anyOf` and, before it, what each branch disliked. A reader wants the one that failed:
 * errors of the branches are dropped, told apart by where they stand in the contract.
 */
export function withoutBranches(errors: readonly LocatedError[]): readonly LocatedError[] {
  if (errors.length < 2) return errors;
  const composites = errors.filter(({ error }) => error.keyword === 'oneOf' || error.keyword === 'anyOf');
  if (composites.length === 0) return distinct(errors);
  const kept = errors.filter((candidate) => !composites.some((composite) => isOfBranch(candidate, composite)));
  // Branches that refer to further choices look like branches of those too. What failed is told: the outermost, which Ajv names last.
  return distinct(kept.length === 0 ? composites.slice(-1) : kept);
}

function isOfBranch(candidate: LocatedError, composite: LocatedError): boolean {
  if (candidate === composite || !isWithin(candidate.error.instancePath, composite.error.instancePath)) return false;
  const own = joinPointer(composite.pointer, composite.error.keyword);
  if (isWithin(candidate.pointer, own)) return true;
  // A branch that is a `$ref` breaks rules that stand elsewhere: outside the composite's own schema object.
  return !isWithin(candidate.pointer, composite.pointer) && hasReferences(composite.error.schema);
}

function hasReferences(branches: unknown): boolean {
  return Array.isArray(branches) && branches.some((branch) => typeof branch === 'object' && branch !== null && '$ref' in branch);
}

function distinct(errors: readonly LocatedError[]): readonly LocatedError[] {
  const seen = new Set<string>();
  return errors.filter(({ error, pointer }) => {
    const name = `${error.instancePath} ${pointer} ${error.keyword} ${JSON.stringify(error.params)}`;
    return seen.has(name) ? false : seen.add(name) !== undefined;
  });
}
