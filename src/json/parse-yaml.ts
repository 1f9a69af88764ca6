import { parseEvents, YAMLException } from 'js-yaml';
import { buildYaml, maxYamlDepth, YamlFault } from './build-yaml.ts';
import { positionAt } from './json-problem.ts';
import { completeLimits, parseJson } from './parse-json.ts';
import { parseLargeJson } from './parse-large-json.ts';
import { repairYamlText, type TextRepair } from './repair-yaml.ts';
import type { JsonValue } from './value.ts';

/**
 * An error in a YAML text with its 1-based line and column. The message does not repeat the
 * location.
 */
export interface YamlProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The hint for a syntax error: parsers report an unclosed construct only later. */
export const syntaxHint =
  'Fix the syntax there. An unclosed bracket, brace or quote further up can also be the cause.';

/** The parsed value of a YAML or JSON text, or the first problem in it. */
export type YamlReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: YamlProblem };

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

/** A text that was read with repairs. */
export interface RepairedYaml {
  readonly value: JsonValue;
  readonly repairs: readonly TextRepair[];
  /** The text as it was read, line for line. */
  readonly text: string;
}

/**
 * Reads a text that `parseYaml` refuses, as far as what is wrong in it can be repaired: see
 * `repairYamlText` and `buildYaml`. Undefined where something else is wrong. Never throws.
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

function isBefore(left: YamlProblem, right: YamlProblem): boolean {
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
function describe(error: unknown, text: string): YamlProblem {
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
