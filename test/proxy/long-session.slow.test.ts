import { Agent, get } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest, proxied } from './workshop.ts';

const json = { 'content-type': 'application/json' };

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve())).on(
      'error',
      reject,
    );
  });
}

/** Keeps the processor busy, as a judgement of a large body does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('clients that are faster than the judge wait for it: few exchanges are kept', async () => {
  let [answered, judged, max] = [0, 0, 0];
  const { url } = await proxied(
    (_incoming, response) => void response.writeHead(200, json).end('[]'),
    {
      onExchange: () => {
        judged += 1;
        work(2);
      },
    },
  );
  const clients = 20;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  afterTest(() => agent.destroy());
  const client = async (): Promise<void> => {
    for (let count = 0; count < 30; count += 1) {
      await ask(`${url}/things`, agent);
      answered += 1;
      max = Math.max(max, answered - judged);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  expect(answered).toBe(600);
  expect(max).toBeLessThanOrEqual(100 + clients);
});

test('a long recording keeps at most ten thousand records, over all collections', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-proxy-'));
  afterTest(() => rmSync(folder, { recursive: true }));
  let next = 0;
  const page = (): string =>
    JSON.stringify(Array.from({ length: 3_000 }, () => ({ id: (next += 1), name: 'a' })));
  const { proxy, url } = await proxied(
    (_incoming, response) => void response.writeHead(200, json).end(page()),
    { record: folder },
  );
  const agent = new Agent();
  for (let count = 0; count < 5; count += 1) await ask(`${url}/things`, agent);
  await proxy.close();
  const fixtures: unknown = JSON.parse(
    readFileSync(join(folder, 'fixtures/recorded.json'), 'utf8'),
  );
  expect(fixtures).toMatchObject({ things: { length: 10_000 } });
});

test('the counts of a long session are exact, although it keeps no exchange of it', async () => {
  const { proxy, url } = await proxied(
    (_incoming, response) => void response.writeHead(200, json).end('[]'),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  afterTest(() => agent.destroy());
  const all = Array.from({ length: 300 }, () => ask(`${url}/things`, agent));
  await Promise.all([...all, ask(`${url}/things/1`, agent)]);
  const { summary } = proxy.report();
  expect(summary.requests).toBe(301);
  expect(summary.operations.map(({ id, statuses }) => [id, statuses])).toEqual([
    ['listThings', { 200: 300 }],
    ['createThing', {}],
    ['getThing', { 200: 1 }],
  ]);
  expect(proxy.report().summary.requests).toBe(301);
});
