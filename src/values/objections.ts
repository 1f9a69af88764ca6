import type { SchemaIssue } from '../contract/model.ts';
import { valueAt } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { ValueBuilder } from './build-value.ts';

const deepestRefinement = 4;
const branchKeywords = ['oneOf', 'anyOf', 'if', 'then', 'else'];
const sizeKeywords = ['minItems', 'maxItems', 'minProperties', 'maxProperties'];

/**
 * What the schema objects to in a value that was just built, but for the size of a place that is
 * kept to a size.
 */
export function objectionsTo(value: JsonValue, builder: ValueBuilder): SchemaIssue[] {
  const { schema, direction } = builder.orders;
  const issues = schema
    .validate(value, direction)
    .flatMap((issue) => refine(issue, { value, builder, depth: 0 }));
  return issues.filter(
    ({ at, keyword }) => !(sizeKeywords.includes(keyword) && builder.sizeAt(at) !== undefined),
  );
}

interface Refinement {
  readonly value: JsonValue;
  readonly builder: ValueBuilder;
  readonly depth: number;
}

/**
 * An objection of `oneOf` or `anyOf` names no member: what the branch that was meant objects to is
 * more to the point.
 */
function refine(issue: SchemaIssue, { value, builder, depth }: Refinement): SchemaIssue[] {
  const site = builder.sites.get(issue.at);
  const part = valueAt(value, issue.at);
  if (
    site === undefined ||
    part === undefined ||
    depth > deepestRefinement ||
    !branchKeywords.includes(issue.keyword)
  )
    return [issue];
  const { schema, direction } = builder.orders;
  const branches = site.view.rules.filter(({ pointer }) =>
    site.view.groups.some((group) => pointer.startsWith(`${group.pointer}/`)),
  );
  const inner = branches
    .flatMap((branch) => schema.part(branch).validate(part, direction))
    .map((found) => ({ ...found, at: issue.at + found.at }));
  return inner.length === 0
    ? [issue]
    : inner.flatMap((found) => refine(found, { value, builder, depth: depth + 1 }));
}
