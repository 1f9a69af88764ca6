import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { makeLocator, type Locator, type ReadText } from '../locate.ts';
import type { RepairedSyntax } from './read-document.ts';

/**
 * The member of a contract's document under which the other documents are mounted that it refers
 * to, by their names.
 */
export const mountedParts = 'x-vouch-files';

/** Where they are mounted. */
export const mountPointer: Pointer = joinPointer('', mountedParts);

/** A document that a contract is made of, besides its own. */
export interface DocumentPart {
  /** Its path from the contract's folder, or its address. */
  readonly name: string;
  /** The name under which places in it are shown. */
  readonly file: string;
  /** Its absolute path, where it is a file. */
  readonly path?: string;
  readonly text: string | ReadText;
  /** What was repaired in it. */
  readonly repaired?: RepairedSyntax;
}

/**
 * A locator over a contract's own document and those that are mounted in it: each place is shown in
 * the file where it is written.
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
