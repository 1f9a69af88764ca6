import { VouchError } from '../../errors.ts';
import { parseYaml, parseYamlBytes, syntaxHint } from '../../json/parse-yaml.ts';
import type { JsonValue } from '../../json/value.ts';
import { codeFrame } from '../locate.ts';

/** The value of a document (YAML or JSON; bytes are UTF-8). Throws a VouchError with the place where it is neither. */
export function parseDocument(source: string | Uint8Array, file: string): JsonValue {
  const reading = typeof source === 'string' ? parseYaml(source) : parseYamlBytes(source);
  if (reading.ok) return reading.value;
  const { message, line, column } = reading.problem;
  throw new VouchError('contract-unreadable', `${file} is not readable as YAML or JSON: ${message}`, {
    place: { file, line, column },
    frame: codeFrame(typeof source === 'string' ? source : Buffer.from(source).toString('utf8'), { line, column }),
    hint: syntaxHint,
  });
}
