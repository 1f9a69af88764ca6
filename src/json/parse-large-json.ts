import { isUtf8 } from 'node:buffer';
import { surveyValue } from './parse-json.ts';
import type { JsonLimits } from './json-problem.ts';
import type { JsonValue } from './value.ts';

/** The size of the pieces that are decoded and parsed separately, in bytes. */
const defaultPieceSize = 64 * 1024;

/**
 * Parses a JSON text of many megabytes without holding it as one string, which would need up to
 * twice its size. Returns undefined if the text is invalid, exceeds a limit, or needs an exact
 * parse (an integer beyond 2^53, an escaped surrogate): the caller then parses it as a whole.
 */
export function parseLargeJson(
  bytes: Uint8Array,
  limits: Required<JsonLimits>,
  pieceSize = defaultPieceSize,
): JsonValue | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(text) || text.includes('\\ud') || text.includes('\\uD')) return undefined;
  const reader = new LargeReader(text, limits.maxDepth, pieceSize);
  const value = reader.read();
  if (value === undefined) return undefined;
  const read = surveyValue(value, limits.forbiddenKeys);
  // The last of two equal names wins, so duplicates reduce the number of members.
  return read.infinite || read.forbidden || read.rounded || read.members !== reader.members
    ? undefined
    : value;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

class LargeReader {
  /** The number of members in the text. */
  members = 0;
  readonly #bytes: Buffer;
  readonly #maxDepth: number;
  readonly #pieceSize: number;
  #at = 0;

  constructor(bytes: Buffer, maxDepth: number, pieceSize: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#pieceSize = pieceSize;
  }

  read(): JsonValue | undefined {
    this.#skipBlank();
    const value = this.#value(0);
    this.#skipBlank();
    return this.#at === this.#bytes.length ? value : undefined;
  }

  /** The value at this position; undefined if it cannot be parsed. */
  #value(depth: number): JsonValue | undefined {
    const end = this.#endOfPiece(depth);
    if (end !== undefined) return this.#parse(end);
    if (depth >= this.#maxDepth) return undefined;
    return this.#bytes[this.#at] === 0x7b
      ? this.#object(depth)
      : this.#bytes[this.#at] === 0x5b
        ? this.#array(depth)
        : undefined;
  }

  #object(depth: number): JsonValue | undefined {
    const entries: [string, JsonValue][] = [];
    do {
      this.#at += 1;
      this.#skipBlank();
      const name =
        this.#bytes[this.#at] === quote ? this.#parse(this.#endOfString(this.#at)) : undefined;
      this.#skipBlank();
      if (typeof name !== 'string' || this.#bytes[this.#at] !== colon) return undefined;
      this.members += 1;
      this.#at += 1;
      this.#skipBlank();
      const value = this.#value(depth + 1);
      if (value === undefined) return undefined;
      entries.push([name, value]);
      this.#skipBlank();
    } while (this.#bytes[this.#at] === comma);
    return this.#close(0x7d) ? Object.fromEntries(entries) : undefined;
  }

  #array(depth: number): JsonValue | undefined {
    const items: JsonValue[] = [];
    do {
      this.#at += 1;
      this.#skipBlank();
      const item = this.#value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      this.#skipBlank();
    } while (this.#bytes[this.#at] === comma);
    return this.#close(0x5d) ? items : undefined;
  }

  #close(closer: number): boolean {
    const isClosed = this.#bytes[this.#at] === closer;
    this.#at += 1;
    return isClosed;
  }

  #parse(end: number): JsonValue | undefined {
    const piece = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    try {
      // JSON.parse returns only JSON values.
      return JSON.parse(piece) as JsonValue;
    } catch {
      return undefined;
    }
  }

  /**
   * The end of the value at this position; undefined for an array or object that is larger than a
   * piece or nested too deep.
   */
  // oxlint-disable-next-line complexity -- one loop that passes every byte, flat for its speed
  #endOfPiece(depth: number): number | undefined {
    // This loop visits every byte once and uses only local variables.
    const bytes = this.#bytes;
    const limit = this.#at + this.#pieceSize;
    const deepest = this.#maxDepth - depth;
    let open = 0;
    let members = 0;
    let at = this.#at;
    for (; at < bytes.length; at += 1) {
      const code = bytes[at];
      if (code === quote) {
        at += 1;
        for (let inside = bytes[at]; inside !== quote && inside !== undefined; inside = bytes[at])
          at += inside === backslash ? 2 : 1;
        if (open === 0) break;
      } else if (code === colon) members += 1;
      else if (code === 0x7b || code === 0x5b) {
        open += 1;
        if (open > deepest || at > limit) return undefined;
      } else if (code === 0x7d || code === 0x5d) {
        open -= 1;
        if (open <= 0) break;
      } else if (code === comma && open === 0) break;
    }
    this.members += members;
    // A literal or number ends before the next character, any other value with its last one.
    const last = bytes[at];
    return last === comma || open < 0 ? at : Math.min(at + 1, bytes.length);
  }

  #endOfString(start: number): number {
    const bytes = this.#bytes;
    let at = start + 1;
    for (let code = bytes[at]; code !== quote && code !== undefined; code = bytes[at])
      at += code === backslash ? 2 : 1;
    return Math.min(at + 1, bytes.length);
  }

  #skipBlank(): void {
    for (
      let code = this.#bytes[this.#at];
      code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
      code = this.#bytes[this.#at]
    )
      this.#at += 1;
  }
}
