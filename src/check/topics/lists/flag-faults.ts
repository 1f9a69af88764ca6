import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isSuccess } from '../../../http/message.ts';
import { showValue, type Step } from '../../model/step.ts';
import { namesMore } from '../../reading/next-page.ts';
import type { Related, RelationFaults } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';

/** A list as two requests show it, both complete. */
interface Pair {
  readonly before: ReadonlyMap<string, JsonObject>;
  readonly after: ReadonlyMap<string, JsonObject>;
}

function readPair({ subject, resource, of, status }: Related): Pair | undefined {
  const [list] = of;
  if (resource === undefined || list === undefined || !isSuccess(status)) return undefined;
  const { field } = resource.identifier;
  const read = (step: Step): ReadonlyMap<string, JsonObject> | undefined => {
    const records = listedRecords(resource, step.answer);
    if (records === undefined || namesMore(step)) return undefined;
    return new Map(records.map((record) => [String(record[field]), record]));
  };
  const [before, after] = [read(list), read(subject)];
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** A record exactly at a bound that is to match too, and is missing. */
export function boundLacking(related: Related): RelationFaults {
  const pair = readPair(related);
  const { subject, intent } = related;
  const { field = '' } = intent;
  const [asked] = [...subject.sent.arguments].filter(
    ([parameter]) => parameter.pointer === intent.at,
  );
  if (pair === undefined || asked === undefined) return undefined;
  const [{ name }, bound] = asked;
  const missing = [...pair.before].find(
    ([key, record]) => equalJson(record[field] ?? null, bound) && !pair.after.has(key),
  );
  if (missing === undefined) return [];
  return {
    message:
      `The list bounded by ${name}=${showValue(bound)} lacks the record whose ${field} is that ` +
      'bound, which was to match too.',
    expected: `the record whose ${field} is ${showValue(bound)}`,
    actual: 'not listed',
    cause: 'bound left out',
  };
}

function kindsAmong(records: Iterable<JsonObject>, field: string): ReadonlySet<JsonValue> {
  return new Set(
    [...records].flatMap((record) => {
      const value = record[field];
      return typeof value === 'boolean' ? [value] : [];
    }),
  );
}

/**
 * A record of another kind in a list of one kind, where the list of all kinds has both: a boolean
 * field tells the kind.
 */
export function notOfKind(related: Related): RelationFaults {
  const pair = readPair(related);
  const { subject, intent } = related;
  const { field, by } = intent;
  if (pair === undefined || field === undefined) return undefined;
  if (kindsAmong(pair.before.values(), field).size < 2) return undefined;
  const expected = by === 1;
  const other = [...pair.after].find(([, record]) => record[field] === !expected);
  if (other === undefined) return [];
  return {
    message:
      `Where ${subject.case.title}, ${other[0]} is listed, whose ${field} is ` +
      `${String(!expected)}.`,
    expected: `only records whose ${field} is ${String(expected)}`,
    actual: `${field} is ${String(!expected)}`,
    cause: 'other kind',
  };
}

/** A record of one kind that is missing where all kinds are asked for, before and after. */
export function notJoined(related: Related): RelationFaults {
  const pair = readPair(related);
  const [, ...each] = related.of;
  if (pair === undefined) return undefined;
  for (const one of each) {
    const [key] = keysOnlyIn(keysOf(related, one), pair);
    if (key !== undefined)
      return {
        message: `Where ${one.case.title}, ${key} is listed, and with all kinds it is not.`,
        expected: `${key} among all kinds`,
        actual: 'not listed there',
        cause: 'kinds not joined',
        momentary: true,
      };
  }
  return [];
}

function keysOf({ resource }: Related, { answer }: Step): readonly string[] {
  const records = resource && listedRecords(resource, answer);
  return (records ?? []).map((record) => String(record[resource?.identifier.field ?? '']));
}

function keysOnlyIn(keys: readonly string[], { before, after }: Pair): string[] {
  return keys.filter((key) => !before.has(key) && !after.has(key));
}

/** A list without a parameter that differs from the list with its default, before and after. */
export function notAsDefault(related: Related): RelationFaults {
  const pair = readPair(related);
  const [, plain] = related.of;
  if (pair === undefined || plain === undefined || namesMore(plain)) return undefined;
  const keys = keysOf(related, plain);
  const [more] = keysOnlyIn(keys, pair);
  const less = [...pair.before.keys()].find((key) => pair.after.has(key) && !keys.includes(key));
  const odd = more ?? less;
  if (odd === undefined) return [];
  return {
    message:
      `Where ${plain.case.title}, ${odd} is ${more === undefined ? 'not ' : ''}listed, ` +
      `and with its default it is${more === undefined ? '' : ' not'}.`,
    expected: 'the same records as with the default',
    actual: `${odd} ${more === undefined ? 'is missing' : 'too'}`,
    cause: 'not the default',
    momentary: true,
  };
}
