import { wordsOf } from '../infer/infer-names.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';

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

function isMoment(schema: Schema, place: LocatedNode): boolean {
  const { format, readOnly } = schema.flatten(place).node;
  return readOnly !== true && (format === 'date-time' || format === 'date');
}
