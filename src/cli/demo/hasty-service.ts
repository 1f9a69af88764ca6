import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A service of the demo: what a team built by the contract, with one mistake. */
export interface HastyService {
  readonly url: string;
  /** Corrects the mistake. */
  fix(): void;
  close(): void;
}

/**
 * Starts a service that answers as the mock does, but forgets a parameter of the query until it is
 * fixed. It listens on a free port of this machine.
 */
export async function startHasty(
  mock: { readonly url: string },
  forgotten: string,
): Promise<HastyService> {
  let isFixed = false;
  const base = new URL(mock.url);
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', base);
    if (!isFixed) target.searchParams.delete(forgotten);
    pass(request, response, target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${base.pathname}`,
    fix: () => {
      isFixed = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const { method, headers } = request;
  const passed = send(target, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}
