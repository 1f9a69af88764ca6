import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../src/check/engine/check-target.ts';
import { openTransport } from '../../src/check/transport/wire/wire-transport.ts';
import { parseContract } from '../../src/contract/load.ts';

const script = fileURLToPath(new URL('./fixture/mortal-server.ts', import.meta.url));

let child: ChildProcess | undefined;
let isOver = false;
afterEach(() => {
  isOver = true;
  child?.kill('SIGKILL');
});

/**
 * Starts the service, and answers its port; again at the same port whenever it exits, where it is
 * supervised.
 */
async function serve(words: string, { supervised = false, port = '0' } = {}): Promise<string> {
  const started = spawn(process.execPath, [script, words, port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  if (started.stdout === null) throw new Error('the service has no output');
  const [line] = (await once(started.stdout, 'data')) as [Buffer];
  const own = String(line).trim();
  if (supervised)
    started.once('exit', () => void (isOver || serve(words, { supervised, port: own })));
  return own;
}

const ok =
  "'200': { description: ok, content: { application/json: { schema: { type: object } } } }";
const bad =
  "'400': { description: bad, content: { application/json: { schema: { type: object } } } }";
const body =
  'requestBody: { required: true, content: { application/json: { schema: { ' +
  'type: object, properties: { name: { type: string } } } } } }';
const limit =
  'parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }]';
const contract = parseContract(
  `openapi: 3.1.0
info: { title: Mortal, version: 1.0.0 }
paths:
  /health: { get: { operationId: getHealth, responses: { ${ok} } } }
  /things:
    get: { operationId: listThings, ${limit}, responses: { ${ok}, ${bad} } }
    post: { operationId: addThing, ${body}, responses: { ${ok}, ${bad} } }
  /version: { get: { operationId: getVersion, responses: { ${ok} } } }
`,
  'mortal.yaml',
);

async function check(port: string, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  isOver = false;
  return checkTarget({
    url: `http://127.0.0.1:${port}`,
    contract,
    seed: 'mortal',
    mode: 'read-write',
    ...options,
  });
}

const concurrencies = [1, 8];
const noWait = { wait: async () => {} };

describe('a service that stops after one request has a finding', () => {
  test.each(concurrencies)('by a POST, with %i requests at a time', async (concurrency) => {
    const { summary, findings } = await check(await serve('POST'), { concurrency, ...noWait });
    expect(summary).toMatchObject({
      verdict: 'failed',
      code: 'findings',
      stop: { code: 'service-stopped', method: 'POST', path: '/things', cameBack: false },
    });
    expect(
      findings.map(({ severity, check: id, operation }) => `${severity} ${id} ${operation.id}`),
    ).toEqual(['error operation-answers addThing']);
    expect(findings[0]?.message).toMatch(
      /^The service stopped responding after this request \(.*\): its connection was closed without a response/,
    );
    expect(findings[0]?.evidence).toBe(
      'Seen once in the run; it could not be repeated, because the service did not come back.',
    );
    expect(findings[0]?.curl.join('\n')).toMatch(/curl .*-X POST .*\/things/);
  });

  test.each(concurrencies)(
    'by a GET with a certain value, with %i requests at a time',
    async (concurrency) => {
      const { summary, findings } = await check(await serve('limit=100'), {
        concurrency,
        ...noWait,
      });
      expect(summary).toMatchObject({
        verdict: 'failed',
        stop: { code: 'service-stopped', method: 'GET', path: '/things' },
      });
      expect(
        findings.filter(({ severity }) => severity === 'error').map(({ check: id }) => id),
      ).toEqual(['operation-answers']);
      const [{ message = '', curl = [], operation } = {}] = findings;
      // With several requests in flight it names the one that was sent first, and says which others
      // there were.
      if (concurrency === 1)
        expect([operation?.id, message]).toEqual([
          'listThings',
          expect.not.stringContaining('in flight'),
        ]);
      expect(`${message} ${curl.join(' ')}`).toMatch(/limit=100|GET \/things/);
    },
  );

  test('also if the last request of the run stops it', async () => {
    const { summary, findings } = await check(await serve('POST'), {
      concurrency: 1,
      ...noWait,
      include: ['getHealth', 'addThing'],
      only: ['operation-answers', 'status-documented'],
    });
    expect(summary.verdict).toBe('failed');
    expect(findings.map(({ operation }) => operation.id)).toEqual(['addThing']);
  });

  test.each(concurrencies)(
    'if it restarts, the request is repeated, with %i requests at a time',
    async (concurrency) => {
      const { summary, findings } = await check(await serve('limit=100', { supervised: true }), {
        concurrency,
      });
      // The run goes on without the operation that stops the service.
      expect(summary).toMatchObject({ verdict: 'failed', code: 'findings' });
      expect(summary.stop).toBeUndefined();
      expect(summary.reach?.shut.flatMap(({ operations }) => operations)).not.toContain('addThing');
      expect(
        findings.map(({ severity, check: id, operation }) => `${severity} ${id} ${operation.id}`),
      ).toEqual(['error operation-answers listThings']);
      expect(findings[0]?.evidence).toBe(
        'Seen once in the run, and again when it was repeated after the service had come back.',
      );
      expect(findings[0]?.curl.join('\n')).toContain('limit=100');
    },
  );
});

describe('a service that stops for another reason has no finding', () => {
  test('between two requests', async () => {
    const port = await serve('');
    const transport = openTransport({ timeoutMs: 5_000, connections: 1 });
    let sent = 0;
    const { summary, findings } = await check(port, {
      concurrency: 1,
      async send(baseUrl, request, signal) {
        sent += 1;
        if (sent === 10 && child !== undefined) {
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          await gone;
          await new Promise((resolve) => setImmediate(resolve));
        }
        return transport.send(baseUrl, request, signal);
      },
    });
    await transport.close();
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      stop: { code: 'unreachable', answeredBefore: true },
    });
    expect(findings).toEqual([]);
  });

  test('before the first request', async () => {
    const { summary, findings } = await check('1');
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      stop: { code: 'unreachable', answeredBefore: false },
    });
    expect(findings).toEqual([]);
  });
});

