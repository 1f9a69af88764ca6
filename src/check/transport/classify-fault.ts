import type { TransportFault } from '../finding.ts';

/** How far an exchange came before it broke: nothing, or so many bytes of the body of an answer that had begun. */
export interface Progress {
  readonly status?: number;
  readonly received: number;
}

/** A fault as an exchange carries it. */
export interface Fault {
  readonly kind: TransportFault;
  readonly message: string;
}

/** The answer grew beyond the limit; thrown by the receiver itself. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The request cannot be written as HTTP/1.1: the client's fault, not the server's. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}

/** Whether an error of undici's says that it was asked for what it cannot send. */
export function isUnsendable(error: unknown): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'ERR_INVALID_CHAR'].includes(codeOf(error));
}

/** The total deadline of a request ran out; thrown by the receiver itself. */
export class DeadlineOver extends Error {
  override readonly name = 'DeadlineOver';
}

const kinds: Readonly<Record<string, TransportFault>> = {
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'connection-refused',
  ENETUNREACH: 'connection-refused',
  EADDRNOTAVAIL: 'connection-refused',
  ENOTFOUND: 'name-not-found',
  EAI_AGAIN: 'name-not-found',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  UND_ERR_SOCKET: 'connection-reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection-truncated',
  UNEXPECTED_EOF: 'connection-truncated',
  EPROTO: 'tls-failed',
};

const tls = /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** What an error of the network says about an exchange. Anything that nobody knows is an answer that could not be read. */
export function classifyFault(error: unknown, progress: Progress): Fault {
  if (error instanceof BodyTooLarge) return { kind: 'body-too-large', message: error.message };
  const kind = error instanceof DeadlineOver ? 'timeout' : kindOf(error, progress);
  return { kind, message: `${sentence(kind, error)}${reach(kind, progress)}.` };
}

function kindOf(error: unknown, progress: Progress): TransportFault {
  const code = codeOf(error);
  if (tls.test(code)) return 'tls-failed';
  const kind = kinds[code];
  const begun = progress.status !== undefined;
  // undici breaks off at an interim answer that nobody asked for, and at header fields that contradict each other.
  if (isBadResponse(error) || (kind === 'connection-truncated' && !begun)) return 'malformed-response';
  if (kind === 'connection-reset' && begun) return 'connection-truncated';
  return kind ?? 'malformed-response';
}

function isBadResponse(error: unknown): boolean {
  return error instanceof Error && /^bad (response|upgrade)$/.test(error.message);
}

/** The code of an error, or of the first one behind it: a refused `localhost` is one error for each of its addresses. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : '';
}

function sentence(kind: TransportFault, error: unknown): string {
  const code = codeOf(error);
  switch (kind) {
    case 'timeout':
      return error instanceof DeadlineOver ? error.message : 'the connection could not be made in time';
    case 'connection-refused':
      return code === 'ECONNREFUSED' ? 'connection refused' : `there is no way to the host (${code})`;
    case 'name-not-found':
      return 'the name of the host is not known';
    case 'tls-failed':
      return `the TLS handshake failed (${code})`;
    case 'connection-reset':
      return 'the server closed the connection without an answer';
    case 'connection-truncated':
      return 'the server broke the answer off';
    case 'headers-too-large':
      return 'the header of the answer is larger than 64 KiB';
    default:
      return `the answer is not HTTP/1.1 (${grammarFault(error)})`;
  }
}

function grammarFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isBadResponse(error)) return 'an interim answer that nobody asked for';
  if (codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'Content-Length contradicts itself, or Transfer-Encoding';
  return error.message.replace(/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, '$1');
}

function reach(kind: TransportFault, { status, received }: Progress): string {
  if (kind !== 'timeout' && kind !== 'connection-truncated') return '';
  if (status === undefined) return kind === 'timeout' ? ', before any answer' : '';
  return ` after status ${String(status)} and ${String(received)} ${received === 1 ? 'byte' : 'bytes'} of the body`;
}
