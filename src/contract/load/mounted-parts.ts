import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { makeLocator, type Locator, type ReadText } from '../locate.ts';
import type { RepairedText } from '../../json/repair-yaml.ts';

/** The member of a contract's document under which referenced documents are mounted by name. */
export const mountedParts = 'x-vouch-files';

/** The pointer of that member. */
export const mountPointer: Pointer = joinPointer('', mountedParts);

/** A document that a contract references. */
export interface DocumentPart {
  /** Its path relative to the contract's folder, or its URL. */
  readonly name: string;
  /** The name that places in it show. */
  readonly file: string;
  /** Its absolute path, if it is a file. */
  readonly path?: string;
  readonly text: string | ReadText;
  /** What was repaired in it. */
  readonly repaired?: RepairedText | undefined;
}

/**
 * A locator over a contract's document and its mounted documents: shows each place in the file that
 * contains it.
 */
export function makePartsLocator(own: Locator, parts: readonly DocumentPart[]): Locator {
  if (parts.length === 0) return own;
  const locators = new Map(
    parts.map(({ name, file, text, repaired }) => [name, makeLocator(file, text, repaired?.text)]),
  );
  const find = (pointer: Pointer): [Locator, Pointer] => {
    const [top, name, ...rest] = splitPointer(pointer);
    const locator = top === mountedParts && name !== undefined ? locators.get(name) : undefined;
    return locator === undefined ? [own, pointer] : [locator, joinPointer('', ...rest)];
  };
  const within = <Result>(
    pointer: Pointer,
    show: (locator: Locator, pointer: Pointer) => Result,
  ): Result => show(...find(pointer));
  return {
    locate: (pointer) => within(pointer, (locator, at) => locator.locate(at)),
    frame: (pointer) => within(pointer, (locator, at) => locator.frame(at)),
  };
}
