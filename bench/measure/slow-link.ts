import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';

/** A relay of bytes to a server, over which each answer takes longer. */
export interface SlowLink {
  readonly url: string;
  /** The most requests that were on their way at a time. */
  most(): number;
  stop(): Promise<void>;
}

/**
 * Relays every connection to a server of this machine; what the server sends arrives `delayMs`
 * later, in order and whole. The other direction is not delayed: it is the round trip that counts.
 */
export async function openSlowLink(target: string, delayMs: number): Promise<SlowLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let [waiting, most] = [0, 0];
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A side that resets its connection ends the other one too.
    socket.on('error', () => {});
  };
  const server = createServer({ noDelay: true }, (client) => {
    const service = connect({ host: hostname, port: Number(port), noDelay: true });
    keep(client);
    keep(service);
    let isAsked = false;
    const answered = (): void => {
      if (isAsked) waiting -= 1;
      isAsked = false;
    };
    client.on('data', (part: Buffer) => {
      if (!isAsked) waiting += 1;
      isAsked = true;
      most = Math.max(most, waiting);
      service.write(part);
    });
    client.once('close', () => {
      answered();
      service.destroy();
    });
    const later = (act: () => void): void => void setTimeout(act, delayMs);
    service.on('data', (part: Buffer) =>
      later(() => {
        answered();
        client.write(part);
      }),
    );
    service.once('close', () => later(() => client.destroySoon()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}${new URL(target).pathname.replace(/\/$/, '')}`,
    most: () => most,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
