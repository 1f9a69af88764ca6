import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freezingTarget } from './contracts.ts';
import { credential, isRunning, run, start, type Running } from './running.ts';

const impatient = { beatMillis: 100, missedBeats: 10 };

describe('a child that exits', () => {
  let supervised: Running;
  let killed = 0;
  beforeAll(async () => {
    supervised = await start();
    killed = (await supervised.next('started')).pid;
    process.kill(killed, 'SIGKILL');
  });
  afterAll(() => supervised.prism.close());

  test('is replaced while requests wait', async () => {
    const { prism, next } = supervised;
    expect(await next('died')).toEqual({
      type: 'died',
      pid: killed,
      reason: 'was killed by SIGKILL',
    });
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
  });

  test('is started again, on the same port', async () => {
    const { prism, next } = supervised;
    const restarted = await next('restarted');
    expect(restarted.restarts).toBe(1);
    expect(restarted.pid).not.toBe(killed);
    expect(prism.restarts).toBe(1);
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
    killed = restarted.pid;
  });

  test('five times in half a minute is not restarted, and requests fail', async () => {
    const { prism, next } = supervised;
    process.kill(killed, 'SIGKILL');
    for (let restarts = 2; restarts <= 4; restarts += 1)
      process.kill((await next('restarted')).pid, 'SIGKILL');
    expect(await next('gave-up')).toEqual({
      type: 'gave-up',
      deaths: 5,
      reason: 'was killed by SIGKILL',
    });
    const response = await fetch(`${prism.url}/books`, { headers: credential });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchInlineSnapshot(`
      {
        "detail": "Prism does not answer: it died 5 times in 30 s and was not started
        ↳ again. The last time it was killed by SIGKILL.",
        "status": 502,
        "title": "Bad Gateway",
        "type": "about:blank",
      }
    `);
  });
});

describe('a child that freezes', () => {
  let supervised: Running;
  let pid = 0;
  beforeAll(async () => {
    supervised = await start({ limits: impatient });
    ({ pid } = await supervised.next('started'));
  });
  afterAll(() => supervised.prism.close());

  test('is killed and started again; only the request that froze it is lost', async () => {
    const { prism, next } = supervised;
    const freezing = fetch(prism.url + freezingTarget);
    const innocent = freezing.then(() => fetch(`${prism.url}/books`, { headers: credential }));
    const frozen = await freezing;
    expect(frozen.status).toBe(504);
    expect(await frozen.json()).toMatchInlineSnapshot(`
      {
        "detail": "On this request Prism froze: it gave no sign of life for 1 s and
        ↳ was killed. The same request would do it again; others are
        ↳ answered as soon as Prism is back.",
        "status": 504,
        "title": "Gateway Timeout",
        "type": "about:blank",
      }
    `);
    expect((await innocent).status).toBe(200);
    const restarted = await next('restarted');
    await next('died');
    expect(isRunning(pid)).toBe(false);
    ({ pid } = restarted);
  });

  test('by the system, too, and waiting requests are sent again', async () => {
    const { prism, next } = supervised;
    process.kill(pid, 'SIGSTOP');
    const ask = (): Promise<Response> => fetch(`${prism.url}/books`, { headers: credential });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 504]);
    expect((await next('died')).reason).toBe(
      'froze: it gave no sign of life for 1 s and was killed',
    );
  });

  test('is not awaited beyond the response timeout, nor by close', async () => {
    const { prism, next } = await run({ limits: { answerMillis: 200, endMillis: 200 } });
    const { pid: frozen } = await next('started');
    process.kill(frozen, 'SIGSTOP');
    const response = await fetch(`${prism.url}/books`, { headers: credential });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ detail: 'Prism gave no answer in 0.2 s.' });
    expect(isRunning(frozen)).toBe(true);
    await prism.close();
    expect(isRunning(frozen)).toBe(false);
  });
});

describe('closing a supervised Prism', () => {
  test('close leaves no process and no port, and may be called twice', async () => {
    const { prism, next } = await run();
    const { pid } = await next('started');
    await Promise.all([prism.close(), prism.close()]);
    expect(isRunning(pid)).toBe(false);
    await expect(fetch(prism.url)).rejects.toThrow();
  });

  test('close while the child is being started again', async () => {
    const { prism, next } = await run();
    process.kill((await next('started')).pid, 'SIGKILL');
    await next('died');
    await prism.close();
    expect(prism.restarts).toBe(0);
  });

  test.each([false, true])(
    'a parent that is killed leaves no child (frozen: %s)',
    async (frozen) => {
      const parent = fork(fileURLToPath(new URL('./mortal-parent.ts', import.meta.url)), {
        execArgv: [],
      });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [{ pid, url }] = (await once(parent, 'message')) as [{ pid: number; url: string }];
      if (frozen) expect((await fetch(url + freezingTarget)).status).toBe(504);
      parent.kill('SIGKILL');
      await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000, interval: 50 });
      expect(isRunning(pid)).toBe(false);
    },
  );
});
