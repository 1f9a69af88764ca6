import type { Socket } from 'node:net';
import { Breaches } from '../answer/breaches.ts';
import { HeadReader } from '../answer/head-reader.ts';
import type { ProxyAddress } from './proxy-address.ts';

/**
 * Asks a proxy to lead to a host (RFC 9110, section 9.3.6). `done` is told once: nothing where it
 * does, else what it said.
 */
export function openTunnel(
  socket: Socket,
  { host, port }: { readonly host: string; readonly port: number },
  { authorization }: ProxyAddress,
  done: (problem: Error | undefined) => void,
): void {
  const reader = new HeadReader(new Breaches());
  const authority = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const onData = (bytes: Buffer): void => {
    const found = reader.push(bytes, 0);
    if (found.kind === 'more') return;
    socket.off('data', onData);
    socket.pause();
    if (found.kind === 'broken') done(new Error('the proxy speaks no HTTP'));
    else if (found.head.status >= 200 && found.head.status < 300) done(undefined);
    else done(new Error(`the proxy answered ${String(found.head.status)} to CONNECT ${authority}`));
  };
  socket.on('data', onData);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
}
