import type { HeaderList } from '../../../../http/message.ts';
import type { Breaches, Fault } from './breaches.ts';
import { showLatin1 } from './show-bytes.ts';

/**
 * The status line and the header fields of an answer, names and values as they stood on the wire.
 */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** HTTP/1.0, which closes unless told otherwise and knows no transfer codings. */
  readonly old: boolean;
}

/** A head, or why the answer cannot be used. */
export type HeadReading =
  | { readonly ok: true; readonly head: ResponseHead }
  | { readonly ok: false; readonly fault: Fault };

const statusLine = /^HTTP\/(\d)\.(\d) (\d{3})(?: |$)/;
/**
 * A line end that is not CRLF, a NUL, or a line that begins with a blank: all of them are rare, and
 * looked at one by one.
 */
const odd = /\0|\r(?!\n)|(?<!\r)\n|\n[ \t]/;

/**
 * Reads what came before the empty line, the empty line left out. `text` has a character for each
 * byte.
 */
export function readHead(text: string, breaches: Breaches): HeadReading {
  const lines = odd.test(text) ? unfold(text, breaches) : text.split('\r\n');
  const first = lines[0] ?? '';
  const match = statusLine.exec(first);
  if (match === null) return { ok: false, fault: badStatusLine(first) };
  const status = Number(match[3]);
  if (status < 100 || status > 599)
    return {
      ok: false,
      fault: {
        kind: 'status.invalid',
        message: `the status is ${String(status)}, in ${showLatin1(first)}.`,
      },
    };
  if (match[1] !== '1') breaches.add('protocol.version', `the status line is ${showLatin1(first)}`);
  return {
    ok: true,
    head: {
      status,
      headers: readFields(lines, breaches),
      old: match[1] === '1' && match[2] === '0',
    },
  };
}

function badStatusLine(line: string): Fault {
  const match = /^HTTP\/\S+\s+(\S+)/.exec(line);
  if (match !== null && !/^\d{3}$/.test(match[1] ?? ''))
    return {
      kind: 'status.invalid',
      message: `the status is ${showLatin1(match[1] ?? '')}, in ${showLatin1(line)}.`,
    };
  return {
    kind: 'protocol.not-http',
    message: `the answer is not HTTP/1.1: it begins with ${showLatin1(line)}.`,
  };
}

/**
 * Lines as far as sense can be made of them: any line end, folded lines joined, NUL and CR read as
 * a space (RFC 9110, section 5.5).
 */
function unfold(text: string, breaches: Breaches): string[] {
  const lines: string[] = [];
  const raws = text.split('\n');
  raws.forEach((raw, index) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    // The last line lost its end with the empty line after it.
    if (line === raw && index < raws.length - 1)
      breaches.add(
        'framing.bare-lf',
        `a line of the header ends in LF without CR: ${showLatin1(line)}`,
      );
    if (/[\0\r]/.test(line))
      breaches.add(
        'framing.header-value',
        `a line of the header holds ${line.includes('\0') ? 'NUL' : 'CR alone'}: ${showLatin1(line)}`,
      );
    const clean = line.replaceAll(/[\0\r]/g, ' ');
    const last = lines.length - 1;
    if (/^[ \t]/.test(clean) && last > 0) {
      breaches.add(
        'framing.header-fold',
        `a header field is folded over two lines, the second of which is ${showLatin1(line)}`,
      );
      lines[last] = `${lines[last] ?? ''} ${trimBlanks(clean)}`;
    } else lines.push(clean);
  });
  return lines;
}

/**
 * Only blanks and tabs stand around a value (RFC 9110, section 5.6.3): a character here is a byte,
 * and 0xA0 may be half of one.
 */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

type Field = HeaderList[number];

function readFields(lines: readonly string[], breaches: Breaches): HeaderList {
  const fields: Field[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const field = known.get(line) ?? readField(line);
    if (field === undefined) readOddField(line, { fields, breaches });
    else fields.push(field);
  }
  return fields;
}

// A server says nearly the same in each of its answers. What is said once only is forgotten together with the rest.
const known = new Map<string, Field>();
const mostKnown = 256;
const longestKnown = 128;

function readField(line: string): Field | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon <= 0 || !token.test(name)) return undefined;
  const field: Field = [name, trimBlanks(line.slice(colon + 1))];
  if (known.size >= mostKnown) known.clear();
  if (line.length <= longestKnown) known.set(line, field);
  return field;
}

/** A name with blanks around it still means what it says; what has no name is left out. */
function readOddField(
  line: string,
  {
    fields,
    breaches,
  }: { readonly fields: (readonly [string, string])[]; readonly breaches: Breaches },
): void {
  breaches.add('framing.header-line', `a line of the header is no field: ${showLatin1(line)}`);
  const [, name, value] = /^[ \t]*([^:\s]+)[ \t]*:(.*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined && token.test(name))
    fields.push([name, trimBlanks(value)]);
}
