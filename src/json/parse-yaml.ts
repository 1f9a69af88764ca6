import { isUtf8 } from '../platform.ts';
import { parseEvents, YAMLException } from 'js-yaml';
import { buildYaml, maxYamlDepth, YamlFault } from './build-yaml.ts';
import { positionAt, type JsonLimits, type TextProblem } from './json-problem.ts';
import { completeLimits, parseJson, parseNatively, surveyValue } from './parse-json.ts';
import { repairYamlText } from './repair-yaml.ts';
import type { JsonValue } from './value.ts';

/** The hint for a syntax error: parsers report an unclosed construct only later. */
export const syntaxHint =
  'Fix the syntax there. An unclosed bracket, brace or quote further up can also be the cause.';

/**
 * The parsed value of a YAML or JSON text, or the first problem in it; its message does not repeat
 * the location.
 */
export type YamlReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: TextProblem };

const jsonLimits = { maxDepth: maxYamlDepth, forbiddenKeys: [] } as const;

/**
 * Parses one YAML 1.2 document (core schema) or a JSON text. Dates are text, integers beyond ±(2^53
 * - 1) are `bigint`s, keys are text as written, merge keys (`<<`) are applied. Refuses duplicate
 * keys, unknown tags, more than 100 levels, and aliases that expand too far. Never throws.
 */
export function parseYaml(given: string): YamlReading {
  const text = given.startsWith(mark) ? given.slice(1) : given;
  if (!/^\s*[[{]/.test(text)) return parseBlocks(text);
  const json = parseJson(text, jsonLimits);
  if (json.ok) return json;
  const { code, reason: message, line, column } = json.problem;
  const asJson = { message, line, column };
  const asYaml = code === 'syntax' ? parseBlocks(text) : undefined;
  if (asYaml?.ok === true) return asYaml;
  // Neither format is valid: report the parser that got further.
  return {
    ok: false,
    problem: asYaml === undefined || isBefore(asYaml.problem, asJson) ? asJson : asYaml.problem,
  };
}

/**
 * A byte order mark, which some editors add. It may be ignored (RFC 8259, section 8.1; YAML 1.2.2,
 * section 5.2).
 */
const mark = '\uFEFF';
const markBytes = 3;

/** The size in bytes from which JSON is parsed in pieces. */
const largeSize = 1024 * 1024;

/**
 * Like `parseYaml` for UTF-8 bytes; invalid bytes become U+FFFD. Needs little more memory than the
 * value itself.
 */
export function parseYamlBytes(given: Uint8Array): YamlReading {
  const bytes =
    given[0] === 0xef && given[1] === 0xbb && given[2] === 0xbf ? given.subarray(markBytes) : given;
  const large =
    bytes.length > largeSize ? parseLargeJson(bytes, completeLimits(jsonLimits)) : undefined;
  return large === undefined
    ? parseYaml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    : { ok: true, value: large };
}

export interface RepairedYaml {
  readonly value: JsonValue;
  readonly repairs: readonly TextProblem[];
  /** The text as it was read, line for line. */
  readonly text: string;
}

/**
 * Reads a text that `parseYaml` refuses, with the repairs of `repairYamlText` and `buildYaml`.
 * Undefined if they are not enough. Never throws.
 */
export function parseFaultyYaml(given: string): RepairedYaml | undefined {
  const plain = given.startsWith(mark) ? given.slice(1) : given;
  const { text, repairs } = repairYamlText(withoutControls(plain));
  const found = [...repairs];
  try {
    const events = parseEvents(text, { maxDepth: 2 * maxYamlDepth });
    const value = buildYaml(events, text, (message, offset) => {
      found.push({ message: asSentence(message), ...positionAt(text, offset) });
    });
    return { value, repairs: found, text };
  } catch {
    return undefined;
  }
}

/** Control characters that YAML refuses (YAML 1.2.2, section 5.1) are read as spaces. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ');
}

function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function isBefore(left: TextProblem, right: TextProblem): boolean {
  return left.line < right.line || (left.line === right.line && left.column <= right.column);
}

function parseBlocks(text: string): YamlReading {
  try {
    return { ok: true, value: buildYaml(parseEvents(text, { maxDepth: 2 * maxYamlDepth }), text) };
  } catch (error) {
    return { ok: false, problem: describe(error, text) };
  }
}

/** js-yaml documents that it can throw any exception. */
function describe(error: unknown, text: string): TextProblem {
  if (error instanceof YamlFault)
    return { message: error.message, ...positionAt(text, error.offset) };
  if (!(error instanceof YAMLException))
    return { message: `the text cannot be read as YAML: ${String(error)}`, line: 1, column: 1 };
  return {
    message: explain(error.reason),
    line: (error.mark?.line ?? 0) + 1,
    column: (error.mark?.column ?? 0) + 1,
  };
}

function explain(reason: string): string {
  if (reason.startsWith('nesting exceeded'))
    return `lists and mappings are nested more than ${maxYamlDepth} levels deep`;
  return reason === 'bad indentation of a mapping entry'
    ? `${reason}, or text with \`: \` in it that is not quoted`
    : reason;
}

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
    return parseNatively(piece);
  }

  /**
   * The end of the value at this position; undefined for an array or object that is larger than a
   * piece or nested too deep.
   */
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
