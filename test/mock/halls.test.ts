import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const file = new URL('contracts/halls.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'halls.yaml');

let mock: Mock;
beforeEach(async () => {
  mock = await mockOf({ contract });
  for (const hall of ['red', 'blue'])
    await answered(`POST /v1/halls?hall_id=${hall}`, { title: hall });
});

/** The status of an answer, and its body. */
async function answered(
  line: string,
  body?: JsonValue,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const answer = await send(mock, line, body === undefined ? {} : { body });
  return { status: answer.status, body: jsonOf(answer) as JsonObject };
}

async function statusOf(line: string, body?: JsonValue): Promise<number> {
  return (await answered(line, body)).status;
}

function makeSeat(hall: string, seat: string, members: JsonObject = {}): Promise<number> {
  return statusOf(`POST /v1/halls/${hall}/seats?seat_id=${seat}`, { label: seat, ...members });
}

describe('an action takes the entity tag of its record (AIP-154)', () => {
  test('and gives the record a new one', async () => {
    await makeSeat('red', 'a1');
    const before = (await answered('GET /v1/halls/red/seats/a1')).body;
    const closed = await answered('POST /v1/halls/red/seats/a1:close', {
      etag: before['etag'] ?? '',
    });
    expect(closed).toMatchObject({ status: 200, body: { state: 'CLOSED' } });
    expect(closed.body['etag']).not.toBe(before['etag']);
  });

  test('and is refused with another one', async () => {
    await makeSeat('red', 'a1');
    expect(await statusOf('POST /v1/halls/red/seats/a1:close', { etag: 'stale' })).toBe(409);
    expect((await answered('GET /v1/halls/red/seats/a1')).body).toMatchObject({ state: 'OPEN' });
  });
});

test('a soft deletion answers the record with the moment of its deletion (AIP-164)', async () => {
  const deleted = await answered('DELETE /v1/halls/red');
  expect(deleted.body).toMatchObject({
    name: 'halls/red',
    delete_time: '2030-01-02T03:04:05.000Z',
  });
  expect((await answered('GET /v1/halls/red')).body).toEqual(deleted.body);
});

test('a deletion by force takes along what keeps the record otherwise (AIP-135)', async () => {
  await makeSeat('red', 'a1');
  expect(await statusOf('DELETE /v1/halls/red')).toBe(409);
  expect(await statusOf('DELETE /v1/halls/red?force=false')).toBe(409);
  expect(await statusOf('DELETE /v1/halls/red?force=true')).toBe(200);
  expect(await statusOf('GET /v1/halls/red/seats/a1')).toBe(404);
});

describe('a field that keeps the value of its create', () => {
  const path = '/v1/halls/red/seats/a1';
  beforeEach(() => makeSeat('red', 'a1', { row: 'A' }));

  test('takes no other one, where a refusal is documented', async () => {
    expect(await statusOf(`PATCH ${path}`, { row: 'B' })).toBe(400);
    expect((await answered(`GET ${path}`)).body).toMatchObject({ row: 'A' });
  });

  test('ignores another one, where no refusal is documented', async () => {
    const replaced = await answered(`PUT ${path}`, { row: 'B', label: 'new' });
    expect(replaced).toMatchObject({ status: 200, body: { row: 'A', label: 'new' } });
  });

  test('stays in a replacement that leaves it out', async () => {
    const replaced = await answered(`PUT ${path}`, { label: 'new' });
    expect(replaced.body).toMatchObject({ row: 'A', label: 'new' });
  });

  test('may be repeated', async () => {
    const changed = await answered(`PATCH ${path}`, { row: 'A', label: 'new' });
    expect(changed).toMatchObject({ status: 200, body: { row: 'A', label: 'new' } });
  });
});

test('a query parameter that is not declared is refused, where the contract says so', async () => {
  const refused = await answered('GET /v1/halls?colour=red');
  expect(refused.status).toBe(400);
  expect(await statusOf('GET /v1/halls?show_deleted=true')).toBe(200);
  // No refusal is documented here.
  expect(await statusOf('GET /v1/halls/red?colour=red')).toBe(200);
});

describe('a hyphen for a parent (AIP-159)', () => {
  beforeEach(async () => {
    await makeSeat('red', 'a1');
    await makeSeat('blue', 'a1');
    await makeSeat('blue', 'b2');
  });

  const namesIn = ({ body }: { readonly body: JsonObject }): JsonValue[] =>
    (body['seats'] as JsonObject[]).map(({ name = null }) => name);

  test('lists the records below all, where the contract says so', async () => {
    const names = namesIn(await answered('GET /v1/halls/-/seats'));
    const made = ['halls/red/seats/a1', 'halls/blue/seats/a1', 'halls/blue/seats/b2'];
    expect(names).toEqual(expect.arrayContaining(made));
    expect(new Set(names).size).toBe(names.length);
  });

  test('leaves out those below a deleted one', async () => {
    await answered('DELETE /v1/halls/blue?force=true');
    expect(namesIn(await answered('GET /v1/halls/-/seats'))).not.toContain('halls/blue/seats/b2');
  });

  test('names no parent for other operations', async () => {
    expect(await makeSeat('-', 'c3')).toBe(404);
  });
});

test('a value that no two records have is refused below another parent too', async () => {
  expect(await makeSeat('red', 'a1', { number: '1', nickname: 'x' })).toBe(200);
  expect(await makeSeat('red', 'a2', { number: '1' })).toBe(409);
  expect(await makeSeat('blue', 'a1', { number: '1' })).toBe(409);
  expect(await makeSeat('blue', 'a2', { number: '2' })).toBe(200);
  expect(await statusOf('PATCH /v1/halls/blue/seats/a2', { number: '1' })).toBe(409);
  expect(await statusOf('PATCH /v1/halls/blue/seats/a2', { number: '2' })).toBe(200);
});

test('a unique value may be below another parent, if nothing says among which', async () => {
  expect(await makeSeat('red', 'a1', { nickname: 'x' })).toBe(200);
  expect(await makeSeat('red', 'a2', { nickname: 'x' })).toBe(409);
  expect(await makeSeat('blue', 'a1', { nickname: 'x' })).toBe(200);
});

test('a deletion clears the fields that it says, and no others', async () => {
  await answered('POST /v1/halls?hall_id=green', { title: 'green' });
  await makeSeat('blue', 'a1', { spare_hall: 'halls/red' });
  await makeSeat('blue', 'a2', { spare_hall: 'halls/green' });
  expect(await statusOf('DELETE /v1/halls/red')).toBe(200);
  expect((await answered('GET /v1/halls/blue/seats/a1')).body).not.toHaveProperty('spare_hall');
  expect((await answered('GET /v1/halls/blue/seats/a2')).body).toMatchObject({
    spare_hall: 'halls/green',
  });
});

test('a change is refused in the states of which the contract says so', async () => {
  await makeSeat('red', 'a1');
  const path = '/v1/halls/red/seats/a1';
  expect(await statusOf(`PATCH ${path}`, { label: 'new' })).toBe(200);
  await answered(`POST ${path}:close`);
  expect(await statusOf(`PATCH ${path}`, { label: 'newer' })).toBe(409);
  expect((await answered(`GET ${path}`)).body).toMatchObject({ label: 'new' });
});

test('a long-running operation says which record it is about, and when it began', async () => {
  const { body } = await answered('POST /v1/halls/red:clean');
  const metadata = { place: 'halls/red', create_time: '2030-01-02T03:04:05.000Z' };
  expect(body).toMatchObject({ done: false, metadata });
  const read = await answered(`GET /v1/${String(body['name'])}`);
  expect(read.body).toMatchObject({ done: true, metadata });
});

describe('the entries of a batch (AIP-233)', () => {
  const add = (...requests: readonly JsonObject[]): ReturnType<typeof answered> =>
    answered('POST /v1/halls/red/seats:batchCreate', { requests });

  test('may name their records', async () => {
    const made = await add({ seat_id: 'a1', seat: { label: 'x' } }, { seat: { label: 'y' } });
    expect(made.body).toMatchObject({
      seats: [{ name: 'halls/red/seats/a1', label: 'x' }, { label: 'y' }],
    });
    const again = await add({ seat: { label: 'z' } }, { seat_id: 'a1', seat: { label: 'x' } });
    expect(again.status).toBe(409);
  });

  test('have the parent of the path, if any', async () => {
    const seat = { label: 'x' };
    expect((await add({ parent: 'halls/red', seat })).status).toBe(200);
    expect((await add({ seat }, { parent: 'halls/blue', seat })).status).toBe(400);
  });
});
