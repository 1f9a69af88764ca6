import { isIP } from 'node:net';
import { hostOf, isLoopbackHost, isMetadataHost } from '../../http/host.ts';

/** Whom the mock may send a request to: itself, and what was allowed by name. */
export interface HostRules {
  /** Names and addresses, each with a port or without; `*` is every host. */
  readonly allow: readonly string[];
}

/**
 * Why a request does not go to a host: a clause without a subject, and whether the flag would let
 * it through.
 */
export interface Refusal {
  readonly reason: string;
  readonly mayBeAllowed: boolean;
}

/**
 * Judges a URL before anything is looked up. A name that is not allowed is not looked up either,
 * unless it is a name of this machine.
 */
export function refuseUrl(url: URL, rules: HostRules): Refusal | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0 || isMetadataHost(host)) return refuseAddress(host, isAllowed(url, rules));
  if (isLoopbackHost(host) || isAllowed(url, rules)) return undefined;
  return { reason: 'does not lead to this machine', mayBeAllowed: true };
}

/**
 * Judges the address that a host has: the one it was written as, or one that its name resolves to.
 */
export function refuseAddress(address: string, allowed: boolean): Refusal | undefined {
  if (isMetadataHost(address))
    return {
      reason: `leads to ${address}, a link-local or metadata address, where nothing is ever sent`,
      mayBeAllowed: false,
    };
  if (allowed || isLoopbackHost(address)) return undefined;
  return { reason: `leads to ${address}, which is not this machine`, mayBeAllowed: true };
}

/** Whether a host was allowed by name. */
export function isAllowed(url: URL, { allow }: HostRules): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allow.some((entry) => {
    const wanted = entry.toLowerCase();
    return (
      wanted === '*' ||
      wanted.replace(/^\[(.*)\]$/, '$1') === host ||
      wanted === `${host}:${port}` ||
      wanted === `[${host}]:${port}`
    );
  });
}
