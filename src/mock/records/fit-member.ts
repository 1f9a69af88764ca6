import type { JsonValue } from '../../json/value.ts';
import { typeOf } from '../../values/json-type.ts';
import type { SchemaField } from './schema-fields.ts';

const allTypes = 7;

/**
 * What a record keeps of a member that a request may say in a form which the record's own field cannot have: an empty text for
 * none (`metadata=`), or a word for a moment (`now`). Undefined where nothing can be kept of it, and the field is as it was. A
 * value of the right type that breaks another rule stays: whoever sent it is told.
 */
export function fitMember({ flat, schema }: SchemaField, value: JsonValue): JsonValue | undefined {
  if (value === null) return value;
  const type = typeOf(value);
  const hasType = flat.types.includes(type) || (type === 'integer' && flat.types.includes('number'));
  // A field that only names alternatives says no types: what it can hold is for all of them to judge.
  const isOpen = flat.types.length === allTypes && value === '' && schema.validate(value, 'response').length > 0;
  if (hasType && !isOpen) return value;
  return value === '' && schema.validate(null, 'response').length === 0 ? null : undefined;
}
