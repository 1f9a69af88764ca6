import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VouchError } from '../errors.ts';

/** How many ports after the wanted one are tried. */
const furtherPorts = 50;

/**
 * Listens on the wanted port, or on the next one that is free; on any port for 0. Resolves to the
 * port; rejects with `port-taken` where all are taken, and with `prism-failed` where the host
 * cannot be listened on.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const last = port === 0 ? 0 : Math.min(port + furtherPorts, 65_535);
  for (let candidate = port; candidate <= last; candidate += 1) {
    const failure = await tryPort(server, host, candidate);
    // Only a server on a pipe has no port.
    if (failure === undefined) return (server.address() as AddressInfo).port;
    if (failure.code !== 'EADDRINUSE') {
      throw new VouchError(
        'prism-failed',
        `Prism cannot listen on ${host}, port ${candidate}: ${failure.message}.`,
        {
          hint: 'Choose another host or port.',
          cause: failure,
        },
      );
    }
  }
  throw new VouchError('port-taken', `The ports ${port} to ${last} of ${host} are all taken.`, {
    hint: 'Choose another port for Prism, or 0 for any.',
  });
}

function tryPort(
  server: Server,
  host: string,
  port: number,
): Promise<NodeJS.ErrnoException | undefined> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  const listening = (): void => settle(undefined);
  const settle = (failure: NodeJS.ErrnoException | undefined): void => {
    server.off('error', settle);
    server.off('listening', listening);
    resolve(failure);
  };
  server.once('error', settle);
  server.once('listening', listening);
  server.listen({ host, port, exclusive: true });
  return promise;
}
