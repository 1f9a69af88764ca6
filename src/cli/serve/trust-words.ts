import { shellQuote } from '../../check/reproduction/shell-quote.ts';
import type { RunningMock } from '../../library/start-mock.ts';

/**
 * What curl needs besides, so that it takes the certificate that was made for this start; nothing
 * for one that was given.
 */
export function trustWords({ tls }: Pick<RunningMock, 'tls'>): string[] {
  if (tls?.authority === undefined) return [];
  return tls.caFile === undefined ? ['-k'] : [`--cacert ${shellQuote(tls.caFile)}`];
}
