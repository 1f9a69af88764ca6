/** A shorter writing is too likely to stand in something harmless. */
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
  const inUtf8 = bytes.length === text.length ? [] : [bytes.map((byte) => `\\x${byte}`).join('')];
  const units = [...text.split('')].map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const html = [...text].map((character) => `(?:${htmlEscapesOf(character).join('|')})`);
  return [
    `\\\\?${plain}`,
    bytes.map((byte) => `%${anyCase(byte)}`).join(''),
    units.map((unit) => `\\\\u${anyCase(unit)}`).join(''),
    html.join(''),
    ...inUtf8,
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
