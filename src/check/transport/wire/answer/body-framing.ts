import { isSameName, type HeaderList } from '../../../../http/message.ts';
import type { Breaches, Fault } from './breaches.ts';
import { showLatin1 } from './show-bytes.ts';

/** How the body of an answer ends (RFC 9112, section 6.3). */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }
  | { readonly kind: 'broken'; readonly fault: Fault };

/** What says how a body ends. */
export interface FramedHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** HTTP/1.0 or older, which knows no transfer codings. */
  readonly old: boolean;
}

const none: BodyFraming = { kind: 'none' };
const chunked: BodyFraming = { kind: 'chunked' };
const close: BodyFraming = { kind: 'close' };

/**
 * Decides how the body ends, and notes what the header says against the rules. `method` is that of
 * the request.
 */
export function frameBody(method: string, head: FramedHead, breaches: Breaches): BodyFraming {
  let codings: string | undefined;
  let lengths: string[] | undefined;
  for (const field of head.headers) {
    if (isSameName(field[0], 'content-length')) (lengths ??= []).push(field[1]);
    else if (isSameName(field[0], 'transfer-encoding'))
      codings = codings === undefined ? field[1] : `${codings}, ${field[1]}`;
  }
  if (method === 'HEAD' || head.status === 304) return none;
  if (head.status === 204) return frameNoContent(codings, lengths, breaches);
  if (codings !== undefined) return frameCoded(codings, lengths, { head, breaches });
  return lengths === undefined ? close : frameLength(lengths, breaches);
}

/**
 * A 204 has no body whatever its header says; one of length 0 is said by many frameworks, and harms
 * nobody.
 */
function frameNoContent(
  codings: string | undefined,
  lengths: readonly string[] | undefined,
  breaches: Breaches,
): BodyFraming {
  if (codings !== undefined)
    breaches.add('framing.length-not-allowed', `a 204 answer has Transfer-Encoding: ${codings}`);
  const length = lengths?.find((value) => value.trim() !== '0');
  if (length !== undefined)
    breaches.add(
      'framing.length-not-allowed',
      `a 204 answer has Content-Length: ${showLatin1(length)}`,
    );
  return none;
}

function frameCoded(
  written: string,
  lengths: readonly string[] | undefined,
  { head, breaches }: { readonly head: FramedHead; readonly breaches: Breaches },
): BodyFraming {
  const codings = written
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '');
  if (lengths !== undefined)
    breaches.add(
      'framing.length-and-coding',
      `Content-Length: ${showLatin1(lengths.join(', '))} stands beside Transfer-Encoding: ${showLatin1(written)}`,
    );
  if (head.old)
    breaches.add(
      'framing.transfer-encoding',
      `an HTTP/1.0 answer has Transfer-Encoding: ${showLatin1(written)}`,
    );
  const last = codings.at(-1) === 'chunked';
  if (codings.length !== 1 || !last)
    breaches.add(
      'framing.transfer-encoding',
      `Transfer-Encoding is ${showLatin1(written)}, and the request asked for none but chunked`,
    );
  return last ? chunked : close;
}

function frameLength(lengths: readonly string[], breaches: Breaches): BodyFraming {
  const all =
    lengths.length === 1 && lengths[0]?.includes(',') === false
      ? lengths
      : lengths.flatMap((value) => value.split(',').map((part) => part.trim()));
  const [first = ''] = all;
  if (all.length > 1) {
    if (all.some((other) => other !== first))
      return broken(
        'framing.length-conflict',
        `Content-Length is given as ${showLatin1(all.slice(0, 5).join(' and as '))}`,
      );
    breaches.add(
      'framing.length-repeated',
      `Content-Length: ${showLatin1(first)} is given ${all.length === 2 ? 'twice' : `${String(all.length)} times`}`,
    );
  }
  return /^\d{1,15}$/.test(first)
    ? { kind: 'length', length: Number(first) }
    : broken('framing.length-invalid', `Content-Length is ${showLatin1(first)}`);
}

function broken(kind: Fault['kind'], message: string): BodyFraming {
  return { kind: 'broken', fault: { kind, message: `${message}.` } };
}
