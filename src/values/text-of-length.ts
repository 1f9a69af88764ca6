import { fitLength, lengthOf } from './code-points.ts';
import { formatTexts } from './format-texts.ts';
import { namedText, normaliseName } from './named-texts.ts';
import { makeRandom } from './random.ts';
import { regexText } from './regex-text.ts';
import { knownFormat, longestText } from './text-value.ts';
import { placedTexts } from './view-keywords.ts';
import type { View } from './view.ts';

const longestPatterned = 64;

/**
 * Texts of exactly that many code points, those that keep pattern and format first. Empty for a
 * length beyond what is made.
 */
export function textsOfLength(view: View, length: number, name: string): string[] {
  if (length < 0 || length > longestText || !Number.isInteger(length)) return [];
  const seed = `${name}/${length}`;
  const format = knownFormat(view);
  const formatted = format === undefined ? [] : [...formattedTexts(format, length, seed)];
  const patterns = placedTexts(view, 'pattern');
  const matching = patterns.map(
    ({ value }) => regexText(value, { min: length, max: length }, seed) ?? '',
  );
  // A long text that was not written for its pattern may make it run away.
  if (patterns.length > 0 && length > longestPatterned)
    return matching.filter((text) => lengthOf(text) === length);
  const named = fitLength(namedText(normaliseName(name), makeRandom(seed)), length, length);
  return [...formatted, ...matching, named].filter((text) => lengthOf(text) === length);
}

function formattedTexts(format: string, length: number, seed: string): string[] {
  const texts = formatTexts[format];
  if (texts === undefined) return [];
  return [...texts.plain(makeRandom(seed), ''), ...texts.edges, texts.stretch?.(length) ?? ''];
}
