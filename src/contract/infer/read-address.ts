import { encodePercent } from '../../http/target.ts';
import type { Resource } from '../model.ts';
import { plainPath } from './conventions/path-styles.ts';

/** What an address says of a path: the value in each of its parameters, by the segment (from 0). */
export type AddressValues = ReadonlyMap<number, string>;

/** A longer text is no address. */
const longest = 2_000;

/**
 * Reads a text as the address of what a path leads to (`/v1/depots/{depot}`): a URL, a path behind
 * any base, or a path without its beginning, as in `depots/a` (Google AIP-122) and `Things(5)`
 * (OData 4.01, URL conventions, section 4.3). A query and a fragment do not count. Undefined if it
 * is no such address: the last word of the path and each segment behind it must be there. Values of
 * segments that the text leaves out are missing.
 */
export function readAddress(path: string, text: string): AddressValues | undefined {
  if (text.length > longest || !/[/(]/.test(text)) return undefined;
  const template = plainPath(path).split('/').slice(1);
  const given = addressSegments(path, text);
  if (given === undefined) return undefined;
  const word = template.findLastIndex((segment) => !isParameter(segment));
  if (word === -1 || word === template.length - 1) return undefined;
  const values = new Map<number, string>();
  for (let at = template.length - 1; at >= 0; at -= 1) {
    const expected = template[at] ?? '';
    const found = given.at(at - template.length);
    if (isParameter(expected)) {
      if (found !== undefined && found !== '') values.set(at, found);
      else if (at > word) return undefined;
    } else if (expected !== found) {
      // A text may leave out the beginning of the path, or have another base: `/api/depots/a`.
      const isNeeded = at >= word || (found !== undefined && values.has(at + 1));
      if (isNeeded) return undefined;
      values.delete(at + 1);
    }
  }
  return values;
}

/** The path of a record as its addresses have it: with the file suffix that the contract writes. */
export function addressPath({
  itemPath,
  operations: { read },
}: Pick<Resource, 'itemPath' | 'operations'>): string | undefined {
  const isWritten =
    read !== undefined && itemPath !== undefined && plainPath(read.path) === plainPath(itemPath);
  return isWritten ? read.path : itemPath;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/** The decoded segments of an address; undefined if they cannot be decoded. */
function addressSegments(path: string, text: string): string[] | undefined {
  try {
    return addressPieces(path, text).map(({ raw }) => decodeURIComponent(raw));
  } catch {
    return undefined;
  }
}

/** A segment as it is written, and where it stands in the text. */
interface AddressPiece {
  readonly raw: string;
  readonly start: number;
}

const fileSuffix = /\.(?:json|xml|ya?ml)$/i;
const endsInFormat = /\.(?:json|xml|ya?ml|\{\w+\})$/i;

/**
 * The segments of an address, with a key in parentheses as a segment of its own, and without the
 * file suffix of `/things/{id}.json`.
 */
function addressPieces(template: string, text: string): AddressPiece[] {
  const [base = ''] = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/*/i.exec(text) ?? [];
  const path = text
    .trimEnd()
    .slice(base.length)
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(endsInFormat.test(template) ? fileSuffix : '', '');
  let next = base.length;
  return path.split('/').flatMap((segment) => {
    const start = next;
    next += segment.length + 1;
    const [, set, key] = /^([^()]+)\((?:\w+=)?'?([^()']+)'?\)$/.exec(segment) ?? [];
    if (set === undefined || key === undefined) return [{ raw: segment, start }];
    return [
      { raw: set, start },
      { raw: key, start: start + segment.lastIndexOf(key) },
    ];
  });
}

/**
 * The same address with other values in its parameters: its base, its words and the form of its
 * key stay. Undefined if it is no address of the path, or a value is unknown.
 */
export function rewriteAddress(
  path: string,
  text: string,
  valueAt: (segment: number) => unknown,
): string | undefined {
  const values = readAddress(path, text);
  if (values === undefined) return undefined;
  const depth = plainPath(path).split('/').length - 1;
  const pieces = addressPieces(path, text);
  let written = text;
  // The last segment comes first: what stands before it keeps its place.
  for (const [segment, before] of values) {
    const piece = pieces.at(segment - depth);
    const value = valueAt(segment);
    if (value === undefined || piece === undefined) return undefined;
    const { raw, start } = piece;
    // Only what would end or break a segment is encoded, not `ann@example.org`.
    const after =
      String(value) === before ? raw : String(value).replaceAll(/[\s%/?#'()]/g, encodePercent);
    written = written.slice(0, start) + after + written.slice(start + raw.length);
  }
  return written;
}
