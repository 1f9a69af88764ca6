import { type ErrorCode, VouchError } from '../../errors.ts';
import type { TextProblem } from '../../json/json-problem.ts';
import { parseFaultyYaml, parseYaml, parseYamlBytes, syntaxHint } from '../../json/parse-yaml.ts';
import type { RepairedText } from '../../json/repair-yaml.ts';
import type { JsonValue } from '../../json/value.ts';
import { codeFrame } from '../locate.ts';

/** The value of a document, and what was repaired in order to read it. */
export interface ParsedDocument {
  readonly value: JsonValue;
  readonly repaired?: RepairedText;
}

/**
 * Parses a document (YAML or JSON; bytes are UTF-8). Repairs YAML errors that many parsers accept.
 * Throws a VouchError with the place of a syntax error, or with the encoding that the document has
 * instead.
 */
export function parseDocument(source: string | Uint8Array, file: string): ParsedDocument {
  refuseOtherEncodings(source, file);
  const reading = typeof source === 'string' ? parseYaml(source) : parseYamlBytes(source);
  if (reading.ok) return reading;
  const text =
    typeof source === 'string'
      ? source
      : new TextDecoder('utf-8', { ignoreBOM: true }).decode(source);
  const repaired = parseFaultyYaml(text);
  if (repaired !== undefined) return { value: repaired.value, repaired };
  throw unreadable(reading.problem, { code: 'contract-unreadable', file, text });
}

/**
 * The error for a text with a syntax error. It shows the text, and what the parser says of it, only
 * if the file is a document by its name or its beginning: anything else may be a secret that a
 * document names.
 */
export function unreadable(
  { message, line, column }: TextProblem,
  { code, file, text }: { readonly code: ErrorCode; readonly file: string; readonly text: string },
): VouchError {
  if (!isDocument(file, text))
    return new VouchError(code, `${file} is neither YAML nor JSON.`, {
      hint: 'Name an OpenAPI document, or another file of vouch.',
    });
  return new VouchError(code, `${file} is not readable as YAML or JSON: ${message}`, {
    place: { file, line, column },
    frame: codeFrame(text, { line, column }),
    hint: syntaxHint,
  });
}

function isDocument(file: string, text: string): boolean {
  return (
    /\.(?:ya?ml|json)(?:[?#].*)?$/i.test(file) ||
    /^\s*\{?\s*["']?(?:openapi|swagger|arazzo|overlay)["']?\s*:/m.test(text)
  );
}

/**
 * The first character of a document is ASCII or a byte order mark: the zeros around it show the
 * encoding (YAML 1.2.2, section 5.2).
 */
function refuseOtherEncodings(source: string | Uint8Array, file: string): void {
  const encoding = typeof source === 'string' ? undefined : otherEncoding(source);
  if (encoding === undefined) return;
  throw new VouchError(
    'contract-unreadable',
    `${file} is encoded in ${encoding}, but must be UTF-8.`,
    { hint: `Save it as UTF-8: iconv -f ${encoding} -t UTF-8 ${file} > utf-8.yaml` },
  );
}

function otherEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second, third, fourth] = bytes;
  if (first === 0 && second === 0) return 'UTF-32';
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  if (isLittleEndian) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  return first === 0 || (first === 0xfe && second === 0xff) ? 'UTF-16' : undefined;
}
