import { wordsIn } from '../../words-in.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, arrayOf } from '../../json/value.ts';
import { identityOutcomes, type Intent, relationRules, wantedOutcomes } from '../model/case.ts';

const places = ['path', 'query', 'header', 'cookie', 'body'] as const;
const choices = wordsIn('none empty wrong wrong-scheme other-scheme prefix longer other-case');

/** The credentials of a request. */
export const credentials = ['given', ...choices] as const;

/** A report with a missing or unexpected member; the message is a clause. */
export class Unreadable extends Error {}

/** Reads a member of a report. `name` is for the message. Throws `Unreadable`. */
export type Reader<Value> = (value: JsonValue | undefined, name: string) => Value;

/** Readers by the name of the member. */
type Readers = Readonly<Record<string, Reader<unknown>>>;

type Members<Of extends Readers> = {
  readonly [Name in keyof Of]: Exclude<ReturnType<Of[Name]>, undefined>;
};

/**
 * An object with some members, and those of `may` where it has them and they are not read as
 * undefined. `as` is how messages call the members, instead of their names.
 */
export function members<Must extends Readers, May extends Readers>(
  must: Must,
  may: May,
  as?: string,
): Reader<Members<Must> & Partial<Members<May>>> {
  return (value, name) => {
    const object = objectOf(value, name);
    const read = (readers: Readers): [string, unknown][] =>
      Object.entries(readers).map(([key, reader]) => [
        key,
        readers === may && object[key] === undefined ? undefined : reader(object[key], as ?? key),
      ]);
    const found = [...read(must), ...read(may)].filter(([, member]) => member !== undefined);
    return Object.fromEntries(found) as Members<Must> & Partial<Members<May>>;
  };
}

/** A member that must be a text. */
export function textOf(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be a positive integer. */
export function countOf(value: JsonValue | undefined, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be an object. */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Unreadable(`the report has no ${name} for its requests`);
}

/** A member that must be one of some words: another release may have others. */
export function wordOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value, name) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw new Unreadable(
      `this release of vouch does not support the ${name} of the report (${textOf(value, name)})`,
    );
  };
}

/** Header fields: pairs of texts. */
export function headersOf(
  value: JsonValue | undefined,
): (readonly [name: string, value: string])[] {
  if (!isJsonArray(value)) throw new Unreadable('the report has no headers for its requests');
  return value.map((field) => {
    const [name, text] = arrayOf(field);
    return [textOf(name, 'headers'), textOf(text, 'headers')];
  });
}

/** The texts of a list. */
export function textsOf(value: JsonValue | undefined): string[] {
  return isJsonArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** A member that means something only if it is true, a number or a text. */
export const flag = (value: JsonValue | undefined): true | undefined =>
  value === true ? true : undefined;
export const ifNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;
export const ifText = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The members of each intent, besides its kind. */
const intents: {
  readonly [Kind in Intent['kind']]: Reader<Omit<Extract<Intent, { readonly kind: Kind }>, 'kind'>>;
} = {
  valid: members({ rigour: wordOf(['plain', 'invented', 'exotic']), at: textOf }, {}, 'intent'),
  invalid: members(
    {
      at: textOf,
      rule: textOf,
      part: wordOf(places),
      subject: textOf,
      accepted: wordOf(['error', 'warning', 'fine']),
    },
    { unreadable: flag, class: ifText },
    'intent',
  ),
  credential: members({ choice: wordOf(choices) }, { scheme: ifText }, 'intent'),
  method: members({ method: textOf, wanted: wordOf(['refused', 'like GET']) }, {}, 'intent'),
  missing: members({ at: textOf, rigour: wordOf(['plain', 'exotic']) }, {}, 'intent'),
  condition: members({ at: textOf, wanted: wordOf(wantedOutcomes) }, {}, 'intent'),
  relation: members(
    { at: textOf, rule: wordOf(relationRules), of: textsOf },
    { field: ifText, by: ifNumber, doubtful: flag },
    'intent',
  ),
  identity: members(
    { at: textOf, identity: textOf, wanted: wordOf(identityOutcomes) },
    {},
    'intent',
  ),
};

/** Reads the intent of a request. Throws `Unreadable` if a member is not as expected. */
export function readIntent(intent: JsonObject): Intent {
  const kind = wordOf(Object.keys(intents) as Intent['kind'][])(intent['kind'], 'intent');
  return { kind, ...intents[kind](intent, 'intent') } as Intent;
}
