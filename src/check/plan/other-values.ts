import type { Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { cutTo } from '../../values/code-points.ts';
import { isReference } from '../reading/identifiers.ts';
import type { DraftBody } from './draft-body.ts';
import { laterBy } from './mark-body.ts';

/** The longest beginning of a text that another text keeps: the mark of the run has room behind. */
const kept = 24;

/** The day of the week stays the same. */
const week = 7 * 24 * 3_600_000;

/**
 * Plain values that differ from that of a body, and that a service takes as well as that one: with
 * more of a text, all dates weeks later, or a number one higher. Empty if its schema accepts none.
 */
export function otherValues({ value, schema, identifier }: DraftBody): JsonObject[] {
  if (!isJsonObject(value)) return [];
  const members = Object.entries(value).filter(
    ([name]) => name !== identifier?.[0] && !isReference(name),
  );
  const texts = members.flatMap(([name, text]) =>
    typeof text === 'string' ? [{ ...value, [name]: `${cutTo(text, kept).trimEnd()} again` }] : [],
  );
  const numbers = members.flatMap(([name, number]) =>
    typeof number === 'number' ? [{ ...value, [name]: number + 1 }] : [],
  );
  const dates = [1, 2].flatMap((weeks) => withDates(value, schema, weeks * week));
  return [...texts, ...dates, ...numbers].filter(
    (changed) => schema?.accepts(changed, 'request') === true,
  );
}

/** A value with all its dates later by some milliseconds: what is between them stays the same. */
function withDates(value: JsonObject, schema: Schema | undefined, by: number): JsonObject[] {
  const properties = schema?.flatten().properties;
  const moved = Object.entries(value).flatMap(([name, text]) => {
    const place = properties?.get(name);
    const format = place && schema?.flatten(place.node, place.pointer).node.format;
    const isDate = format === 'date' || format === 'date-time';
    return isDate && typeof text === 'string' && !Number.isNaN(Date.parse(text))
      ? [[name, laterBy(text, by)] as const]
      : [];
  });
  return moved.length === 0 ? [] : [{ ...value, ...Object.fromEntries(moved) }];
}
