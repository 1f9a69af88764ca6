import { inOtherCase } from './other-case.ts';

/** A secret by its value, and what is shown in its place: `$VOUCH_TOKEN`. */
export interface KnownSecret {
  readonly value: string;
  readonly shell: string;
}

/** Hides secrets by their values. */
export interface ValueHider {
  readonly text: (text: string) => string;
  /** For bytes as Latin-1. */
  readonly bytes: (latin1: string) => string;
  /** Only secrets that cannot be a word of a document. */
  readonly names: (text: string) => string;
}

/**
 * Hides secrets wherever their value occurs: plain, percent-encoded, base64, hexadecimal, escaped
 * for JSON and HTML, with letters of any case.
 */
export function makeValueHider(secrets: readonly KnownSecret[]): ValueHider {
  const forms = secrets.flatMap(formsOf);
  const strange = secrets.filter(({ value }) => !looksLikeWord(value));
  const hideEscaped = makeEscapedHider(secrets);
  const hideForms = makeFormHider(forms);
  const hideCut = makeCutHider(forms);
  const hideBytes = makeFormHider([...forms.map(inUtf8), ...forms]);
  return {
    text: (from) => hideCut(hideEscaped(hideForms(from))),
    bytes: (from) => hideEscaped(hideBytes(from)),
    names: makeFormHider(strange.flatMap(formsOf)),
  };
}

/** The same hider, which also hides further secrets where they are written as they are. */
export function withPlain(hider: ValueHider, secrets: readonly KnownSecret[]): ValueHider {
  const writings = secrets
    .filter(({ value }) => value.length >= shortest)
    .flatMap(({ value, shell }) => {
      const coded = encodeURIComponent(value);
      return [value, ...(coded === value ? [] : [coded])].map((text) => ({ text, shell }));
    })
    .sort((left, right) => right.text.length - left.text.length);
  const hide = (from: string): string =>
    writings.reduce((rest, { text, shell }) => rest.replaceAll(text, () => shell), from);
  return {
    text: (from) => hide(hider.text(from)),
    bytes: (from) => hide(hider.bytes(from)),
    names: hider.names,
  };
}

/**
 * A shorter text probably occurs in harmless texts; in a header with credentials it is still
 * hidden.
 */
const shortest = 4;

/** Bytes are searched as Latin-1, which keeps each of them; a secret may be there in UTF-8. */
function inUtf8(form: SecretForm): SecretForm {
  return { ...form, text: Buffer.from(form.text, 'utf8').toString('latin1') };
}

function formsOf(secret: KnownSecret): SecretForm[] {
  return textsOf(secret).flatMap((text) => {
    const isExact = looksLikeWord(text);
    const cased = isExact ? [text] : casingsOf(text);
    const writings = new Set([...new Set(cased)].flatMap(writingsOf));
    return [...writings].map((writing) => ({ text: writing, shown: secret.shell, isExact }));
  });
}

/** Of a text that is coded as a whole, each casing looks different. */
function casingsOf(text: string): string[] {
  const swapped = inOtherCase(text);
  const common = [text, text.toLowerCase(), text.toUpperCase()];
  return swapped === undefined ? common : [...common, swapped];
}

/** A longer text of letters is no word. */
const longestWord = 11;

/**
 * Whether a secret may be a common word, such as `admin`: without regard to case, it occurs in too
 * many harmless texts, so it is hidden only in its exact form.
 */
function looksLikeWord(text: string): boolean {
  return text.length <= longestWord && /^(?:\p{L}?\p{Ll}+|\p{Lu}+)$/u.test(text);
}

/** Hides texts of which some characters are escaped, in any way; the longest first. */
function makeEscapedHider(secrets: readonly KnownSecret[]): (text: string) => string {
  const texts = secrets.flatMap((secret) =>
    textsOf(secret).map((text) => ({ text, shown: secret.shell })),
  );
  const escaped = texts
    .sort((left, right) => right.text.length - left.text.length)
    .map(({ text, shown }) => ({ pattern: escapedWriting(text, looksLikeWord(text)), shown }));
  return (from) => {
    if (!/[%\\&]/.test(from)) return from;
    return escaped.reduce((rest, { pattern, shown }) => {
      return rest.replaceAll(pattern, () => shown);
    }, from);
  };
}

