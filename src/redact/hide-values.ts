import {
  codedWritings,
  escapedWriting,
  makeCutHider,
  makeFormHider,
  type SecretForm,
} from './hide-forms.ts';
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
