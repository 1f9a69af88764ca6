import { plainName } from '../contract/infer/infer-names.ts';
import { fitLength, lengthOf } from './code-points.ts';
import { formatTexts } from './format-texts.ts';
import { decidePattern } from '../contract/pattern/safe-pattern.ts';
import type { NamedSource, TextSurroundings } from './named-texts.ts';
import { isNamed, namedForms, namedText } from './named-texts.ts';
import { makeRandom } from './random.ts';
import { type Lengths, regexText } from './regex-text.ts';
import { greatest, least, placedTexts, type View } from './view.ts';

/** The maximum length of a generated text in code points. */
export const longestText = 100_000;

/** The allowed lengths of a view, in code points. */
export function lengthsOf(view: View): Lengths {
  const min = Number(greatest(view, 'minLength')?.value ?? 0);
  const max = Number(least(view, 'maxLength')?.value ?? Infinity);
  return { min: Math.max(0, Math.ceil(min)), max: Math.floor(max) };
}

export interface TextChoice {
  /** The normalized name of the field. */
  readonly name: string;
  readonly seed: string;
  /** The seed that the fields of a record share. */
  readonly shared?: string;
  /** The seed that all objects of a record share. */
  readonly where?: string;
  readonly around?: TextSurroundings;
  /** 0 is the most likely text; a higher number tries other ways to satisfy the rules. */
  readonly variation: number;
}

/**
 * A text for a string schema, or undefined if its lengths contradict each other or its pattern
 * cannot be satisfied.
 */
export function textValue(view: View, choice: TextChoice): string | undefined {
  const lengths = lengthsOf(view);
  if (lengths.min > lengths.max || lengths.min > longestText) return undefined;
  const format = knownFormat(view);
  const patterns = placedTexts(view, 'pattern').map(({ value }) => value);
  if (format !== undefined && choice.variation % 2 === 0)
    return formatText(format, lengths, choice);
  if (choice.variation === 0 && patterns.length > 0) {
    const named = namedForms(subjectOf(view, choice.name), sourceOf(choice)).find(
      (text) =>
        isWithin(text, lengths) && patterns.every((known) => decidePattern(known, text) === true),
    );
    if (named !== undefined) return named;
  }
  const pattern = patterns[choice.variation % Math.max(1, patterns.length)];
  if (pattern !== undefined) {
    const text = regexText(pattern, lengths, choice.seed);
    const number = text?.replace(/^(-?)0+(?=\d+(?:\.\d+)?$)/, '$1');
    // A number in digits has no zeros in front where its rules do not ask for them.
    const fits = (known: string): boolean => decidePattern(known, number ?? '') === true;
    return number !== undefined && isWithin(number, lengths) && patterns.every(fits)
      ? number
      : text;
  }
  if (format !== undefined) return formatText(format, lengths, choice);
  return namedFit({ ...choice, name: subjectOf(view, choice.name) }, lengths);
}

/** The name by which a text is chosen; that of its format if the field's says nothing. */
function subjectOf(view: View, name: string): string {
  const [format] = placedTexts(view, 'format');
  if (format === undefined || isNamed(name)) return name;
  const other = plainName(format.value);
  return isNamed(other) ? other : name;
}

function sourceOf({ seed, shared = seed, where = shared, around }: TextChoice): NamedSource {
  const random = makeRandom(seed);
  const given = around === undefined ? {} : { around };
  return { random, shared: makeRandom(shared), where: makeRandom(where), ...given };
}

function isWithin(text: string, { min, max }: Lengths): boolean {
  return lengthOf(text) >= min && lengthOf(text) <= max;
}

/** The format of a view, if `formatTexts` contains it. */
function knownFormat(view: View): string | undefined {
  const formats = placedTexts(view, 'format').map(({ value }) => value);
  const encodings = placedTexts(view, 'contentEncoding').flatMap(
    ({ value }) => encodingFormats[value.toLowerCase()] ?? [],
  );
  return [...formats, ...encodings].find((format) => Object.hasOwn(formatTexts, format));
}

/** The formats of texts in an encoding (JSON Schema Validation 2020-12, section 8.3). */
const encodingFormats: Readonly<Record<string, string>> = {
  base64: 'byte',
  base64url: 'base64url',
};

function formatText(
  format: string,
  lengths: Lengths,
  { name, seed, variation, shared = seed }: TextChoice,
): string | undefined {
  const texts = formatTexts[format];
  if (texts === undefined) return undefined;
  const fits = (text: string): boolean => isWithin(text, lengths);
  const usual = texts.plain(makeRandom(seed), name, makeRandom(shared));
  const fitting = [...usual, ...texts.edges].filter(fits);
  const stretched = texts.stretch?.(lengths.min);
  const candidates =
    fitting.length > 0 || stretched === undefined ? fitting : [stretched].filter(fits);
  if ((format === 'password' || format === 'binary') && candidates.length === 0)
    return fitLength(usual[0] ?? '', lengths.min, lengths.max);
  return candidates[variation < candidates.length ? variation : 0];
}

function namedFit(choice: TextChoice, lengths: Lengths): string {
  const { name, seed, variation } = choice;
  const random = makeRandom(seed);
  if (variation === 0) {
    const forms = namedForms(name, sourceOf(choice));
    const fitting = forms.find((text) => isWithin(text, lengths));
    return fitting ?? fitLength(forms[0] ?? '', lengths.min, lengths.max);
  }
  const text = `${namedText(name, { random })} ${random.integer(1, 9_999)}`;
  if (lengthOf(text) <= lengths.max) return fitLength(text, lengths.min, lengths.max);
  const short = regexText(
    '^[a-zA-Z0-9]*$',
    { min: Math.min(lengths.max, Math.max(1, lengths.min)), max: lengths.max },
    seed,
  );
  return short ?? 'a'.repeat(lengths.min);
}

const longestPatterned = 64;

/**
 * Texts of exactly that many code points, those that match pattern and format first. Empty beyond
 * the maximum length.
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
  // A long text that was not made for its pattern may cause catastrophic backtracking.
  if (patterns.length > 0 && length > longestPatterned)
    return matching.filter((text) => lengthOf(text) === length);
  const named = fitLength(namedText(plainName(name), { random: makeRandom(seed) }), length, length);
  return [...formatted, ...matching, named].filter((text) => lengthOf(text) === length);
}

function formattedTexts(format: string, length: number, seed: string): string[] {
  const texts = formatTexts[format];
  if (texts === undefined) return [];
  return [...texts.plain(makeRandom(seed), ''), ...texts.edges, texts.stretch?.(length) ?? ''];
}
