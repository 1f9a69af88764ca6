import { expect, mockTest } from 'vouch/vitest';
import { makeClient } from '../src/client.js';

const test = mockTest({ contract: '../../openapi/petstore.v1.yaml' });

test('lists the animals that are for sale', async ({ session }) => {
  const client = makeClient({ url: session.url, key: 'demo-key', fetch: session.fetch });
  const pets = await client.list({ status: 'available', limit: 5 });
  expect(pets.every(({ status }) => status === 'available')).toBe(true);
});

test('shows an animal that was added, in this test alone', async ({ session }) => {
  const client = makeClient({ url: session.url, key: 'demo-key', fetch: session.fetch });
  const { id } = await client.add({ name: 'Biscuit', categoryId: 1 });
  const pets = await client.list({ limit: 100 });
  expect(pets.map((pet) => pet.id)).toContain(id);
  session.verify({ operation: 'createPet', count: 1, body: { name: 'Biscuit' } });
});

test('tells what the service refuses, in its own words', async ({ session }) => {
  const client = makeClient({
    url: session.url,
    key: 'wrong',
    fetch: (url, init) => session.fetch(String(url), init),
  });
  await expect(client.list()).rejects.toMatchObject({ status: 401 });
});

test('the service keeps its contract', async ({ session }) => {
  await expect(await session.fetch('/pets?limit=1')).toMatchContract('listPets');
  await expect(
    await session.fetch('/pets', { method: 'POST', json: { name: '' } }),
  ).toMatchContract('createPet');
});
