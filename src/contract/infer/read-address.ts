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
  const given = addressSegments(text);
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

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/**
 * The decoded segments of an address, with a key in parentheses as a segment of its own; undefined
 * if they cannot be decoded.
 */
function addressSegments(text: string): string[] | undefined {
  const path = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/^\/+|\/+$/g, '');
  const segments = path.split('/').flatMap((segment) => {
    const [, set, key] = /^([^()]+)\((?:\w+=)?'?([^()']+)'?\)$/.exec(segment) ?? [];
    return set === undefined || key === undefined ? [segment] : [set, key];
  });
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}
