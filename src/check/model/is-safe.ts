import type { Operation, Parameter } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';

/**
 * The safe methods that a run sends (RFC 9110, section 9.2.1; QUERY: draft-ietf-httpbis-safe-
 * method-w-body, section 2). TRACE is none of them.
 */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY'];

/** Whether a method is safe, and so changes nothing. */
export function isSafe({ method }: Pick<Operation, 'method'>): boolean {
  return safeMethods.includes(method);
}

/** Whether the body of a request says what is asked: in a GET it means nothing (section 9.3.1). */
export function readsBody({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'QUERY' || !isSafe({ method });
}

/** 2^53: no service counts beyond it. */
const highest = 9_007_199_254_740_992n;

/**
 * Whether a made-up identifier is one that no record can have: a UUID, a long random text, or an
 * integer beyond every counter. A change may be sent for it without reading the record first.
 */
export function isUnguessable(value: JsonValue): boolean {
  if (typeof value === 'bigint') return value > highest || value < -highest;
  if (typeof value !== 'string') return false;
  return (
    /^missing-\d{6}$/.test(value) ||
    /vouch-[0-9a-f]{6}/.test(value) ||
    /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-|[0-9a-f]{16}/i.test(value)
  );
}

/** Words that services use for all records, or for one that always exists. */
const wildcards = new RegExp(
  '^(all|_all|any|every|everything|me|self|current|latest|last|first|default|root|index|none|' +
    'null)$',
  'i',
);

/**
 * Whether an invalid text in place of an identifier names no record, even if it is read leniently.
 * `05`, `1.5` and `-3` may be read as the number of an existing record; `abc` may not.
 */
export function namesNothing(text: string, { schema }: Parameter): boolean {
  if (wildcards.test(text) || !/^[\w.-]{3,}$/.test(text) || /^\.+$/.test(text)) return false;
  const { types } = schema.flatten();
  const isNumeric = types.some((type) => type === 'integer' || type === 'number');
  return isNumeric ? !/\d/.test(text) || /^-?\d{16,}$/.test(text) : true;
}
