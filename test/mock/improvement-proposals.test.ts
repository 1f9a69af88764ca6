import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { depotDocument } from '../check/fixture/depots.ts';
import { tokenList } from '../check/fixture/paged.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(JSON.stringify(depotDocument), 'depots.json');
const body = { display_name: 'West', capacity: 2, note: 'new' };

describe('the mock applies an update mask (AIP-134)', () => {
  let mock: Mock;
  let path: string;
  beforeEach(async () => {
    mock = await mockOf({ contract });
    const made = await send(mock, 'POST /depots?depot_id=west', {
      body: { display_name: 'First', capacity: 1, note: 'old' },
    });
    path = `/depots/${String((jsonOf(made) as { name: string }).name)}`;
  });

  async function update(mask: string): Promise<JsonValue> {
    await send(mock, `PATCH ${path}?update_mask=${mask}`, { body });
    return jsonOf(await send(mock, `GET ${path}`));
  }

  test('to the fields that it names, and to no other', async () => {
    expect(await update('capacity')).toMatchObject({
      display_name: 'First',
      capacity: 2,
      note: 'old',
    });
    expect(await update('note,display_name')).toMatchObject({ display_name: 'West', note: 'new' });
  });

  test('that removes what the body lacks', async () => {
    await send(mock, `PATCH ${path}?update_mask=note`, { body: { display_name: 'x' } });
    expect(jsonOf(await send(mock, `GET ${path}`))).not.toHaveProperty('note');
    await send(mock, `PATCH ${path}?update_mask=*`, { body: { display_name: 'bare' } });
    const bare = jsonOf(await send(mock, `GET ${path}`));
    expect(bare).toMatchObject({ display_name: 'bare' });
    expect(bare).not.toHaveProperty('capacity');
  });

  test('to a member of a field', async () => {
    const address = { street: 'Low', city: 'Bath' };
    await send(mock, `PATCH ${path}?update_mask=address`, { body: { display_name: 'a', address } });
    const other = { display_name: 'a', address: { street: 'High', city: 'York' } };
    await send(mock, `PATCH ${path}?update_mask=address.city`, { body: other });
    expect(jsonOf(await send(mock, `GET ${path}`))).toMatchObject({
      address: { street: 'Low', city: 'York' },
    });
    await send(mock, `PATCH ${path}?update_mask=address.city`, { body: { display_name: 'a' } });
    const { address: kept } = jsonOf(await send(mock, `GET ${path}`)) as { address: object };
    expect(kept).toEqual({ street: 'Low' });
  });

  test('and refuses one that names an unknown field', async () => {
    const refused = await send(mock, `PATCH ${path}?update_mask=colour`, { body });
    expect(refused.status).toBe(400);
  });
});

test('the mock refuses a change and a deletion with a stale etag (AIP-154)', async () => {
  const mock = await mockOf({
    contract,
    fixtures: new Map([
      ['depots', [{ id: 'west', record: { name: 'west', display_name: 'West', etag: 'a1b2' } }]],
    ]),
  });
  const change = (etag: string): ReturnType<typeof send> =>
    send(mock, 'PATCH /depots/west', { body: { display_name: 'East', etag } });
  expect((await change('other')).status).toBeGreaterThanOrEqual(400);
  expect(jsonOf(await send(mock, 'GET /depots/west'))).toMatchObject({ display_name: 'West' });
  expect((await change('a1b2')).status).toBe(200);
  const { etag } = jsonOf(await send(mock, 'GET /depots/west')) as { etag: string };
  expect(etag).not.toBe('a1b2');
  expect((await send(mock, 'DELETE /depots/west?etag=a1b2')).status).toBeGreaterThanOrEqual(400);
  expect((await send(mock, `DELETE /depots/west?etag=${etag}`)).status).toBe(200);
});

