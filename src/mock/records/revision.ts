import type { JsonValue } from '../../json/value.ts';
import { entityTag } from '../conditions/conditional-requests.ts';
import { toInteger } from './known-values.ts';
import type { SchemaField } from './schema-fields.ts';

const counted = /^(version|versionnumber|lockversion|revision|revisionnumber|rev)$/;
const tagged = /^(etag|entitytag|rev|revision)$/;

/** The revision that a new record begins with, where a field of the service's counts them. */
export function firstRevision(field: SchemaField): JsonValue | undefined {
  if (!field.readOnly || !isCounted(field)) return undefined;
  const first = field.flat.node.minimum ?? 1;
  return first > 1 ? first : 1;
}

/**
 * What a field of the service's that tells the states of a record apart holds after a change;
 * undefined where it is none, or could not hold it.
 */
export function nextRevision(
  field: SchemaField,
  before: JsonValue,
  change: string,
): JsonValue | undefined {
  const next = field.readOnly ? successor(field, before, change) : undefined;
  return next === undefined || field.schema.validate(next, 'response').length > 0
    ? undefined
    : next;
}

function successor(field: SchemaField, before: JsonValue, change: string): JsonValue | undefined {
  if (typeof before === 'string') return isTagged(field) ? tagLike(before, change) : undefined;
  const isWhole = typeof before === 'bigint' || Number.isSafeInteger(before);
  // `isSafeInteger` does not tell the compiler that it is a number.
  return isWhole && isCounted(field)
    ? toInteger(BigInt(before as number | bigint) + 1n)
    : undefined;
}

function isCounted({ normalised, flat }: SchemaField): boolean {
  return (
    counted.test(normalised) &&
    flat.types.includes('integer') &&
    flat.node.enum === undefined &&
    flat.node.const === undefined
  );
}

function isTagged({ normalised, flat }: SchemaField): boolean {
  return (
    tagged.test(normalised) &&
    flat.types.includes('string') &&
    flat.node.enum === undefined &&
    flat.node.format === undefined
  );
}

/** A new tag in the form of the one before: in quotes, weak, or plain. */
function tagLike(before: string, change: string): string {
  const tag = entityTag(`${before} ${change}`);
  return before.startsWith('W/"') ? `W/"${tag}"` : before.startsWith('"') ? `"${tag}"` : tag;
}
