/** A shorter writing is too likely to stand in something harmless. */
const shortestCoded = 8;

/**
 * How a text looks inside of something that was coded as a whole: in hexadecimal, with every byte percent-encoded, and in
 * base64 that begins before it and ends behind it (RFC 4648, sections 4, 5 and 8). Of base64 the part is meant that depends on
 * the text alone; up to two characters at its edges hold bits of it too.
 */
export function codedWritings(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const percent = hex.replaceAll(/../g, '%$&');
  const base64 = [0, 1, 2].map((before) => base64Inside(bytes, before));
  const urlSafe = base64.map((coded) => coded.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), percent, percent.toUpperCase(), ...base64, ...urlSafe].filter((coded) => coded.length >= shortestCoded);
}

/** Each character of base64 stands for 6 bits: those are kept whose bits are all known. */
function base64Inside(bytes: Buffer, before: number): string {
  const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Finds a text of which any character may be written as an escape: percent-encoded, as in JSON, as in HTML. */
export function escapedWriting(text: string): RegExp {
  return new RegExp([...text].map(anyEscape).join(''), 'gu');
}

function anyEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const percent = [...Buffer.from(character, 'utf8')].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => `\\\\u${anyCase(character.charCodeAt(at).toString(16).padStart(4, '0'))}`).join('');
  const html = [`&#0*${String(code)};`, `&#[xX]0*${anyCase(hex)};`, ...(named[character] === undefined ? [] : [named[character]])];
  return `(?:${[`\\\\?${literal(character)}`, percent, units, ...html].join('|')})`;
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** In a pattern every character may be written by its number. */
function literal(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
