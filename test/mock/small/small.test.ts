import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lintContract } from '../../../src/lint/lint-contract.ts';
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

test('PUT and DELETE on the path of a paged list add to it and take from it', async () => {
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

test('what lies below a record that was just created is there, lists empty', async () => {
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

test('what is made in two places is read in a third, and listed where it was made', async () => {
  const ask = await serve('05-created-in-two-places');
  const { object: hers } = await ask('POST /users/ada/playlists', { body: { name: 'Hers' } });
  const { object: mine } = await ask('POST /me/playlists', { body: { name: 'Mine' } });
  for (const made of [hers, mine])
    expect(await ask(`GET /playlists/${textIn(made, 'id')}`)).toMatchObject({ json: made });
  const names = async (path: string): Promise<string> =>
    JSON.stringify((await ask(`GET ${path}`)).json);
  expect(await names('/me/playlists')).toContain('Mine');
  expect(await names('/me/playlists')).not.toContain('Hers');
  expect(await names('/users/ada/playlists')).not.toContain('Mine');
});

test('an identifier is a text in the record and an integer in the path', async () => {
  const ask = await serve('06-integer-parameter-string-id');
  const { object: made } = await ask('POST /users/u1/meetings', { body: { topic: 'Mine' } });
  expect(made['id']).toMatch(/^[1-9][0-9]*$/);
  expect(await ask(`GET /meetings/${textIn(made, 'id')}`)).toMatchObject({ json: made });
});

test('an identifier is an integer in the answer to a create, a text in the record', async () => {
  const ask = await serve('07-create-answers-another-type-of-id');
  const { object: made } = await ask('POST /project', { body: { name: 'Mine' } });
  expect(made['id']).toEqual(expect.any(Number));
  const id = textIn(made, 'id');
  expect(await ask(`GET /project/${id}`)).toMatchObject({ json: { id, name: 'Mine' } });
});

test('a format on the path parameter alone is that of the field of its name', async () => {
  const ask = await serve('08-uuid-parameter-plain-field');
  const { object: made } = await ask('POST /cards', { body: { memo: 'Mine' } });
  const { object: list } = await ask('GET /cards');
  const tokens = (list['data'] as readonly JsonObject[]).map((card) => textIn(card, 'token'));
  expect(new Set(tokens).size).toBe(4);
  expect(tokens).toContain(made['token']);
  for (const token of tokens)
    expect(await ask(`GET /cards/${token}`)).toMatchObject({ status: 200, json: { token } });
});

test('a record of any members keeps them, under the identifier that it has', async () => {
  const ask = await serve('09-free-form-documents');
  const mine = { id: 'd1', title: 'Mine' };
  expect(await ask('POST /docs', { body: mine })).toMatchObject({ status: 201, json: mine });
  expect(await ask('GET /docs/d1')).toMatchObject({ status: 200, json: mine });
  const { object: other } = await ask('POST /docs', { body: { title: 'Other' } });
  expect(await ask(`GET /docs/${textIn(other, 'id')}`)).toMatchObject({ json: other });
  await ask('DELETE /docs/d1');
  expect((await ask('GET /docs/d1')).status).toBe(404);
});

test('a search that only its description explains is made', async () => {
  const ask = await serve('10-search-by-text');
  const { object: made } = await ask('POST /groups', { body: { name: 'Zebra' } });
  const found = async (term: string) => (await ask(`GET /groups?filter_term=${term}`)).object;
  expect(await found('Zeb')).toEqual({ entries: [made] });
  expect(await found('ebra')).toEqual({ entries: [] });
});

test('two parameters side by side are told apart by what the second may be', async () => {
  const ask = await serve('11-two-parameters-side-by-side');
  expect((await ask('GET /pages/abcde.json')).status).toBe(200);
  expect((await ask('GET /pages/a.b.html')).status).toBe(200);
  expect((await ask('GET /pages/abcde.pdf')).status).toBe(404);
});

test('a list in one of two envelopes has the records', async () => {
  const ask = await serve('12-a-list-of-two-envelopes');
  const { object: made } = await ask('POST /events', { body: { name: 'Mine' } });
  const { object: list } = await ask('GET /events');
  expect(list).toMatchObject({ pagination: { total_count: 4 } });
  expect(list['items']).toContainEqual(made);
  for (const one of list['items'] as readonly JsonObject[])
    expect(await ask(`GET /events/${textIn(one, 'id')}`)).toMatchObject({ json: one });
});

test('a list by zone is a list of the same records', async () => {
  const ask = await serve('13-a-list-by-zone');
  const { object: all } = await ask('GET /instances');
  expect(await ask('GET /instances/fr-par-1')).toMatchObject({ status: 200, json: all });
});

test('a reference is refused only where it is certain to what it refers', async () => {
  const ask = await serve('14-a-reference-to-the-wrong-place');
  const { object: cluster } = await ask('POST /org/o1/cluster', { body: { name: 'Mine' } });
  const rule = { cluster_id: textIn(cluster, 'id') };
  expect(await ask('POST /rules', { body: rule })).toMatchObject({ status: 201, json: rule });
});

test('an example that breaks its schema is not shown, even where a oneOf would hold', async () => {
  const ask = await serve('15-one-of-that-overlap');
  const text = JSON.stringify([
    (await ask('GET /statuses')).json,
    (await ask('GET /accounts')).json,
  ]);
  expect(text).toContain('"seen":"20');
  expect(text).not.toContain('T08:14');
});

test('a unique identifier of another record is not unique among those that name it', async () => {
  const ask = await serve('16-conflict-with-its-own-example');
  for (const name of ['Home', 'Another'])
    expect((await ask('POST /tabs', { body: { roomId: 'r1', name } })).status).toBe(200);
});

test('a record is read by its second key', async () => {
  const ask = await serve('17-a-second-key');
  const body = { name: 'Mine', external_id: 'x-1' };
  const { object: made } = await ask('POST /customers', { body });
  expect(await ask('GET /customers/external/x-1')).toMatchObject({ status: 200, json: made });
  expect((await ask('GET /customers/external/x-2')).status).toBe(404);
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

test('an error has the schema of its own status, or none that fixes another', async () => {
  const ask = await serve('19-error-with-a-fixed-status');
  const refused = await ask('GET /hooks/h1', { headers: [['Accept', 'application/x-nothing']] });
  expect(refused).toMatchObject({ status: 406, json: { status: 406 } });
});

test('a reference that is not found is one error, and nothing follows from it', async () => {
  const name = '20-lint-after-a-reference-that-is-not-found.yaml';
  const { problems } = await lintContract(fileURLToPath(new URL(name, import.meta.url)));
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ rule, place }) => `${rule} ${String(place.line)}`)).toEqual([
    'no-unresolved-refs 11',
    'no-unresolved-refs 13',
  ]);
});

test('an order that the contract lists is taken, though no field has its name', async () => {
  const ask = await serve('22-json-api-refusals');
  expect((await ask('GET /banks?sort=rank,-name')).status).toBe(200);
  expect((await ask('GET /banks?sort=other')).status).toBe(400);
});

test('attributes that are read-only are left to the service, as other fields are', async () => {
  const ask = await serve('23-read-only-attributes');
  const type = 'application/vnd.api+json';
  const write = (line: string, data: object): ReturnType<Ask> =>
    ask(line, { type, body: { data: { type: 'patients', ...data } } as JsonObject });
  const sent = { name: 'Ada', enrolled: 'mine' };
  const made = (await write('POST /patients', { attributes: sent })).object['data'];
  expect(made).toMatchObject({ attributes: { name: 'Ada' } });
  expect(made).not.toMatchObject({ attributes: { enrolled: 'mine' } });
  const { data: seeded } = (await ask('GET /patients')).object;
  const [first] = seeded as [{ id: string; attributes: { archived: boolean } }];
  const { archived } = first.attributes;
  const changed = await write(`PATCH /patients/${first.id}`, {
    id: first.id,
    attributes: { name: 'New', archived: !archived },
  });
  expect(changed).toMatchObject({ json: { data: { attributes: { name: 'New', archived } } } });
});
