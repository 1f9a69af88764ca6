import { addressText } from '../../../contract/infer/address-members.ts';
import { plainPath } from '../../../contract/infer/conventions/path-styles.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../record-fields.ts';

/**
 * The full names of the records of a resource, as the pattern of their identifier shows them:
 * `^depots/[^/]+$` of `/v1/depots/{depot}` is `depots/{depot}` (Google AIP-122). Undefined where
 * the identifier is what the path holds.
 */
const templateOf = oncePerResource(({ kind, itemPath, record, identifier }: Resource) => {
  const node = fieldsOf(record).get(identifier.field)?.flat.node;
  const text = node && addressText(node);
  if (kind !== 'collection' || itemPath === undefined || text === undefined) return undefined;
  if (readAddress(itemPath, text) === undefined) return undefined;
  const length = text.split('/').length;
  const whole = plainPath(itemPath).split('/').slice(1);
  return whole.length < length ? undefined : whole.slice(-length);
});

/** Whether identifiers are full names, of which the path holds the last part only. */
export function hasFullNames(resource: Resource): boolean {
  return templateOf(resource) !== undefined;
}

/** An identifier as the record has it, below parents as texts, outermost first. */
export function writeName(
  resource: Resource,
  id: JsonValue,
  parents: readonly string[],
): JsonValue {
  const template = templateOf(resource);
  if (template === undefined) return id;
  const values = [...parents, keyOf(resource, id)];
  const count = template.filter(isParameter).length;
  const filled = values.slice(-count);
  return template
    .map((segment) => (isParameter(segment) ? (filled.shift() ?? segment) : segment))
    .join('/');
}

/** The identifier as text for the store and for paths: of a full name, its last part. */
export function keyOf(resource: Resource, id: JsonValue): string {
  const text = typeof id === 'string' ? id : String(id);
  return hasFullNames(resource) ? text.slice(text.lastIndexOf('/') + 1) : text;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
