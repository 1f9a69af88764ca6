import { VouchError } from '../../errors.ts';
import { emptyBody, type HeaderList } from '../../http/message.ts';
import { joinPointer } from '../../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';

/** A response in a test, from any client. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** The unparsed body after content decoding. */
  readonly body: Uint8Array;
  /** Undefined if the client does not provide it. */
  readonly method?: string;
  /** The absolute URL; undefined if the client does not provide it. */
  readonly url?: string;
}

/** How to recognize and read the responses of one HTTP client. */
export interface AnswerKind {
  readonly name: string;
  /**
   * Undefined if the value is not a response of this client. Throws a VouchError if its original
   * body is lost.
   */
  read(value: object): TestAnswer | Promise<TestAnswer> | undefined;
}

/** A member of an unknown value. */
export function memberOf(value: unknown, name: string): unknown {
  // Any member of an object or function can be read.
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Whether a value has all of these methods. */
export function hasMethods(value: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof memberOf(value, name) === 'function');
}

/**
 * Converts header fields to a list; a list value gives one entry each. Values that are not text are
 * left out.
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

/** Values that mean no body, besides undefined: some clients use an empty object. */
interface EmptyForm {
  readonly empty?: 'object';
}

/**
 * Converts a body to bytes, from text, bytes or a parsed value. Throws a VouchError ('usage') for a
 * parsed value with an integer beyond 2^53, whose digits are lost.
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
  // A parsed body of a response is always JSON.
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