test(
  'a service that stops once, and not again when the request is repeated, ' +
    'is inconclusive and warned of',
  async () => {
    let isUp = true;
    let resets = 0;
    const response = {
      status: 200,
      headers: [['Content-Type', 'application/json']] as const,
      body: new TextEncoder().encode('{}'),
    };
    const { summary, findings } = await check('9', {
      concurrency: 1,
      only: ['operation-answers'],
      wait: async () => void (isUp = true),
      async send(baseUrl, request) {
        if (!isUp)
          return {
            baseUrl,
            request,
            fault: { kind: 'connection.refused', message: 'connection refused.' },
            durationMs: 1,
          };
        if (request.method !== 'POST' || resets > 0)
          return { baseUrl, request, response, durationMs: 1 };
        resets += 1;
        isUp = false;
        return {
          baseUrl,
          request,
          fault: { kind: 'connection.reset', message: 'closed.' },
          durationMs: 1,
        };
      },
    });
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      stop: { code: 'service-stopped', cameBack: true },
    });
    expect(
      findings
        .filter(({ check: id }) => id === 'operation-answers')
        .map(({ severity, evidence }) => [severity, evidence]),
    ).toEqual([
      [
        'warning',
        'Seen once in the run; the service came back, and did not stop when the ' +
          'request was repeated.',
      ],
    ]);
  },
);

describe('a service that stops while several requests are in flight', () => {
  const answer = {
    status: 200,
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode('{}'),
  };

  /** A service that a certain request stops, `times` often; those that wait get no answer. */
  function stopping({ times = 1, hangs = false }): Partial<CheckOptions> & { most(): number } {
    let left = times;
    let isUp = true;
    let open = 0;
    let later = 0;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    return {
      most: () => later,
      concurrency: 6,
      only: ['operation-answers'],
      wait: async () => void (isUp ||= times === 1 && !hangs),
      async send(baseUrl, request) {
        const fault = (kind: 'connection.refused' | 'connection.reset' | 'timeout') => ({
          baseUrl,
          request,
          fault: { kind, message: 'nothing came.' },
          durationMs: 1,
        });
        if (!isUp) return fault(hangs ? 'timeout' : 'connection.refused');
        open += 1;
        if (left < times) later = Math.max(later, open);
        await turn();
        await turn();
        if (isUp && left > 0 && request.target.includes('limit=100')) {
          left -= 1;
          isUp = false;
        }
        await turn();
        open -= 1;
        if (!isUp) return fault(hangs ? 'timeout' : 'connection.reset');
        return { baseUrl, request, response: answer, durationMs: 1 };
      },
    };
  }

  test('names all of them with their commands, and accuses none', async () => {
    const { findings } = await check('9', stopping({ times: 99 }));
    const [first, ...rest] = findings;
    expect(rest).toEqual([]);
    expect(first?.message).toMatch(
      /^The service stopped responding while \d requests were in flight/,
    );
    expect(first?.message).toContain('any of them may be the cause');
    const count = Number(/while (\d) requests/.exec(first?.message ?? '')?.[1]);
    expect(first?.curl).toHaveLength(count);
    expect(first?.curl.join('\n')).toContain('limit=100');
  });

  test('gets one request at a time if it comes back and none of them stops it again', async () => {
    const service = stopping({});
    const { summary, findings } = await check('9', service);
    expect(summary.stop).toBeUndefined();
    expect(service.most()).toBe(1);
    expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
  });

  test('is named also where it hangs', async () => {
    const { summary, findings } = await check('9', stopping({ times: 99, hangs: true }));
    expect(summary.stop).toMatchObject({ code: 'service-stopped', cameBack: false });
    expect(findings[0]?.curl.join('\n')).toContain('limit=100');
  });
});
