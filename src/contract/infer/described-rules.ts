import { defined } from '../../json/value.ts';
import type {
  FlatSchema,
  LocatedNode,
  Operation,
  Parameter,
  RangeFilter,
  Schema,
} from '../model.ts';
import { wordsOf } from './infer-names.ts';
import { recordFields } from './record-fields.ts';

/** A field of a body that no two records may share. */
export interface UniqueField {
  readonly name: string;
  /** Whether a text in another case counts as the same. */
  readonly ignoresCase: boolean;
  /** The noun within which it is unique: `site` of `unique within the site`. */
  readonly within?: string;
}

const withinWords =
  /\bunique (?:within|in|per|inside) (?:(?:an?|the|its|each|this|your|given) )*([a-z]+)/i;

const anotherHasIt = /\b(unique|taken|duplicate|in use|already|exists?|another|the same)\b/i;
const saysUnique =
  /\b(unique|taken|duplicates?|in use)\b|\balready (there|exists?|has|have|used)\b/i;
const deniesUnique = /\b(not|never|need not be|no longer) (be )?unique\b/i;
const repeats = new RegExp(
  '\\b(idempotent|upserts?|returns? (the|an) existing|(existing|same) \\w+ is returned|' +
    'if (it|one) (already )?exists,? (it is|they are) (updated|replaced|returned))\\b',
  'i',
);

/**
 * The fields of a request body that descriptions call unique, where the operation documents 409 for
 * a record that is in the way: `The email of a customer is unique`, or, of the 409, `Another
 * customer has this email`. No keyword of JSON Schema states that.
 */
export function uniqueFields(
  { description = '', responses }: Operation,
  schema: Schema,
): UniqueField[] {
  const conflict = responses.find(({ status }) => status === '409');
  if (conflict === undefined) return [];
  const said = sentencesOf(description).filter((sentence) => saysUnique.test(sentence));
  const refused = sentencesOf(conflict.description).filter((sentence) =>
    anotherHasIt.test(sentence),
  );
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place.node, place.pointer);
    if (node.readOnly === true || !types.includes('string') || node.enum !== undefined) return [];
    const own = sentencesOf(describes(node)).filter((sentence) => saysUnique.test(sentence));
    const about = [...own, ...[...said, ...refused].filter((sentence) => mentions(sentence, name))];
    if (about.length === 0 || about.some((sentence) => deniesUnique.test(sentence))) return [];
    if (isRepeatable(name, describes(node), description)) return [];
    const [within] = about.flatMap((sentence) => withinWords.exec(sentence)?.[1] ?? []);
    return [{ name, ignoresCase: about.some(ignoresCase), ...defined({ within }) }];
  });
}

/** Whether a create with a known value returns that record: `Idempotent on externalId`. */
function isRepeatable(name: string, own: string, description: string): boolean {
  const all = sentencesOf(description).filter((sentence) => mentions(sentence, name));
  return [...sentencesOf(own), ...all].some((sentence) => repeats.test(sentence));
}

/**
 * The fields that no two records may share, by the description of an operation that changes a
 * record, or by that of the one that creates them: only where it documents 409 too.
 */
export function uniqueInChange(
  operation: Operation,
  schema: Schema,
  create: Operation | undefined,
): UniqueField[] {
  const own = uniqueFields(operation, schema);
  if (create === undefined || create === operation || !documents(operation, '409')) return own;
  const names = schema.flatten().properties;
  const made = create.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const others = made === undefined ? [] : uniqueFields(create, made);
  const isNew = ({ name }: UniqueField): boolean =>
    names.has(name) && own.every((field) => field.name !== name);
  return [...own, ...others.filter(isNew)];
}

function documents({ responses }: Operation, wanted: string): boolean {
  return responses.some(({ status }) => status === wanted);
}

function describes(node: { readonly description?: string }): string {
  return node.description ?? '';
}

/** Whether a text says that upper and lower case are the same. */
function ignoresCase(text: string): boolean {
  return caseWords.test(text);
}

const caseWords = new RegExp(
  [
    '\\bcase[- ]?insensitiv',
    '\\b(regardless|irrespective|independent(ly)?) of (the )?(letter )?case\\b',
    '\\bignor\\w+ (the )?(letter )?case\\b',
    '\\bupper[- ]?(case)? (and|or|nor) lower[- ]?case\\b',
    '\\b(letter )?case does not matter\\b',
  ].join('|'),
  'i',
);