/**
 * The secret; for a pair also its password, and the encoded pair, which a server may write in yet
 * another form.
 */
function textsOf({ value }: KnownSecret): string[] {
  if (value.length < shortest) return [];
  if (!value.includes(':')) return [value];
  const password = value.slice(value.indexOf(':') + 1);
  return [value, encodeBase64(value), ...(password.length < shortest ? [] : [password])];
}

/** The ways in which a text may be written in a URL, a header, a JSON or an HTML body. */
function writingsOf(text: string): string[] {
  const encoded = encodeURIComponent(text);
  const base64 = encodeBase64(text);
  return [
    text,
    encoded,
    encoded.replaceAll('%20', '+'),
    base64,
    // A token that is sent by basic without a password.
    encodeBase64(`${text}:`),
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    JSON.stringify(text).slice(1, -1),
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
    ...codedWritings(text),
  ];
}

export function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** One way in which a secret may be written, and what is shown instead. */
interface SecretForm {
  readonly text: string;
  readonly shown: string;
  /** Whether only this very writing is hidden, and not the same letters in another case. */
  readonly isExact: boolean;
}

/** A search for one form; a folded search ignores the case of letters. */
interface Search {
  readonly text: string;
  readonly shown: string;
  readonly isFolded: boolean;
  /** A text that is part of the form; where it is absent, so is the form. */
  readonly core: number;
}

interface Match {
  readonly start: number;
  readonly length: number;
  readonly shown: string;
}

/**
 * The text in which letters of any case are alike. Its length is that of the given text: the one
 * letter whose small form is longer, U+0130, is replaced first.
 */
function foldCase(text: string): string {
  const folded = text.toLowerCase();
  const kept =
    folded.length === text.length ? folded : text.replaceAll('\u0130', 'i').toLowerCase();
  return kept.replaceAll('ς', 'σ');
}

/**
 * Makes a function that hides all forms in a text. Longer forms go first, and of forms of the same
 * length the one in the very same letters. The work grows with the length of the text: most texts
 * contain no form, and are searched only for the few texts that are part of all others.
 */
function makeFormHider(forms: readonly SecretForm[]): (text: string) => string {
  const cores: string[] = [];
  const searches = orderedSearches(forms, cores);
  return (text) => {
    const folded = foldCase(text);
    const present = cores.map((core) => folded.includes(core));
    if (!present.includes(true)) return text;
    return replaceMatches(
      text,
      findMatches(
        text,
        folded,
        searches.filter(({ core }) => present[core]),
      ),
    );
  };
}

function orderedSearches(forms: readonly SecretForm[], cores: string[]): Search[] {
  const byLength = forms.toSorted((left, right) => left.text.length - right.text.length);
  const searches = new Map<string, Search>();
  for (const { text, shown, isExact } of byLength) {
    const folded = foldCase(text);
    const core = coreOf(folded, cores);
    const add = (wanted: string, isFolded: boolean): void => {
      const key = `${isFolded ? 'folded' : 'exact'} ${wanted}`;
      if (!searches.has(key)) searches.set(key, { text: wanted, shown, isFolded, core });
    };
    add(text, false);
    if (!isExact) add(folded, true);
  }
  return [...searches.values()].sort(
    (left, right) =>
      right.text.length - left.text.length || Number(left.isFolded) - Number(right.isFolded),
  );
}

/** Forms come by length, so that a text that is part of another one comes first. */
function coreOf(folded: string, cores: string[]): number {
  const known = cores.findIndex((core) => folded.includes(core));
  return known === -1 ? cores.push(folded) - 1 : known;
}

function findMatches(text: string, folded: string, searches: readonly Search[]): Match[] {
  const matches: Match[] = [];
  const left = { exact: text, folded };
  for (const { text: wanted, shown, isFolded } of searches) {
    const starts = startsOf(isFolded ? left.folded : left.exact, wanted);
    if (starts.length === 0) continue;
    for (const start of starts) matches.push({ start, length: wanted.length, shown });
    // A found secret is blanked, so that no other form is found in it.
    left.exact = blank(left.exact, starts, wanted.length);
    left.folded = blank(left.folded, starts, wanted.length);
  }
  return matches.sort((one, other) => one.start - other.start);
}

function startsOf(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
  }
  return starts;
}

