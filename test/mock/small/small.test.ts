import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/json/value.ts';
import { jsonOf, mockOf, send, type Sending } from '../workshop.ts';

/** The answer to a request of these tests: its status and its JSON. */
interface Told {
  readonly status: number;
  readonly json: JsonValue | undefined;
  /** The JSON, which must be an object. */
  readonly object: JsonObject;
}

type Ask = (line: string, sending?: Sending) => Promise<Told>;

/** Asks a mock of one of the documents beside this file, which starts with three records each. */
async function serve(name: string): Promise<Ask> {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  const mock = await mockOf({
    contract: parseContract(text, `${name}.yaml`),
    authentication: 'off',
    seedRecords: 3,
    makeId: () => crypto.randomUUID(),
  });
  return async (line, sending) => {
    const answer = await send(mock, line, { key: false, ...sending });
    const json = answer.body.length === 0 ? undefined : jsonOf(answer);
    return {
      status: answer.status,
      json,
      get object() {
        if (json === undefined || !isJsonObject(json)) throw new Error('The answer is no object.');
        return json;
      },
    };
  };
}

/** A member of an answer as text, for the path of the next request. */
function textIn(object: JsonObject, name: string): string {
  return String(object[name]);
}

test('a paged list with PUT and DELETE on its path is a list, which they add to and take from', async () => {
  const ask = await serve('01-paged-list-with-put-delete');
  expect((await ask('PUT /me/saved', { body: { ids: ['a1', 'a2'] } })).status).toBe(200);
  expect((await ask('PUT /me/saved', { body: { ids: ['a2'] } })).status).toBe(200);
  const { object: page } = await ask('GET /me/saved?limit=1');
  expect(page).toMatchObject({ items: [expect.anything()], limit: 1, offset: 0, total: 5 });
  const { object: rest } = await ask('GET /me/saved?offset=3');
  expect(rest['items']).toMatchObject([{ id: 'a1' }, { id: 'a2' }]);
  await ask('DELETE /me/saved', { body: { ids: ['a1'] } });
  const left = await ask('GET /me/saved?offset=3');
  expect(left.object).toMatchObject({ items: [{ id: 'a2' }], total: 4 });
});

test('what lies below a record that was just created is there, and its lists are empty', async () => {
  const ask = await serve('02-below-a-created-record');
  const { object: org } = await ask('POST /orgs', { body: { name: 'New' } });
  const settings = await ask(`GET /orgs/${textIn(org, 'id')}/settings`);
  expect(settings.status).toBe(200);
  expect(settings.object['retentionDays']).toEqual(expect.any(Number));
  const members = await ask(`GET /orgs/${textIn(org, 'id')}/members`);
  expect(members).toMatchObject({ status: 200, json: { results: [] } });
  expect((await ask('GET /orgs/nobody/settings')).status).toBe(404);
});

test('the fields of a form are those of the record, in whichever case', async () => {
  const ask = await serve('03-form-names-in-another-case');
  const { object: made } = await ask('POST /v1/Queues', {
    type: 'application/x-www-form-urlencoded',
    body: new TextEncoder().encode('FriendlyName=Mine&MaxSize=7'),
  });
  expect(made).toMatchObject({ friendly_name: 'Mine', max_size: 7 });
  expect(Object.keys(made).sort()).toEqual(['friendly_name', 'max_size', 'sid']);
  expect(await ask(`GET /v1/Queues/${textIn(made, 'sid')}`)).toMatchObject({ json: made });
});

test('a PUT that says that it creates or updates does both, though it documents 404', async () => {
  const ask = await serve('04-put-creates-and-404');
  const alias = { name: 'mine', target: 'x' };
  expect(await ask('PUT /aliases/mine', { body: { target: 'x' } })).toMatchObject({
    status: 200,
    json: alias,
  });
  expect((await ask('GET /aliases')).object['aliases']).toContainEqual(alias);
  expect((await ask('GET /aliases/other')).status).toBe(404);
});

test('a record that nothing makes is there for any identifier, until it is deleted', async () => {
  const ask = await serve('18-nothing-makes-it');
  expect(await ask('GET /sign_ups/s1')).toMatchObject({ status: 200, json: { id: 's1' } });
  const done = { id: 's1', state: 'done' };
  expect(await ask('PATCH /sign_ups/s1', { body: { state: 'done' } })).toMatchObject({
    status: 200,
    json: done,
  });
  expect(await ask('GET /sign_ups/s1')).toMatchObject({ json: done });
  expect(await ask('GET /files/f1')).toMatchObject({ status: 200, json: { name: 'f1' } });
});