test('the mock stores nothing that is only to be validated (AIP-163)', async () => {
  const mock = await mockOf({ contract });
  const made = await send(mock, 'POST /depots?depot_id=a', { body });
  const path = `/depots/${String((jsonOf(made) as { name: string }).name)}`;
  const listed = async (): Promise<number> =>
    (jsonOf(await send(mock, 'GET /depots')) as { depots: JsonValue[] }).depots.length;
  const before = [jsonOf(await send(mock, `GET ${path}`)), await listed()];
  const other = { body: { display_name: 'Other' } };
  const tried = [
    await send(mock, 'POST /depots?depot_id=b&validate_only=true', other),
    await send(mock, `PATCH ${path}?validate_only=true`, other),
    await send(mock, `DELETE ${path}?validate_only=true`),
    await send(mock, `PATCH ${path}?validate_only=true`, { body: { capacity: 0 } }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
  expect([jsonOf(await send(mock, `GET ${path}`)), await listed()]).toEqual(before);
});

test('the mock answers a repeated request id with the first answer (AIP-155)', async () => {
  const mock = await mockOf({ contract });
  const answers = [];
  for (const id of ['one', 'one', 'two']) {
    const answer = await send(mock, `POST /depots?depot_id=a&request_id=${id}`, { body });
    answers.push((jsonOf(answer) as { name: string }).name);
  }
  const [first, again, other] = answers;
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('the mock keeps a deleted record until it is restored (AIP-164)', async () => {
  const mock = await mockOf({ contract });
  const made = jsonOf(await send(mock, 'POST /depots?depot_id=a', { body }));
  const { name } = made as { name: string };
  const namesIn = async (query: string): Promise<string[]> =>
    (jsonOf(await send(mock, `GET /depots${query}`)) as { depots: { name: string }[] }).depots.map(
      (depot) => depot.name,
    );
  await send(mock, `DELETE /depots/${name}`);
  expect(await namesIn('')).not.toContain(name);
  expect(await namesIn('?show_deleted=true')).toContain(name);
  expect((await send(mock, `POST /depots/${name}:undelete`)).status).toBe(200);
  expect(jsonOf(await send(mock, `GET /depots/${name}`))).toMatchObject(body);
  expect(await namesIn('')).toContain(name);
});

test('the mock gives a new record the name that its query chooses, once (AIP-133)', async () => {
  const mock = await mockOf({ contract });
  const make = async (): Promise<ReturnType<typeof send>> =>
    send(mock, 'POST /depots?depot_id=chosen', { body });
  expect(jsonOf(await make())).toMatchObject({ name: 'chosen' });
  expect((await make()).status).toBe(409);
  await send(mock, 'DELETE /depots/chosen');
  expect((await make()).status).toBe(409);
  const deleted = jsonOf(await send(mock, 'GET /depots/chosen')) as { delete_time: string };
  expect(Date.parse(deleted.delete_time)).not.toBeNaN();
});

test('the mock restores nothing that is not deleted (AIP-164)', async () => {
  const mock = await mockOf({ contract });
  await send(mock, 'POST /depots?depot_id=live', { body });
  expect((await send(mock, 'POST /depots/live:undelete')).status).toBe(409);
  await send(mock, 'DELETE /depots/live');
  const restored = await send(mock, 'POST /depots/live:undelete');
  expect(jsonOf(restored)).not.toHaveProperty('delete_time');
});

test('the mock refuses a required kind that stands for none (AIP-126)', async () => {
  const text = JSON.stringify(depotDocument)
    .replace('["BIG","SMALL"]', '["KIND_UNSPECIFIED","BIG"]')
    .replace('["display_name","create_time"]', '["display_name","create_time","kind"]');
  const mock = await mockOf({ contract: parseContract(text, 'depots.json') });
  const make = async (kind: string): Promise<number> =>
    (await send(mock, 'POST /depots?depot_id=a', { body: { ...body, kind } })).status;
  expect([await make('KIND_UNSPECIFIED'), await make('BIG')]).toEqual([400, 200]);
});

test('the mock knows a token of one filter, and a page size of 0 (AIP-158)', async () => {
  const records = ['NOVEL', 'ATLAS', 'NOVEL'].map((kind, index) => ({
    id: String(index + 1),
    record: { id: index + 1, kind },
  }));
  const mock = await mockOf({
    contract: tokenList().contract,
    fixtures: new Map([['books', records]]),
  });
  const first = jsonOf(await send(mock, 'GET /books?kind=NOVEL&page_size=1'));
  const { next_page_token: token } = first as { next_page_token: string };
  const next = await send(mock, `GET /books?kind=NOVEL&page_size=2&page_token=${token}`);
  expect(jsonOf(next)).toMatchObject({ books: [{ id: 3 }] });
  expect((await send(mock, `GET /books?page_token=${token}`)).status).toBe(400);
  const all = jsonOf(await send(mock, 'GET /books?page_size=0')) as { books: unknown[] };
  expect(all.books).toHaveLength(3);
});
