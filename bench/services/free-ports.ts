import { createServer, type AddressInfo, type Server } from 'node:net';

/** Three different ports that were free a moment ago: all are held before one is given up. */
export async function findFreePorts(): Promise<readonly [number, number, number]> {
  const servers = await Promise.all([listen(), listen(), listen()]);
  const [one, two, three] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return [one ?? 0, two ?? 0, three ?? 0];
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
