import type { Parameter } from '../model/operation.ts';
import type { RangeFilter } from '../model/resource.ts';
import { factIn, type Fact, parameterTexts } from './facts.ts';

/**
 * What the description of a bound says of the bound itself. A name such as `since` may include it
 * where `after this date` leaves it out: then nothing is certain.
 */
export function boundOf(parameter: Parameter, op: RangeFilter['op']): RangeFilter['bound'] {
  const texts = parameterTexts(parameter);
  if (factIn(texts, 'bound-included') !== undefined) return 'included';
  const isExcluded = factIn(texts, 'bound-excluded') !== undefined;
  return isExcluded && (op === 'gt' || op === 'lt') ? 'excluded' : 'unknown';
}

/**
 * The side of a moment that a parameter with the name of a field asks for: `modified`, described as
 * "what was changed at this moment or later". Undefined if the words bound nothing.
 */
export function sideOf(parameter: Parameter): 'gte' | 'lte' | undefined {
  const texts = parameterTexts(parameter);
  const { sentence } = factIn(texts, 'bound-included') ?? factIn(texts, 'bound-excluded') ?? {};
  if (sentence === undefined) return undefined;
  const later = /\b(?:later|after|newer|since|greater|larger|higher)\b/i;
  const earlier = /\b(?:earlier|before|older|lower|smaller)\b/i;
  if (later.test(sentence) === earlier.test(sentence)) return undefined;
  return later.test(sentence) ? 'gte' : 'lte';
}

/** The verb by which a description names the moment that a parameter bounds, and the side. */
export interface BoundedMoment {
  readonly stem: string;
  readonly side: (typeof sides)[number];
  readonly fact: Fact;
}

/** `Only bookings that end after this moment`, `incidents started before this timestamp`. */
export function boundedMoment(parameter: Parameter): BoundedMoment | undefined {
  const fact = factIn(parameterTexts(parameter), 'bounds-moment');
  const side = sides.find((word) => word === fact?.groups['side']?.toLowerCase());
  const verb = fact?.groups['verb'];
  return fact === undefined || side === undefined || verb === undefined
    ? undefined
    : { stem: verb.toLowerCase().slice(0, 4), side, fact };
}

const sides = ['after', 'since', 'from', 'later', 'before', 'until', 'earlier'] as const;

/** Whether a boolean adds fields to each record: `include DNSSEC information`. */
export function addsFields(parameter: Parameter): boolean {
  return factIn(parameterTexts(parameter), 'adds-fields') !== undefined;
}

/** Whether a filter with several values selects the records that have all of them. */
export function selectsAll(parameter: Parameter): boolean {
  return factIn(parameterTexts(parameter), 'selects-all') !== undefined;
}

/** Whether a filter says that it compares whole values and searches no parts of them. */
export function comparesWhole(parameter: Parameter): boolean {
  return factIn(parameterTexts(parameter), 'compares-whole') !== undefined;
}

/** Whether a text is several values with commas between them. */
export function isDividedByCommas(parameter: Parameter): boolean {
  const isText = parameter.schema.flatten().types.join() === 'string';
  return isText && factIn(parameterTexts(parameter), 'divided-by-commas') !== undefined;
}
