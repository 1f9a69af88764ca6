import type { Parameter } from '../../../contract/model.ts';
import type { ValueResult } from '../../../values/value-result.ts';
import { bodyCodings } from '../../request/write-body.ts';

/**
 * The value of a header that hangs on something besides its schema; undefined for all other
 * parameters.
 */
export function boundHeader({ in: place, name, schema }: Parameter): ValueResult | undefined {
  const read = place === 'header' ? headers.get(name.toLowerCase()) : undefined;
  return read?.(schema);
}

const headers: ReadonlyMap<string, (schema: Parameter['schema']) => ValueResult | undefined> =
  new Map([
    ['content-encoding', plainCoding],
    ['if-match', anyState],
  ]);

/** A header that says how the body is coded is only valid beside a body that is. */
function plainCoding(schema: Parameter['schema']): ValueResult {
  const value = bodyCodings.find((coding) => schema.accepts(coding, 'request'));
  return value === undefined
    ? { ok: false, reason: `bodies can be sent as ${bodyCodings.join(', ')}` }
    : { ok: true, value };
}

/**
 * Any other value names a state that the record may not be in; `*` is kept by whatever state there
 * is (RFC 9110, section 13.1.1).
 */
function anyState(schema: Parameter['schema']): ValueResult | undefined {
  return schema.accepts('*', 'request') ? { ok: true, value: '*' } : undefined;
}
