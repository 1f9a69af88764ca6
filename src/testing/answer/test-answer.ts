import { VouchError } from '../../errors.ts';
import { emptyBody, type HeaderList } from '../../http/message.ts';
import { joinPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';

/** An answer as a test holds it, whatever client it came by. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** As it was before anybody parsed it; content codings are undone. */
  readonly body: Uint8Array;
  /** As far as the client tells. */
  readonly method?: string;
  /** The whole address, as far as the client tells. */
  readonly url?: string;
}

/** How the answers of one HTTP client are recognised and read. */
export interface AnswerKind {
  readonly name: string;
  /**
   * Undefined where the value is none of this client's. Throws a VouchError where it is one, and
   * its body is lost.
   */
  read(value: object): TestAnswer | Promise<TestAnswer> | undefined;
}

/** A member of a value of which nothing is known. */
export function memberOf(value: unknown, name: string): unknown {
  // An object or a function may have any member; reading one is safe.
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Whether a value has all of these methods. */
export function hasMethods(value: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof memberOf(value, name) === 'function');
}

/**
 * Fields of an object as a list: of a value that is a list itself, one entry each. Anything that is
 * no text is left out.
 */
export function toHeaderList(fields: unknown): HeaderList {
  if (typeof fields !== 'object' || fields === null) return [];
  const pairs: (readonly [string, unknown])[] =
    Symbol.iterator in fields
      ? [...(fields as Iterable<readonly [string, unknown]>)]
      : Object.entries(fields);
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each): (readonly [string, string])[] =>
      typeof each === 'string' || typeof each === 'number' ? [[name, String(each)]] : [],
    ),
  );
}

/** What stands for no body besides nothing: with some clients an object without members. */
interface EmptyForm {
  readonly empty?: 'object';
}

/**
 * A body as bytes, from what a client hands over: text, bytes, or a value that it has parsed.
 * Throws a VouchError ('usage') for a parsed value with an integer that JSON.parse cannot hold: its
 * digits are lost, so that nobody can judge it.
 */
export function bytesOf(body: unknown, { empty }: EmptyForm = {}): Uint8Array {
  if (body === undefined || body === null || body === '') return emptyBody;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (empty === 'object' && typeof body === 'object' && Object.keys(body).length === 0)
    return emptyBody;
  const lost = findLostInteger(body, '');
  if (lost !== undefined)
    throw new VouchError(
      'usage',
      'This body was parsed before vouch saw it, and the integer at ' +
        `${lost === '' ? 'its root' : lost} is larger than JSON.parse can hold: ` +
        'its digits are lost.',
      {
        hint:
          'Have the client keep the text: with axios, axios.create({ ' +
          'transformResponse: keepText }), where keepText is exported beside this ' +
          'matcher.',
      },
    );
  // A parsed body is JSON, or a client that hands over something else could not have made it of an
  // answer.
  return Buffer.from(stringifyJson(body as JsonValue), 'utf8');
}

function findLostInteger(value: unknown, at: string): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findLostInteger(member, joinPointer(at, key));
    if (found !== undefined) return found;
  }
  return undefined;
}
