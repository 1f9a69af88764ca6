import { VouchError } from '../../errors.ts';
import { parseYaml, parseYamlBytes, syntaxHint } from '../../json/parse-yaml.ts';
import type { JsonValue } from '../../json/value.ts';
import { codeFrame } from '../locate.ts';

/**
 * The value of a document (YAML or JSON; bytes are UTF-8). Throws a VouchError with the place where
 * it is neither, or with the encoding that it has instead.
 */
export function parseDocument(source: string | Uint8Array, file: string): JsonValue {
  refuseOtherEncodings(source, file);
  const reading = typeof source === 'string' ? parseYaml(source) : parseYamlBytes(source);
  if (reading.ok) return reading.value;
  const { message, line, column } = reading.problem;
  throw new VouchError(
    'contract-unreadable',
    `${file} is not readable as YAML or JSON: ${message}`,
    {
      place: { file, line, column },
      frame: codeFrame(typeof source === 'string' ? source : Buffer.from(source).toString('utf8'), {
        line,
        column,
      }),
      hint: syntaxHint,
    },
  );
}

/**
 * The first character of a document is ASCII or a byte order mark: the zeros around it tell the
 * encoding (YAML 1.2.2, section 5.2).
 */
function refuseOtherEncodings(source: string | Uint8Array, file: string): void {
  if (typeof source === 'string') return;
  const [first, second, third, fourth] = source;
  const encoding =
    first === 0 && second === 0
      ? 'UTF-32'
      : (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
        ? third === 0 && fourth === 0
          ? 'UTF-32'
          : 'UTF-16'
        : (first === 0xfe && second === 0xff) || first === 0
          ? 'UTF-16'
          : undefined;
  if (encoding === undefined || source.length < 2) return;
  throw new VouchError(
    'contract-unreadable',
    `${file} is written in ${encoding}, and documents are read in UTF-8.`,
    { hint: `Save it as UTF-8: iconv -f ${encoding} -t UTF-8 ${file} > utf-8.yaml` },
  );
}
