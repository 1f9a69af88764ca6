import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** What a report does not say as it should; the message is a clause. */
export class Unreadable extends Error {}

/** A member that has to be a text. Throws `Unreadable`, as all of these do. */
export function textOf(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`the report does not say the ${name} of its requests`);
}

/** A member that has to be a number of things, from 1 on. */
export function countOf(value: JsonValue | undefined, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new Unreadable(`the report does not say the ${name} of its requests`);
}

/** A member that has to be an object. */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Unreadable(`the report does not say the ${name} of its requests`);
}

/** A member that has to be one of certain words: another release may know others. */
export function wordOf<Word extends string>(
  value: JsonValue | undefined,
  name: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new Unreadable(
    `this release of vouch does not know the ${name} that the report has (${textOf(value, name)})`,
  );
}

/** Header fields: pairs of texts. */
export function headersOf(value: JsonValue): (readonly [name: string, value: string])[] {
  if (!isJsonArray(value))
    throw new Unreadable('the report does not say the headers of its requests');
  return value.map((field) => {
    const [name, text] = isJsonArray(field) ? field : [];
    return [textOf(name, 'headers'), textOf(text, 'headers')];
  });
}
