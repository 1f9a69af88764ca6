import type { LocatedNode } from '../model/schema.ts';
import { descriptionOf } from './facts.ts';

/** The unit in which a number counts the time since 1970, as its description says. */
export function epochUnit(field: LocatedNode): 'seconds' | 'milliseconds' | undefined {
  const [, unit = '', short] = sinceEpoch.exec(descriptionOf(field)) ?? [];
  if (unit !== '') return /^milli/i.test(unit) || unit === 'ms' ? 'milliseconds' : 'seconds';
  return short === undefined ? undefined : 'seconds';
}

const sinceEpoch = new RegExp(
  '\\b(?:((?:milli)?seconds?|ms)\\s+(?:since|from|after)\\s+(?:the\\s+)?' +
    '(?:1970|(?:unix\\s+)?epoch|january 1(?:st)?,? 1970|1 january 1970)' +
    '|(unix (?:time(?:stamp)?|epoch)|epoch (?:time|timestamp)))\\b',
  'i',
);
