import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { type RunningProxy, startProxy } from '../../src/library/start-proxy.ts';
import { decencies, misbehaviours } from '../check/chaos/behaviours.ts';
import { chaosContract } from '../check/chaos/chaos-contract.ts';
import { type Behave, ChaosServer, key } from '../check/chaos/chaos-server.ts';

const contract = chaosContract();

/** What a client gets for one request on a bare socket, and how the connection ends. */
interface Received {
  readonly bytes: Buffer;
  readonly end: 'open' | 'end' | 'reset';
}

/** Floods and drips have no end: as many bytes are compared. */
const max = 64 * 1024;
/** Longer than the silence of a server that says something later. */
const patienceMs = 150;
/** A busy machine needs longer for the first byte through two servers. */
const firstByteMs = 1_500;

function ask(url: string, method: string): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const socket = connect(Number(port), hostname);
    const finish = (end: Received['end']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks).subarray(0, max), end });
    };
    let timer = setTimeout(() => finish('open'), firstByteMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= max) return finish('open');
      // A drip is cut off after a second.
      if (chunks.length < 100) clearTimeout(timer);
      if (chunks.length < 100) timer = setTimeout(() => finish('open'), patienceMs);
    });
    socket.on('end', () => finish('end'));
    socket.on('error', () => finish('reset'));
    socket.write(`${method} /v1/things HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`);
  });
}

/** The proxy changes no byte, so the same one serves a new service for each behaviour. */
async function through(behave: Behave): Promise<readonly [Received, Received]> {
  const server = new ChaosServer(behave, false, true);
  const url = await server.listen();
  let proxy: RunningProxy | undefined;
  try {
    proxy = await startProxy({ url, contract, config: false });
    return await Promise.all([ask(url, 'GET'), ask(proxy.url, 'GET')]);
  } finally {
    await proxy?.close();
    await server.close();
  }
}

const behaviours = [
  ...Object.entries(misbehaviours).map(([name, [behave]]) => [name, behave] as const),
  ...Object.entries(decencies).map(([name, each]) => [name, each] as const),
] as const;

describe('every wire fault of a service passes through the proxy as it is', () => {
  test.concurrent.each(behaviours)('%s', async (_name, behave) => {
    const [direct, proxied] = await through(behave);
    const length = Math.min(direct.bytes.length, proxied.bytes.length);
    // The pace of a drip decides how much of it arrives in the same time.
    const isDrip = direct.end === 'open' && direct.bytes.length !== proxied.bytes.length;
    expect(proxied.bytes.subarray(0, length).equals(direct.bytes.subarray(0, length))).toBe(true);
    expect(proxied.end).toBe(direct.end);
    if (!isDrip) expect(proxied.bytes.length).toBe(direct.bytes.length);
    else expect(proxied.bytes.length).toBeGreaterThan(0);
  });
});

afterAll(() => {
  expect(behaviours.length).toBeGreaterThan(40);
});
