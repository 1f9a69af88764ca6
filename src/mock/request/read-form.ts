import type { Schema } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { decodeQueryPercent } from '../../http/percent.ts';
import { splitQuery } from '../../http/query.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { nameParameter } from '../errors/describe-issue.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { fieldsOf } from '../records/schema-fields.ts';

/** A form as read, or why it cannot be. */
export type FormReading = { readonly kind: 'form'; readonly value: JsonObject } | Fault;

/**
 * Reads `application/x-www-form-urlencoded` by the properties of its schema, each in the style `form`, exploded (OpenAPI 3.1,
 * section 4.8.15). A field that the schema does not name stays a text.
 */
export function readForm(text: string, schema: Schema | undefined): FormReading {
  const pairs = splitQuery(text);
  const members = new Map<string, JsonValue>();
  for (const [rawName, rawValue] of pairs) {
    const [name, value] = [decodeQueryPercent(rawName), decodeQueryPercent(rawValue)];
    if (name === undefined || value === undefined) return unreadable('The form in the body holds a broken percent-escape.');
    members.set(name, value);
  }
  for (const { name, schema: part } of schema === undefined ? [] : fieldsOf(schema).values()) {
    const form = { name, in: 'query', style: 'form', explode: true, allowReserved: false, allowEmptyValue: false, schema: part } as const;
    const reading = decodeParameter(form, { path: new Map(), rawQuery: text, headers: [] });
    if (reading.kind === 'unreadable') return unreadable(`${nameParameter({ place: 'body', name })} ${reading.message}.`);
    if (reading.kind === 'value' && members.has(name)) members.set(name, reading.value);
  }
  return { kind: 'form', value: Object.fromEntries(members) };
}

function unreadable(message: string): Fault {
  return makeFault('body-value', 'invalid_value', message);
}
