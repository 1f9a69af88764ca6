import type { Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import { withField } from '../parent-fields.ts';
import { visible } from '../show/present-record.ts';

const day = 86_400_000;

/**
 * A record of an index whose other keys, which a path may hold too, no earlier record has: those of
 * an example are the same in all. `taken` gets them. As it is where its schema allows no other one.
 */
export function withFreeKeys(
  record: JsonObject,
  { identifier: { others = [] }, record: schema }: Resource,
  { index, taken }: { readonly index: number; readonly taken: Set<string> },
): JsonObject {
  return others.reduce((held, field) => {
    const value = fieldValue(held, field);
    if (typeof value !== 'string') return held;
    const isFree = (text: string): boolean => !taken.has(`${field} ${text}`);
    const free = [value, ...alike(value, index)].find((text) => {
      const made = withField(held, field.split('.'), text);
      return isFree(text) && schema.validate(visible(made), 'response').length === 0;
    });
    taken.add(`${field} ${free ?? value}`);
    return free === undefined ? held : withField(held, field.split('.'), free);
  }, record);
}

/** Other texts of the same kind: a later day, the last letter changed, a number behind it. */
function alike(text: string, index: number): string[] {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(moment)) {
    const later = new Date(moment + index * day).toISOString();
    return [text.length === 10 ? later.slice(0, 10) : later];
  }
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return [`${text.slice(0, -1)}${letter}`, `${text}-${String(index + 1)}`];
}
