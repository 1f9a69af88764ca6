import { decodeUtf8 } from '../json/parse-json.ts';
import { headerValue, type HttpRequest } from './message.ts';

/** From this length on, a character that is repeated is written by `printf`, once. */
const longRun = 200;
const runs = new RegExp(`([^\\s%'\\\\-])\\1{${String(longRun - 1)},}`, 'gu');

/**
 * A text as one literal word for a shell. A command with ten thousand letters in a row fills a log,
 * and is longer than some shells take.
 */
export function shellQuote(text: string): string {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  return quoted.replaceAll(runs, (run, letter: string) => {
    const count = String(run.length / letter.length);
    return `'"$(printf '${letter}%.0s' $(seq ${count}))"'`;
  });
}

/** A header field for `-H`: curl omits `name:`, and sends an empty value for `name;`. */
export function curlField(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

export interface CurlBody {
  /** What is written before `curl`, for a body that is not text. */
  readonly pipe: string;
  readonly words: readonly string[];
}

/** How curl sends the body of a request. `quote` writes a text as one word of the shell. */
export function curlBody(
  { body, headers }: Pick<HttpRequest, 'body' | 'headers'>,
  quote: (text: string) => string,
): CurlBody {
  const declared = headerValue(headers, 'content-type');
  // An empty body of a type is a body, with a length of 0, to many servers.
  if (body.length === 0 && declared === undefined) return { pipe: '', words: [] };
  // Otherwise curl adds its own Content-Type.
  const type = declared === undefined ? ["-H 'Content-Type:'"] : [];
  const text = shellText(body);
  if (text !== undefined) return { pipe: '', words: [...type, `--data-raw ${quote(text)}`] };
  return { pipe: `printf ${quoteOctets(body)} | `, words: [...type, '--data-binary @-'] };
}

/** The text of a body; undefined if a shell argument cannot hold it: not UTF-8, or with NUL. */
function shellText(body: Uint8Array): string | undefined {
  const reading = decodeUtf8(body);
  return reading.ok && !reading.text.includes('\0') ? reading.text : undefined;
}

/** Every byte in octal, which each POSIX `printf` understands. */
function quoteOctets(body: Uint8Array): string {
  return `'${[...body].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}
