import { describe, expect, test } from 'vitest';
import { checkTarget, type CheckOptions } from '../../../../src/check/engine/check-target.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import { type Answered, type Call, jsonObject, targetOf } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const kiln = '{ $ref: "#/components/schemas/Kiln" }';

/** Kilns: `documented` are further responses of each operation. */
const kilns = (documented = ''): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
  /kilns:
    get: { operationId: listKilns, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${kiln} }`)} } ${documented} } }
    post: { operationId: buildKiln, requestBody: { required: true, ${json(kiln)} }, responses: {
        '201': { description: made, ${json(kiln)} }, '422': { description: no } ${documented} } }
  /kilns/{kilnId}:
    parameters: [{ name: kilnId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getKiln, responses: { '200': { description: ok, ${json(kiln)} },
        '404': { description: none } ${documented} } }
    delete: { operationId: razeKiln, responses: { '204': { description: gone },
        '404': { description: none } ${documented} } }
components: { schemas: { Kiln: { type: object, required: [fuel], properties: {
    id: { type: string, readOnly: true }, fuel: { type: string }, firedAt: { type: string,
    format: date-time } } } } }`);

type Crash = (call: Call) => Answered | undefined;

/** A service of kilns that fails now and then, and the failures that it answered. */
function kilnService(crash: Crash): { service: (call: Call) => Answered; failed: Set<string> } {
  const kept = new Map<string, unknown>();
  const failed = new Set<string>();
  const sound = ({ method, path, body }: Call): Answered => {
    const id = path[1];
    if (id === undefined && method === 'GET') return { status: 200, json: [...kept.values()] };
    if (id === undefined && method === 'POST') {
      const sent = jsonObject(body);
      if (typeof sent?.['fuel'] !== 'string') return { status: 422 };
      const made = { ...sent, id: `k${String(kept.size + 1)}` };
      kept.set(made.id, made);
      return { status: 201, json: made };
    }
    if (id === undefined || !kept.has(id)) return { status: 404 };
    if (method === 'DELETE') return { status: 204, ...(kept.delete(id) ? {} : {}) };
    return method === 'GET' ? { status: 200, json: kept.get(id) } : { status: 405 };
  };
  const service = (call: Call): Answered => {
    const answer = crash(call);
    if (answer === undefined || answer.status < 500) return answer ?? sound(call);
    const place = call.path[1] === undefined ? '/kilns' : '/kilns/{kilnId}';
    // POST on one kiln is no operation of the contract: the finding is about another one there.
    if (call.method !== 'POST' || place === '/kilns')
      failed.add(`${call.method} ${place} ${String(answer.status)}`);
    return answer;
  };
  return { service, failed };
}

async function told(
  crash: Crash,
  { documented, ...options }: { documented?: string } & Partial<CheckOptions> = {},
): Promise<{ findings: Finding[]; lines: string[]; failed: string[] }> {
  const { service, failed } = kilnService(crash);
  const contract = kilns(documented);
  const mode = 'read-write';
  const seed = 'kilns';
  const { findings } = await checkTarget({
    contract,
    mode,
    seed,
    ...targetOf(service),
    ...options,
  });
  const all = findings.flatMap((one) => [one, ...(one.alsoSeenAs ?? [])]);
  const own = all.filter(({ check }) => check === 'no-server-error');
  return {
    findings: own,
    lines: own.map(
      ({ severity, operation: { method, path }, actual }) =>
        `${severity} ${method} ${path} ${actual}`,
    ),
    failed: [...failed],
  };
}

const crashed = (message: string, status = 500): Answered => ({ status, json: { message } });

/** Each failure that the service answered has a finding. */
function expectAllTold({ lines, failed }: Awaited<ReturnType<typeof told>>): void {
  expect(failed.length).toBeGreaterThan(0);
  for (const failure of failed)
    expect(
      lines.some((line) => line.endsWith(failure)),
      failure,
    ).toBe(true);
}

describe('a failure of the service is told', () => {
  test('where a request of the clean-up gets it', async () => {
    let razed = 0;
    const result = await told(({ method, path }) =>
      method === 'DELETE' && /^k\d+$/.test(path[1] ?? '') && (razed += 1) > 4
        ? crashed('the chimney fell')
        : undefined,
    );
    expectAllTold(result);
  });

  test('where only attempts to find a value get it', async () => {
    const result = await told(({ method, body }) => {
      if (method !== 'POST') return undefined;
      const sent = jsonObject(body);
      if (sent?.['firedAt'] !== undefined) return { status: 422, json: { message: 'no firedAt' } };
      return sent?.['fuel'] === 'oak' ? undefined : crashed('no such fuel', 502);
    });
    expectAllTold(result);
  });

  test('where nothing else was tested', async () => {
    const result = await told(({ method }) =>
      method === 'POST' ? crashed('no clay') : { status: 404 },
    );
    expectAllTold(result);
  });

  test('once for each kind: by the first words, without values', async () => {
    const { findings } = await told(({ method, target }) => {
      if (method !== 'GET' || !target.startsWith('/kilns/')) return undefined;
      return target.includes('%') ? crashed(`bad byte in ${target}`) : crashed('no index 4711');
    });
    expect(findings.map(({ cause }) => cause).sort()).toEqual([
      expect.stringMatching(/^500 bad byte in/),
      '500 no index …',
    ]);
    expect(findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The server answered 500 \("no index 4711"\) to a /),
    );
  });

  test('by an unknown value, and by its spelling only where plain ones are fine', async () => {
    const crash =
      (wanted: RegExp): Crash =>
      ({ method, path: [, id = ''] }) =>
        method === 'GET' && wanted.test(id) ? crashed('bad key') : undefined;
    const titlesOf = async (wanted: RegExp): Promise<string[]> =>
      (await told(crash(wanted))).findings.map(({ trying }) => trying);
    expect(await titlesOf(/^(?!k\d+$)./)).toEqual([expect.not.stringContaining('%')]);
    expect(await titlesOf(/%(?![\da-f]{2})/i)).toEqual([expect.stringContaining('%')]);
  });

  test('as a warning where the contract documents it', async () => {
    const documented = `, '500': { description: failure }`;
    const result = await told(
      ({ method }) => (method === 'DELETE' ? crashed('the chimney fell') : undefined),
      { documented },
    );
    expect(result.lines).toEqual(['warning DELETE /kilns/{kilnId} 500']);
    expect(result.findings[0]?.message).toMatch(/that is documented, and still a crash\.$/);
  });

  test('as an error where only the default response covers it', async () => {
    const documented = `, default: { description: any }`;
    const result = await told(
      ({ method }) => (method === 'DELETE' ? crashed('the chimney fell') : undefined),
      { documented },
    );
    expect(result.lines).toEqual(['error DELETE /kilns/{kilnId} 500']);
  });
});

describe('no failure is', () => {
  test.each<[string, Answered]>([
    ['501', { status: 501 }],
    ['503 with Retry-After', { status: 503, headers: { 'Retry-After': '0' } }],
  ])('%s', async (_, answer) => {
    const { lines } = await told(({ method }) => (method === 'DELETE' ? answer : undefined), {
      wait: async () => {},
    });
    expect(lines).toEqual([]);
  });

  test('what the user excludes', async () => {
    const crash: Crash = ({ method }) => (method === 'DELETE' ? crashed('no') : undefined);
    const skips = [{ check: 'no-server-error', reason: 'known' }];
    expect((await told(crash, { skips })).lines).toEqual([]);
    expect((await told(crash, { skip: ['no-server-error'] })).lines).toEqual([]);
  });
});
