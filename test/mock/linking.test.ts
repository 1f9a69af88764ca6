import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const file = new URL('contracts/tickets.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'tickets.yaml');

async function start() {
  const mock = await mockOf({ contract });
  const ask = async (line: string, body?: JsonObject) =>
    jsonOf(await send(mock, line, body === undefined ? {} : { body })) as JsonObject;
  return { mock, ask };
}

test('a document in HAL links to the collections that its relations name', async () => {
  const { ask } = await start();
  expect(await ask('GET /')).toEqual({
    _links: {
      self: { href: '/' },
      tickets: { href: '/tickets' },
      'find-tickets': { href: '/tickets{?status}', templated: true },
    },
  });
});

test('a record in HAL links to the operations that its state allows', async () => {
  const { ask } = await start();
  const relations = ({ _links: links }: JsonObject) => Object.keys(links as JsonObject).toSorted();
  const { id } = await ask('POST /tickets', { title: 'Leak' });
  const path = `/tickets/${String(id)}`;
  expect(relations(await ask(`GET ${path}`))).toEqual(['add-note', 'edit', 'self']);
  await ask(`POST ${path}/notes`, { text: 'Drip' });
  expect(relations(await ask(`GET ${path}`))).toEqual(['add-note', 'assign', 'edit', 'self']);
  await ask(`POST ${path}/assign`, { worker: 'Kim' });
  expect(relations(await ask(`GET ${path}`))).toEqual(['close', 'self']);
});

test('an action is refused in other states, and without the parts that it needs', async () => {
  const { mock, ask } = await start();
  const { id } = await ask('POST /tickets', { title: 'Leak' });
  const act = async (line: string, body?: JsonObject) =>
    (await send(mock, `POST /tickets/${String(id)}/${line}`, body === undefined ? {} : { body }))
      .status;
  expect(await act('assign', { worker: 'Kim' })).toBe(409);
  expect(await act('close')).toBe(409);
  await act('notes', { text: 'Drip' });
  expect(await act('assign', { worker: 'Kim' })).toBe(200);
  expect(await act('notes', { text: 'Late' })).toBe(409);
  expect(await act('close')).toBe(200);
});

test('an action stores what its body says of the record, and its moment', async () => {
  const { ask } = await start();
  const { id } = await ask('POST /tickets', { title: 'Leak' });
  const path = `/tickets/${String(id)}`;
  await ask(`POST ${path}/notes`, { text: 'Drip' });
  await ask(`POST ${path}/assign`, { worker: 'Kim' });
  expect(await ask(`POST ${path}/close`)).toMatchObject({ status: 'closed', worker: 'Kim' });
  expect(await ask(`GET ${path}`)).toMatchObject({
    worker: 'Kim',
    closedAt: '2030-01-02T03:04:05.000Z',
  });
});

test('an action with a stale If-Match is refused, and a change without one', async () => {
  const { mock, ask } = await start();
  const { id } = await ask('POST /tickets', { title: 'Leak' });
  const path = `/tickets/${String(id)}`;
  await ask(`POST ${path}/notes`, { text: 'Drip' });
  const stale = [['If-Match', '"other"']] as const;
  const refused = await send(mock, `POST ${path}/assign`, { body: {}, headers: stale });
  expect(refused.status).toBe(412);
  const merge = { body: { title: 'x' }, type: 'application/merge-patch+json' };
  expect((await send(mock, `PATCH ${path}`, merge)).status).toBe(428);
});

test('a field with a default gets it back by null in a merge patch', async () => {
  const { mock, ask } = await start();
  const { id } = await ask('POST /tickets', { title: 'Leak', urgency: 'high' });
  const changed = await send(mock, `PATCH /tickets/${String(id)}`, {
    body: { urgency: null },
    type: 'application/merge-patch+json',
    headers: [['If-Match', '*']],
  });
  expect(jsonOf(changed)).toMatchObject({ urgency: 'low' });
});
