import type { HeaderList, HttpRequest } from '../../http/message.ts';

type Head = Pick<HttpRequest, 'method' | 'target' | 'headers'>;

/** The bytes of request heads. Caches the last head, because clients repeat theirs. */
export class HeadBytes {
  #head: Head = { method: '', target: '', headers: [] };
  #bytes: Uint8Array = Buffer.from(joinHead(this.#head));

  /** Method, target and header fields in the format of `splitHead`; must not be modified. */
  of(head: Head): Uint8Array {
    if (!isSame(this.#head, head)) {
      const { method, target, headers } = head;
      this.#bytes = Buffer.from(joinHead(head));
      this.#head = { method, target, headers };
    }
    return this.#bytes;
  }
}

function isSame(known: Head, { method, target, headers }: Head): boolean {
  if (known.target !== target || known.method !== method) return false;
  if (known.headers === headers) return true;
  if (known.headers.length !== headers.length) return false;
  for (let at = 0; at < headers.length; at += 1) {
    const [before, field] = [known.headers[at], headers[at]];
    if (
      before === undefined ||
      field === undefined ||
      before[0] !== field[0] ||
      before[1] !== field[1]
    )
      return false;
  }
  return true;
}

/**
 * A character that no method, target, or received header field can contain (RFC 9110, section 5.5).
 */
const end = '\n';

/** Joins method, target and header fields of a request into one text. */
function joinHead({
  method,
  target,
  headers,
}: Pick<HttpRequest, 'method' | 'target' | 'headers'>): string {
  return method + end + target + end + joinFields(headers);
}

/**
 * Joins header fields into one text. A line end in a response of a scenario becomes a space, as
 * when it is sent.
 */
export function joinFields(headers: HeaderList): string {
  let text = '';
  for (const [name, value] of headers)
    text += name + end + (value.includes(end) ? value.replaceAll(end, ' ') : value) + end;
  return text;
}

/** Splits a text of `joinHead`. */
export function splitHead(text: string): Pick<HttpRequest, 'method' | 'target' | 'headers'> {
  const [method = '', target = ''] = text.split(end, 2);
  return {
    method,
    target,
    headers: splitFields(text.slice(method.length + target.length + 2 * end.length)),
  };
}

/** Splits a text of `joinFields`. */
export function splitFields(text: string): HeaderList {
  const parts = text.split(end);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index): [string, string] => [
    parts[2 * index] ?? '',
    parts[2 * index + 1] ?? '',
  ]);
}
