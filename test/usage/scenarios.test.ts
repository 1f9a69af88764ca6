import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import request from 'supertest';
import { createMockApp, startMock, VouchError, type RunningMock } from '../../src/index.ts';
import { prepareMock } from '../../src/library/prepare-mock.ts';

/** What a person writes who has read the README for two minutes. */
const soldOut = readFileSync(new URL('sold-out.yaml', import.meta.url), 'utf8');

const key = { authorization: 'Bearer demo-key' };
const json = { ...key, 'content-type': 'application/json' };

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scenarios-'));
  await Promise.all(
    Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)),
  );
  return folder;
}

describe('a handwritten scenario', () => {
  let mock: RunningMock;
  beforeAll(async () => {
    mock = await startMock({
      demo: true,
      config: false,
      scenarios: await folderWith({ 'sold-out.yaml': soldOut }),
      scenario: 'sold-out',
    });
  });
  afterAll(() => mock.close());

  const animal = async (id: number): Promise<[number, unknown]> => {
    const answer = await fetch(`${mock.url}/pets/${String(id)}`, { headers: key });
    return [answer.status, await answer.json()];
  };
  const add = (): Promise<Response> =>
    fetch(`${mock.url}/pets`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'Ada', categoryId: 1 }),
    });

  test('patches the normal response, and then gives another', async () => {
    expect(await animal(7)).toEqual([
      200,
      { id: 7, name: 'Hazel', categoryId: 1, status: 'pending' },
    ]);
    expect(await animal(7)).toEqual([
      404,
      { code: 'not_found', message: 'No animal has the identifier 4711.', status: 404 },
    ]);
    expect((await animal(8))[0]).toBe(200);
  });

  test('breaks the connection without an effect, and then answers slowly', async () => {
    await expect(add()).rejects.toThrow('fetch failed');
    const before = performance.now();
    const answer = await add();
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { id: 73, name: 'Ada', categoryId: 1, status: 'available' },
    ]);
    expect(performance.now() - before).toBeGreaterThan(295);
  });
});

describe('an invalid scenario', () => {
  const refusal = async (text: string): Promise<string> => {
    const scenarios = await folderWith({ 'mine.yaml': text });
    const error: unknown = await createMockApp({ demo: true, config: false, scenarios }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof VouchError)) return 'started';
    return [
      `${error.place?.file.replace(/.*[\\/]/, '') ?? ''}:` +
        `${String(error.place?.line)}:${String(error.place?.column)} ${error.message}`,
      error.frame ?? '',
      error.hint ?? '',
    ].join('\n');
  };

  test('is refused with its place, a frame and a hint', async () => {
    expect(
      [
        await refusal(soldOut.replace('getPet', 'getPat')),
        await refusal(soldOut.replace('petId:', 'petID:')),
        await refusal(soldOut.replace('status: pending', 'status: gone')),
        await refusal(soldOut.replace('status: 404', 'status: 503')),
        await refusal(soldOut.replace('fault: reset', 'fault: rest')),
      ].join('\n\n'),
    ).toMatchInlineSnapshot(`
      "mine.yaml:3:5 The contract has no operation getPat.
        1 | description: The animal is there once, then gone, and adding one fails on the
        ↳ way.
        2 | rules:
      > 3 |   - operation: getPat
          |     ^
        4 |     match:
        5 |       path: { petId: 7 }
      Did you mean getPet?

      mine.yaml:5:15 getPet has no path parameter petID, so that it would never match.
        3 |   - operation: getPet
        4 |     match:
      > 5 |       path: { petID: 7 }
          |               ^
        6 |     answers:
        7 |       - patch: { status: pending }   # the normal answer, with one member
        ↳ changed
      Did you mean petId?

      mine.yaml:7:18 The 200 of getPet, patched: \`status\` in the body must be one of
        ↳ available, pending, sold, but is \`gone\`.
        5 |       path: { petId: 7 }
        6 |     answers:
      > 7 |       - patch: { status: gone }   # the normal answer, with one member changed
          |                  ^
        8 |       - status: 404                  # the contract's own 404, from then on
        9 |   - operation: createPet
      Say offContract: true if that is meant.

      mine.yaml:8:9 getPet documents no 503, only 200, 401, 404.
         6 |     answers:
         7 |       - patch: { status: pending }   # the normal answer, with one member
        ↳ changed
      >  8 |       - status: 503                  # the contract's own 404, from then on
           |         ^
         9 |   - operation: createPet
        10 |     answers:
      Say offContract: true if that is meant.

      mine.yaml:11:9 rest is no fault.
         9 |   - operation: createPet
        10 |     answers:
      > 11 |       - fault: rest                 # the connection breaks; nothing is added
           |         ^
        12 |       - pass: true                   # then the mock answers as it normally
        ↳ would
        13 |         delay: 300ms
      Did you mean reset?"
    `);
  });
});

