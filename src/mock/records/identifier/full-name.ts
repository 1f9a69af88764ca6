import { addressText } from '../../../contract/infer/address-members.ts';
import { plainPath } from '../../../contract/infer/conventions/path-styles.ts';
import { readAddress, rewriteAddress } from '../../../contract/infer/read-address.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import type { JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../record-fields.ts';

/** An address of a record, and the segment of it that names the record. */
interface FullName {
  readonly path: string;
  readonly text: string;
  readonly segment: number;
}

/**
 * The form of the full names of a resource's records, as their identifier shows it: `depots/a` of
 * `/v1/depots/{depot}` (Google AIP-122), or `/depots/a`. Undefined where the identifier is what the
 * path holds.
 */
const formOf = oncePerResource(
  ({ kind, itemPath, record, identifier }: Resource): FullName | undefined => {
    const node = fieldsOf(record).get(identifier.field)?.flat.node;
    const text = node && addressText(node);
    if (kind !== 'collection' || itemPath === undefined || text === undefined) return undefined;
    const segment = plainPath(itemPath).split('/').length - 2;
    return readAddress(itemPath, text)?.has(segment) === true
      ? { path: itemPath, text, segment }
      : undefined;
  },
);

/** Whether identifiers are full names, of which the path holds the last part only. */
export function hasFullNames(resource: Resource): boolean {
  return formOf(resource) !== undefined;
}

/** An identifier as the record has it, below parents as texts, outermost first. */
export function writeName(
  resource: Resource,
  id: JsonValue,
  parents: readonly string[],
): JsonValue {
  const form = formOf(resource);
  if (form === undefined) return id;
  const places = plainPath(form.path)
    .split('/')
    .slice(1)
    .flatMap((segment, at) => (segment.startsWith('{') ? [at] : []));
  const values = [...parents, keyOf(resource, id)];
  return rewriteAddress(form.path, form.text, (at) => values[places.indexOf(at)]) ?? id;
}

/** The identifier as text for the store and for paths: of a full name, its last part. */
export function keyOf(resource: Resource, id: JsonValue): string {
  const text = typeof id === 'string' ? id : String(id);
  const form = formOf(resource);
  return form === undefined ? text : (readAddress(form.path, text)?.get(form.segment) ?? text);
}

/** The identifier in the full name that the contract shows as an example; undefined without one. */
export function exampleKey(resource: Resource): string | undefined {
  const form = formOf(resource);
  const node = fieldsOf(resource.record).get(resource.identifier.field)?.flat.node;
  const [example] = node === undefined ? [] : shownBy(node);
  return form === undefined || typeof example !== 'string'
    ? undefined
    : readAddress(form.path, example)?.get(form.segment);
}
