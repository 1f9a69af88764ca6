import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freezingTarget } from './contracts.ts';
import { credential, isRunning, run } from './running.ts';

const impatient = { beatMillis: 100, missedBeats: 10 };

describe('a child that exits', () => {
  test('is started again, on the same port', async () => {
    const { prism, next } = await run();
    const { pid } = await next('started');
    process.kill(pid, 'SIGKILL');
    expect(await next('died')).toEqual({ type: 'died', pid, reason: 'was killed by SIGKILL' });
    const restarted = await next('restarted');
    expect(restarted.restarts).toBe(1);
    expect(restarted.pid).not.toBe(pid);
    expect(prism.restarts).toBe(1);
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
  });

  test('is replaced while requests wait', async () => {
    const { prism, next } = await run();
    process.kill((await next('started')).pid, 'SIGKILL');
    await next('died');
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
  });

  test('five times in half a minute is not restarted, and requests fail', async () => {
    const { prism, next } = await run();
    process.kill((await next('started')).pid, 'SIGKILL');
    for (let restarts = 1; restarts <= 4; restarts += 1)
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
  test('is killed and started again; only the request that froze it is lost', async () => {
    const { prism, next } = await run({ limits: impatient });
    const { pid } = await next('started');
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
    await next('restarted');
    expect(isRunning(pid)).toBe(false);
  });

  test('by the system, too, and waiting requests are sent again', async () => {
    const { prism, next } = await run({ limits: impatient });
    process.kill((await next('started')).pid, 'SIGSTOP');
    const ask = (): Promise<Response> => fetch(`${prism.url}/books`, { headers: credential });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 504]);
    expect((await next('died')).reason).toBe(
      'froze: it gave no sign of life for 1 s and was killed',
    );
  });

  test('is not awaited beyond the response timeout', async () => {
    const { prism, next } = await run({ limits: { answerMillis: 200, endMillis: 200 } });
    const { pid } = await next('started');
    process.kill(pid, 'SIGSTOP');
    const response = await fetch(`${prism.url}/books`, { headers: credential });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ detail: 'Prism gave no answer in 0.2 s.' });
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

  test('close ends a child that does not listen', async () => {
    const { prism, next } = await run({ limits: { endMillis: 200 } });
    const { pid } = await next('started');
    process.kill(pid, 'SIGSTOP');
    await prism.close();
    expect(isRunning(pid)).toBe(false);
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
