import type { Schema, SchemaIssue } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { Site } from './build-value.ts';
import { requiredOf } from './view-keywords.ts';
import { viewOf } from './view.ts';

/**
 * Where a value matches several branches of a `oneOf`: an optional member that another branch than
 * the one meant requires. Without it, that branch no longer matches.
 */
export function rivalMember(
  issue: SchemaIssue,
  sites: ReadonlyMap<Pointer, Site>,
  schema: Schema,
): Site | undefined {
  const site = sites.get(issue.at);
  const group = site?.view.groups.find(({ pointer }) => pointer === issue.pointer);
  if (site === undefined || group === undefined || issue.keyword !== 'oneOf') return undefined;
  const others = group.branches.filter(
    (_branch, index) => index !== site.view.taken.get(group.pointer),
  );
  const names = others.flatMap((branch) => [...requiredOf(viewOf(schema, branch)).keys()]);
  return names
    .map((name) => sites.get(joinPointer(issue.at, name)))
    .findLast((member) => member?.optional === true);
}