function blank(text: string, starts: readonly number[], length: number): string {
  const filler = '\0'.repeat(length);
  return replaceMatches(
    text,
    starts.map((start) => ({ start, length, shown: filler })),
  );
}

function replaceMatches(text: string, matches: readonly Match[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, length, shown } of matches) {
    pieces.push(text.slice(at, start), shown);
    at = start + length;
  }
  return pieces.join('') + text.slice(at);
}

/** A shorter beginning of a secret says too little of it, and may be the end of any word. */
const shortestBeginning = 4;

/**
 * Makes a function for texts that were cut short: what is before `…` may be the beginning of a
 * form, and is hidden as one.
 */
function makeCutHider(forms: readonly SecretForm[]): (text: string) => string {
  const folded = forms.map(({ text, shown, isExact }) => ({
    text: isExact ? text : foldCase(text),
    shown,
    isExact,
  }));
  const longestFirst = folded.sort((left, right) => right.text.length - left.text.length);
  const longest = longestFirst[0]?.text.length ?? 0;
  const hideEnding = (piece: string): string => {
    const ending = piece.slice(-longest);
    const endingFolded = foldCase(ending);
    for (const { text, shown, isExact } of longestFirst) {
      const length = overlapOf(isExact ? ending : endingFolded, text);
      if (length > 0) return piece.slice(0, -length) + shown;
    }
    return piece;
  };
  return (text) => {
    if (!text.includes('…')) return text;
    const pieces = text.split('…');
    const last = pieces.pop() ?? '';
    return [...pieces.map(hideEnding), last].join('…');
  };
}

/** The length of the longest beginning of `form` that `ending` ends with; 0 if there is none. */
function overlapOf(ending: string, form: string): number {
  const max = Math.min(ending.length, form.length - 1);
  for (let length = max; length >= shortestBeginning; length -= 1) {
    if (ending.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

/** A shorter form is too likely to occur in harmless text. */
const shortestCoded = 8;

/**
 * How a text looks inside of something that was coded as a whole: in hexadecimal, with every byte
 * percent-encoded, and in base64 that begins before it and ends behind it (RFC 4648, sections 4, 5
 * and 8). Of base64 the part is meant that depends on the text alone; up to two characters at its
 * edges hold bits of it too.
 */
export function codedWritings(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const percent = hex.replaceAll(/../g, '%$&');
  const base64 = [0, 1, 2].map((before) => base64Inside(bytes, before));
  const urlSafe = base64.map((coded) => coded.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), percent, percent.toUpperCase(), ...base64, ...urlSafe].filter(
    (coded) => coded.length >= shortestCoded,
  );
}

/** Each character of base64 stands for 6 bits: those are kept whose bits are all known. */
function base64Inside(bytes: Buffer, before: number): string {
  const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

const namedEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Finds a text of which any character may be written as an escape: percent-encoded, as in JSON, as
 * in HTML. Letters are found in any case, unless the text is meant exactly.
 */
export function escapedWriting(text: string, isExact: boolean): RegExp {
  const parts = [...text].map((character) => {
    const other = isExact ? [] : [character.toLowerCase(), character.toUpperCase()];
    return `(?:${[...new Set([character, ...other])].flatMap(escapesOf).join('|')})`;
  });
  return new RegExp(parts.join(''), 'gu');
}

/** The ways to write a text of usually one character. */
function escapesOf(text: string): string[] {
  const plain = [...text].map(literal).join('');
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => byte.toString(16).padStart(2, '0'));
  // Bodies are searched as Latin-1, in which a character of UTF-8 is several.
  const escaped = bytes.length === text.length ? [] : [bytes.map((byte) => `\\x${byte}`).join('')];
  const units = [...text.split('')].map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const html = [...text].map((character) => `(?:${htmlEscapesOf(character).join('|')})`);
  return [
    `\\\\?${plain}`,
    bytes.map((byte) => `%${anyCase(byte)}`).join(''),
    units.map((unit) => `\\\\u${anyCase(unit)}`).join(''),
    html.join(''),
    ...escaped,
  ];
}

function htmlEscapesOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const named = namedEscapes[character];
  const numbered = [`&#0*${String(code)};`, `&#[xX]0*${anyCase(code.toString(16))};`];
  return named === undefined ? numbered : [...numbered, named];
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** In a pattern every character may be written by its number. */
function literal(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
