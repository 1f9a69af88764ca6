import type { HeaderList } from '../../http/message.ts';

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
