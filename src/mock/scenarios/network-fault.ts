/**
 * What happens to an answer on the wire. `reset`, `empty`, `garbage` and `hang` leave no answer at
 * all, unless `reset` is to come after some bytes of one; the others do harm to an answer. `after`
 * counts bytes of the body, half of it where it is left out.
 */
export type NetworkFault =
  /** The connection is reset (RST): at once, or after so many bytes of the body. */
  | { readonly kind: 'reset'; readonly after?: number }
  /** The connection closes without a byte. */
  | { readonly kind: 'empty' }
  /** Bytes that are no HTTP, and then the connection closes. */
  | { readonly kind: 'garbage' }
  /** No byte, until the client leaves or the time has passed; then the connection closes. */
  | { readonly kind: 'hang'; readonly forMs: number }
  /** `Content-Length` is right, and the connection closes before that many bytes have come. */
  | { readonly kind: 'truncated'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and the connection closes before the last chunk. */
  | { readonly kind: 'truncated-chunks'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and then a chunk whose size is no number. */
  | { readonly kind: 'malformed-chunk'; readonly after?: number }
  /** `Content-Length` is so many bytes more, or fewer, than the whole body that comes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /**
   * The whole body, so many bytes at a time. Nothing is wrong with it but the time that it takes.
   */
  | { readonly kind: 'dribble'; readonly bytes: number; readonly everyMs: number };

/** In which way the wire fails. */
export type NetworkFaultKind = NetworkFault['kind'];

/** Every kind, in the order in which they are told. */
export const networkFaultKinds = [
  'reset',
  'empty',
  'garbage',
  'hang',
  'truncated',
  'truncated-chunks',
  'malformed-chunk',
  'wrong-length',
  'dribble',
] as const satisfies readonly NetworkFaultKind[];

/**
 * Whether a fault needs an answer that it does harm to; the others need none, and then the request
 * has no effect.
 */
export function harmsAnswer(fault: NetworkFault): boolean {
  return fault.kind === 'reset'
    ? fault.after !== undefined
    : !['empty', 'garbage', 'hang'].includes(fault.kind);
}
