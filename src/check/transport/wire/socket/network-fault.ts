import type { Fault } from '../answer/breaches.ts';

/**
 * The stage of a connection: name lookup and connecting, the proxy, the TLS handshake, or ready.
 */
export type ConnectionStage = 'calling' | 'proxy' | 'securing' | 'ready';

const unknownName = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EAI_NONAME',
  'EAI_FAIL',
  'ESERVFAIL',
  'ENODATA',
  'EREFUSED',
]);

/**
 * Why there is no connection: four causes that do not concern any operation (dns, connection,
 * proxy, tls).
 */
export function connectFault(error: unknown, stage: ConnectionStage): Fault {
  const code = innermostCode(error);
  switch (stage) {
    case 'proxy':
      return {
        kind: 'proxy.failed',
        message: error instanceof Error ? `${error.message}.` : 'the proxy gave no connection.',
      };
    case 'securing':
      return {
        kind: 'tls.failed',
        message: `the TLS handshake failed (${code === '' ? 'the server broke it off' : code}).`,
      };
    default:
      if (unknownName.has(code))
        return { kind: 'dns.failed', message: `the name of the host is not known (${code}).` };
      if (code === 'ETIMEDOUT')
        return { kind: 'timeout', message: 'the connection could not be made in time.' };
      return {
        kind: 'connection.refused',
        message:
          code === 'ECONNREFUSED' ? 'connection refused.' : `no route to the host (${code}).`,
      };
  }
}

/**
 * The code of an error, or of the first nested one: a refused `localhost` is one error for each of
 * its addresses.
 */
function innermostCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return innermostCode(error.errors[0]);
  return 'cause' in error ? innermostCode(error.cause) : '';
}
