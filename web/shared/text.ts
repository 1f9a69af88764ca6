const hidden = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e007f}]' +
    '|\\p{Cs}',
  'gu',
);

/**
 * Escapes every character that a browser would not show: control characters, bidi marks and lone
 * surrogates. Idempotent.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length < 3 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
  });
}

/** A number with its noun: `1 exchange`, `1,200 exchanges`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A duration: `3.2 ms`, `240 ms`, `1.50 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`;
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The text, cut to `most` characters with an ellipsis. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** Percent-encodes a part of an address; a lone surrogate has no encoding and is replaced. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Reverses `encode`; a part that is not encoded correctly stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text contains every one of the words, in any order and case. */
export function matchesWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/**
 * Formats JSON by its tokens without parsing it: numbers keep every digit, duplicate names stay,
 * and text that is not JSON stays nearly unchanged.
 */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g) ?? [];
  const opens = (token: string | undefined): boolean => token === '{' || token === '[';
  const closes = (token: string | undefined): boolean => token === '}' || token === ']';
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.max(0, depth))}`;
  return tokens
    .map((token, index) => {
      if (opens(token)) {
        if (closes(tokens[index + 1])) return token;
        depth += 1;
        return token + newLine();
      }
      if (closes(token)) {
        if (opens(tokens[index - 1])) return token;
        depth -= 1;
        return newLine() + token;
      }
      if (token === ',') return token + newLine();
      return token === ':' ? ': ' : token;
    })
    .join('');
}

/**
 * JSON.rawJSON and the third argument of a reviver (ECMAScript 2026), which not every browser has
 * yet.
 */
const rawJSON = (JSON as { readonly rawJSON?: (text: string) => unknown }).rawJSON;
type SourceReviver = (
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

/** A number that a double cannot hold, kept as its original text. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  toJSON(): unknown {
    return rawJSON === undefined ? this.source : rawJSON(this.source);
  }
}

const revive: SourceReviver = (_key, value, context) => {
  const source = context?.source;
  const isRounded =
    typeof value === 'number' &&
    source !== undefined &&
    String(value) !== source &&
    /^-?\d{16,}$/.test(source);
  return isRounded ? new ExactNumber(source) : value;
};

/** Parses JSON; numbers keep every digit. The caller knows the type from the route. */
export function readJson(text: string): unknown {
  return JSON.parse(text, revive);
}

/** Formats JSON; other text is unchanged. */
export function prettyBody(text: string): string {
  try {
    JSON.parse(text);
    return indentJson(text);
  } catch {
    return text;
  }
}

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The time of day of a timestamp: `14:03:59`. */
export function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
