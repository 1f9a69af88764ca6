import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  parseJson,
  startMock,
  stringifyJson,
  type RunningMock,
  type Snapshot,
} from '../../src/index.ts';

let mock: RunningMock;
beforeEach(async () => {
  mock = await startMock();
});
afterEach(() => mock.close());

const key = { Authorization: 'Bearer demo-key' };
const send = (
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Response> =>
  fetch(`${mock.url}${target}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const count = async (session = 'default'): Promise<number> =>
  ((await (await send('/pets?limit=100', { 'Vouch-Session': session })).json()) as unknown[])
    .length;

describe('the programming interface of a running mock', () => {
  test('reads the journal', async () => {
    await send('/pets?limit=1');
    await send('/pets', {}, { name: 'Rex', categoryId: 1 });
    expect(mock.journal().map(({ operation, status }) => [operation, status])).toEqual([
      ['listPets', 200],
      ['createPet', 201],
    ]);
    expect(mock.journal({ operation: 'createPet' })).toMatchObject([
      { request: { body: { text: '{"name":"Rex","categoryId":1}' } } },
    ]);
    expect(JSON.stringify(mock.journal())).not.toContain('demo-key');
  });

  test('verifies requests, and reports the nearest one', async () => {
    await send('/pets', {}, { name: 'Rex', categoryId: 1 });
    expect(mock.verify({ operation: 'createPet', body: { name: 'Rex' }, count: 1 })).toBe(1);
    expect(messageOf(() => mock.verify({ operation: 'createPet', body: { name: 'Max' } })))
      .toMatchInlineSnapshot(`
        "Expected at least 1 matching request, got 0 (1 recorded).
          near: 1. POST /v1/pets 201: body.name must be "Max", but is "Rex"
        Look at mock.journal() for all that happened."
      `);
    expect(messageOf(() => mock.verify({ operation: 'createPet', atMost: 0 })))
      .toMatchInlineSnapshot(`
        "Expected no matching request, got 1 (1 recorded).
          fits: 1. POST /v1/pets 201
        Look at mock.journal() for all that happened."
      `);
  });

  test('reports an impossible claim', () => {
    expect(messageOf(() => mock.verify({ operation: 'createPets' }))).toBe(
      'The contract has no operation createPets. Did you mean createPet?',
    );
    expect(messageOf(() => mock.journal({ operaton: 'createPet' } as object))).toBe(
      'The body has the member operaton, which means nothing here. Did you mean operation?',
    );
  });

  test('takes and restores snapshots, for one session or for all', async () => {
    const before = await count();
    const snapshot = await mock.snapshot();
    await send('/pets', {}, { name: 'Rex', categoryId: 1 });
    await send('/pets', { 'Vouch-Session': 'one' }, { name: 'Max', categoryId: 1 });
    const withMax = throughText(await mock.snapshot('one'));
    await mock.reset('one');
    expect([await count(), await count('one')]).toEqual([before + 1, before]);
    await mock.restore(withMax, 'one');
    expect(await count('one')).toBe(before + 1);
    await mock.restore(snapshot);
    expect([await count(), await count('one')]).toEqual([before, before]);
  });

  test('resets the journal with the records', async () => {
    await send('/pets');
    await mock.reset();
    expect(mock.journal()).toEqual([]);
  });

  test('moves the clock', async () => {
    expect((await send('/pets/1')).status).toBe(200);
    mock.setClock({ now: '2030-12-06' });
    expect((await send('/pets/1')).status).toBe(410);
    mock.setClock();
    expect((await send('/pets/1')).status).toBe(200);
    expect(messageOf(() => mock.setClock({ now: 'soon' }))).toBe(
      'soon is no date. Write it like 2030-12-06 or 2030-12-06T08:00:00Z.',
    );
  });

  test('activates and deactivates scenarios', async () => {
    mock.activate('missing-pet', 'one');
    const statuses = async (): Promise<number[]> => [
      (await send('/pets/1')).status,
      (await send('/pets/1', { 'Vouch-Session': 'one' })).status,
    ];
    expect(await statuses()).toEqual([200, 404]);
    mock.deactivate('missing-pet', 'one');
    expect(await statuses()).toEqual([200, 200]);
    expect(messageOf(() => mock.activate('missing-pets'))).toBe(
      'There is no scenario missing-pets. Did you mean missing-pet?',
    );
  });
});

test('the control API can have a separate port, and TLS on both', async () => {
  const apart = await startMock({ tls: true, controlPort: 0 });
  expect(apart.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(apart.controlUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/__vouch$/);
  expect(new URL(apart.controlUrl).port).not.toBe(new URL(apart.url).port);
  expect(apart.tls?.authority).toContain('BEGIN CERTIFICATE');
  await apart.close();
  expect(mock.controlUrl).toBe(`${mock.origin}/__vouch`);
});

/** As a program does that writes it to a file and reads it back: identifiers keep every digit. */
function throughText(snapshot: Snapshot): Snapshot {
  const reading = parseJson(stringifyJson(snapshot));
  if (!reading.ok) throw new Error(reading.problem.message);
  // What was written is what is read.
  return reading.value as Snapshot;
}

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
    return 'nothing';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
