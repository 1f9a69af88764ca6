import type { HttpRequest } from '../../http/message.ts';
import { joinHead } from './entry-text.ts';

type Head = Pick<HttpRequest, 'method' | 'target' | 'headers'>;

/**
 * The bytes of request heads. Clients send the same words over and over: those of the last head are
 * made only once.
 */
export class HeadBytes {
  #head: Head = { method: '', target: '', headers: [] };
  #bytes: Uint8Array = Buffer.from(joinHead(this.#head));

  /** Method, target and header fields as `splitHead` reads them; nobody may change them. */
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