describe('scenarios in a test', () => {
  test('may be inline, and used with supertest', async () => {
    const app = await createMockApp({
      demo: true,
      config: false,
      scenarios: {
        busy: {
          description: 'Busy',
          rules: [
            {
              operation: 'listPets',
              answers: [{ status: 503, offContract: true }, { pass: true }],
            },
          ],
        },
      },
      scenario: ['busy'],
    });
    const status = async (session: string): Promise<number> =>
      (
        await request(app)
          .get('/v1/pets')
          .set({ ...key, 'vouch-session': session })
      ).status;
    expect([await status('a'), await status('a'), await status('b')]).toEqual([503, 200, 503]);
  });
});

describe('the bundled scenarios', () => {
  let mock: RunningMock;
  beforeAll(async () => {
    mock = await startMock({ demo: true, config: false });
  });
  afterAll(() => mock.close());

  /**
   * What requests under a scenario get, in a session of their own: a status, or `lost` where no
   * whole answer came.
   */
  async function play(scenario: string, ...lines: string[]): Promise<string> {
    const outcomes: string[] = [];
    for (const line of lines) {
      const [method = '', path = '', body] = line.split(' ');
      const headers = { ...json, prefer: `scenario=${scenario}`, 'vouch-session': scenario };
      const base = path === '/messages' ? mock.origin : mock.url;
      const answer = await fetch(base + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      outcomes.push(
        answer === undefined || text === undefined
          ? 'lost'
          : `${String(answer.status)}${text === '[]' ? ' []' : ''}`,
      );
    }
    return outcomes.join(', ');
  }

  const list = 'GET /pets?limit=1';
  const create = 'POST /pets {"name":"Ada","categoryId":1}';
  test.each<[string, string[], string]>([
    ['after-removal', ['GET /pets/1', list], '410, 200'],
    ['connection-reset', [create, create, 'GET /pets/73', 'GET /pets/74'], 'lost, 201, 200, 200'],
    ['empty-store', [list, 'GET /pets/1', create, list], '200 [], 404, 201, 200'],
    [
      'expired-key',
      [list, 'GET /pets/1', create, 'POST /messages {"message":"x"}'],
      '401, 401, 401, 401',
    ],
    ['list-fails-twice', [list, list, list], '503, 503, 200'],
    ['message-queue', ['POST /messages {"message":"x"}'], '202'],
    ['missing-field', [create], '400'],
    ['missing-pet', ['GET /pets/1', list], '404, 200'],
    ['rate-limit', [list, list, 'GET /pets/1', list, list], '200, 200, 200, 429, 200'],
    ['truncated-list', [list, list, list], 'lost, 200, lost'],
  ])('%s does what it says', async (scenario, lines, expected) => {
    expect(await play(scenario, ...lines)).toBe(expected);
  });

  /**
   * What a mock of its own decides for the same list again and again: waits in milliseconds, or the
   * fault.
   */
  async function decide(
    scenario: string,
    count: number,
    seed?: string,
  ): Promise<(number | string)[]> {
    const { mock: own } = await prepareMock({
      demo: true,
      config: false,
      scenario,
      ...(seed === undefined ? {} : { seed }),
    });
    const decided: (number | string)[] = [];
    for (let index = 0; index < count; index += 1) {
      const answer = await own.answer({
        method: 'GET',
        target: '/v1/pets',
        headers: [['Authorization', 'Bearer demo-key']],
        body: new Uint8Array(),
      });
      decided.push(answer.fault?.kind ?? answer.delayMs);
    }
    return decided;
  }

  test(
    'flaky-network loses one request in five and slows down others, the same ' +
      'ones for the same seed',
    async () => {
      const first = await decide('flaky-network', 20, 'x');
      expect(first).toMatchInlineSnapshot(`
      [
        0,
        "reset",
        0,
        0,
        0,
        "reset",
        0,
        0,
        0,
        0,
        1011,
        0,
        0,
        0,
        0,
        0,
        0,
        "reset",
        0,
        0,
      ]
    `);
      expect(await decide('flaky-network', 20, 'x')).toEqual(first);
      expect(await decide('flaky-network', 20, 'y')).not.toEqual(first);
    },
  );

  test('slow-list and slow-network delay responses', async () => {
    expect(await decide('slow-list', 2)).toEqual([2000, 2000]);
    const waits = (await decide('slow-network', 400))
      .map(Number)
      .sort((left, right) => left - right);
    expect(Math.abs((waits[200] ?? NaN) - 200)).toBeLessThan(40);
    expect(waits[396]).toBeGreaterThan(1500);
  });
});
