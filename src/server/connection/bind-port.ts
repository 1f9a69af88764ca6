import { once } from 'node:events';
import type { Server } from 'node:http';
import { codeOf, VouchError } from '../../errors.ts';

/** Where a server is to listen. */
export interface Wanted {
  /** 0 means any that is free. */
  readonly port: number;
  readonly host: string;
  /** How many ports to try, one after the other. */
  readonly portsToTry: number;
}

/**
 * Makes a server listen on the first free port, and gives that port. Throws `port-taken` where all
 * that were tried are taken, and `usage` where the port is none or the address is not this
 * machine's.
 */
export async function bindPort(server: Server, wanted: Wanted): Promise<number> {
  checkPort(wanted.port);
  const last =
    wanted.port === 0 ? 0 : Math.min(65_535, wanted.port + Math.max(1, wanted.portsToTry) - 1);
  for (let port = wanted.port; port <= last; port += 1) {
    if (await listens(server, port, wanted.host)) return portOf(server);
  }
  throw portTaken(wanted.port, last);
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new VouchError('usage', `${String(port)} is no port.`, {
    hint: 'Give a whole number from 1 to 65535, or 0 for any free port.',
  });
}

/** True where the server listens now, false where the port is taken. */
async function listens(server: Server, port: number, host: string): Promise<boolean> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') return false;
    throw new VouchError('usage', `Cannot listen on ${host}, port ${port}: ${String(code)}.`, {
      hint: hintFor(code),
      cause: error,
    });
  }
}

function hintFor(code: unknown): string {
  if (code === 'EACCES')
    return 'Ports below 1024 need rights that others do not: take a higher one.';
  return 'Use an address of this machine, such as 127.0.0.1.';
}

function portOf(server: Server): number {
  const address = server.address();
  if (address !== null && typeof address === 'object') return address.port;
  throw new VouchError('internal', 'The server listens, but on no port.');
}

function portTaken(first: number, last: number): VouchError {
  const tried =
    first === last ? `Port ${first} is taken` : `Every port from ${first} to ${last} is taken`;
  return new VouchError('port-taken', `${tried}.`, {
    hint: 'Stop what runs there, or take another port; 0 takes any that is free.',
  });
}
