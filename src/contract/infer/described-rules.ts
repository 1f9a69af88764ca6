import type { FlatSchema, LocatedNode, Operation, Schema } from '../model.ts';
import { wordsOf } from './infer-names.ts';

const addedOrderWords =
  /\bin (?:the )?order (?:in which they were|of(?: their)?) (?:created|added|creation|addition)\b/i;

/** Whether the description of a list says that its items are in the order of their creation. */
export function keepsAddedOrder({ description = '' }: Operation): boolean {
  return (
    addedOrderWords.test(description) &&
    !/\b(reverse|newest|latest|descending)\b/i.test(description)
  );
}

/** Whether the description of a list says that it keeps the order in which it was sent. */
export function keepsOrder(description: string): boolean {
  return (
    /\b(order of the (request|body)|(given|sent|original|same|request) order)\b/i.test(
      description,
    ) || /\b(keeps?|preserves?|retains?) (the |their |its )?order\b/i.test(description)
  );
}

/** Names of the moments, or the days, between which something is reserved. */
const bounds: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [
    /^(start|starts|begin|begins|from)(s?(at|on|date|time|datetime))?$/,
    /^(end|ends|to|until|till)/,
  ],
  [/^(checkin|arrival|pickup|validfrom)/, /^(checkout|departure|dropoff|return|valid(to|until))/],
];

/**
 * The fields of a body that hold the beginning and the end of a period: `start` and `end`, `from`
 * and `to`, `checkIn` and `checkOut`.
 */
export function periodOf(schema: Schema): readonly [begin: string, end: string] | undefined {
  const moments = [...schema.flatten().properties].flatMap(([name, place]) =>
    isMoment(schema, place) ? [name] : [],
  );
  for (const [begin, end] of bounds) {
    const first = moments.find((name) => begin.test(plain(name)));
    const last = moments.find((name) => end.test(plain(name)));
    if (first !== undefined && last !== undefined) return [first, last];
  }
  return undefined;
}

function plain(name: string): string {
  return wordsOf(name).join('');
}

function isMoment(schema: Schema, { node, pointer }: LocatedNode): boolean {
  const { format, readOnly } = schema.flatten(node, pointer).node;
  return readOnly !== true && (format === 'date-time' || format === 'date');
}

/** The amount of a record that the description of an operation names in code: `balance`. */
export function boundNamed({ description = '' }: Operation, record: Schema): string | undefined {
  const named = [...description.matchAll(/(?:above|exceed\w*|more than)[^.`]*`(\w+)`/gi)];
  const names = named.flatMap(([, name]) => name ?? []);
  return names.find((name) => {
    const place = record.flatten().properties.get(name);
    return place !== undefined && isAmount(record.flatten(place.node, place.pointer));
  });
}

/** The one required member of a body that is an amount. */
export function amountIn(schema: Schema | undefined): string | undefined {
  const flat = schema?.flatten();
  const amounts = [...(flat?.required ?? [])].filter((name) => {
    const place = flat?.properties.get(name);
    return place !== undefined && isAmount(schema?.flatten(place.node, place.pointer));
  });
  return amounts.length === 1 ? amounts[0] : undefined;
}

/** Whether a schema is that of a number, or of a decimal as text. */
function isAmount(flat: FlatSchema | undefined): boolean {
  if (flat === undefined) return false;
  const isDecimal = /\[0-9\]|\\d/.test(flat.node.pattern ?? '');
  return flat.types.includes('number') || (flat.types.includes('string') && isDecimal);
}