const orderWords =
  /\b(?:in (?:the )?order (?:of|by|in which they (?:were|are))|(?:sorted|ordered) by) (?:their |its |the )?([^.,;:()]+)/i;
const descendingWords = /\b(descending|reverse|newest|latest|last|highest|most recent)\b/i;

/** The order of a list that its description states: `In the order of their start`. */
export function describedOrder(
  { description = '' }: Operation,
  record: Schema,
): { readonly field: string; readonly descending: boolean } | undefined {
  const sentence = sentencesOf(description).find((one) => orderWords.test(one)) ?? '';
  const phrase = (orderWords.exec(sentence)?.[1] ?? '').replace(
    / (unless|if|when|and|or) .*$/i,
    '',
  );
  const fields = recordFields(record).filter(({ many, name }) => !many && !name.includes('.'));
  const field =
    fields.find(({ name }) => mentions(phrase, name)) ??
    (/^(creat|add)/i.test(phrase)
      ? fields.find((candidate) => /^created(at|on)$/.test(candidate.plain))
      : undefined);
  return field && { field: field.name, descending: descendingWords.test(sentence) };
}

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

/**
 * Whether a filter with several values selects the records that have all of them: `Only rooms that
 * have all of these`.
 */
export function selectsAll({ description = '' }: Pick<Parameter, 'description'>): boolean {
  return /\b(all|every one|each) of (these|those|them|the)\b|\b(has|have) (all|every)\b/i.test(
    description,
  );
}

/** Whether a text names a field: `issuedOn`, or its words, the last of which may be plural. */
function mentions(text: string, field: string): boolean {
  const words = wordsOf(field).join('[\\s_-]*');
  return new RegExp(`(^|[^\\w.])${words}(s|es)?($|[^\\w-])`, 'i').test(text);
}

/** The sentences and clauses of a description. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.;!?])\s+|\n{2,}/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
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

/** The fields in which a search looks for a part of a text. */
export interface SearchedFields {
  readonly fields: readonly string[];
  readonly ignoresCase: boolean;
}

const searchPhrases: readonly RegExp[] = [
  /\b(?:whose|by|in|of) (.+?)\b(?:contains?|includes?|containing|has|have)\b/i,
  /\b(?:part|substring|fragment|partial match(?:es)?) of (?:an? |the |its |their )?(.+)$/i,
];

/**
 * The text fields that the description of a search names, where it says that they contain the
 * text: `Only customers whose name or email contains this text`, `A part of the name`. Undefined if
 * it names none.
 */
export function searchedFields(
  { description = '' }: Operation,
  parameter: Pick<Parameter, 'description'>,
  record: Schema,
): SearchedFields | undefined {
  const own = sentencesOf(parameter.description ?? '');
  const phrases = [...own, ...sentencesOf(description)].flatMap((sentence) =>
    searchPhrases.flatMap((pattern) => pattern.exec(sentence)?.[1] ?? []),
  );
  const texts = recordFields(record).filter(
    ({ many, name, types, flat }) =>
      !many && !name.includes('.') && types.includes('string') && flat.node.enum === undefined,
  );
  const phrase = phrases.find((one) => texts.some(({ name }) => mentions(one, name)));
  if (phrase === undefined) return undefined;
  const fields = texts.map(({ name }) => name).filter((name) => mentions(phrase, name));
  return { fields, ignoresCase: ignoresCase(`${parameter.description ?? ''} ${description}`) };
}

/**
 * On which side of a bound the records are, and whether the description includes the bound. Where
 * the name includes it and the description does not, nothing is certain: `published_since`, which
 * returns records published after the date.
 */
export function orderOfRange({ op, parameter: { description = '' } }: RangeFilter): {
  readonly isAbove: boolean;
  readonly atBound: 'included' | 'left out' | undefined;
} {
  const isAbove = op === 'gte' || op === 'gt';
  if (includesBound(description)) return { isAbove, atBound: 'included' };
  const isLeftOut = (op === 'gt' || op === 'lt') && excludingWords.test(description);
  return { isAbove, atBound: isLeftOut ? 'left out' : undefined };
}

/** Whether a description says that the bound itself is included. */
function includesBound(description: string): boolean {
  return inclusiveWords.test(description);
}

const excludingWords =
  /\b(after|before|later than|earlier than|more than|less than|above|below|exclusive)\b/i;
const inclusiveWords = new RegExp(
  '\\b(or (more|less|later|earlier|after|before|equal|newer|older|higher|lower)|at (least|most)|' +
    'no (more|less|later|earlier) than|inclusive|including|on or)\\b',
  'i',
);
