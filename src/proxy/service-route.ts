import { findSystemAddresses, type Route } from '../check/transport/wire/socket/open-socket.ts';
import { hostOf, isLoopbackHost } from '../http/host.ts';

/** How a service is reached. */
export interface ServiceOptions {
  /** Certificates to trust in place of Node's, as PEM. */
  readonly ca?: string;
  /** Accepts any certificate of the service. */
  readonly insecure?: boolean | undefined;
  /** The host that the service sees. Default: `client` on this machine, `service` elsewhere. */
  readonly hostHeader?: 'client' | 'service' | undefined;
}

/** The way to the service. */
export function routeOf(url: string, { ca, insecure }: ServiceOptions): Route {
  const { protocol, port } = new URL(url);
  const secure = protocol === 'https:';
  return {
    host: hostOf(new URL(url)),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    secure,
    proxy: undefined,
    findAddresses: findSystemAddresses,
    trust: { ca, insecure },
  };
}

/**
 * The host that replaces the client's; undefined: it stays. On this machine, links that a service
 * makes from the host lead to the proxy again; elsewhere, a service may be chosen by its host.
 */
export function hostFieldOf(url: string, { hostHeader }: ServiceOptions): string | undefined {
  const parsed = new URL(url);
  const chosen = hostHeader ?? (isLoopbackHost(hostOf(parsed)) ? 'client' : 'service');
  return chosen === 'service' ? parsed.host : undefined;
}
