import { setupServer } from 'msw/node';
import { createMswMock } from 'vouch/msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import sources from 'virtual:vouch';
import { addPet, listPets } from '../src/pets.js';

const base = 'https://pets.example/api';
const mock = await createMswMock({ ...sources, url: base });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => mock.reset());
afterAll(() => server.close());

test('a pet that was added is in the list', async () => {
  expect(await addPet('Ada', base)).toBeUndefined();
  expect((await listPets(base)).map(({ name }) => name)).toEqual(['Biscuit', 'Ada']);
  mock.verify({ operation: 'createPet', body: { name: 'Ada' }, count: 1 });
});

test('each test starts with the fixtures', async () => {
  expect(await listPets(base)).toHaveLength(1);
});

test('a refusal is shown', async () => {
  expect(await addPet(7, base)).toContain('name');
});

test('a lost connection is an error', async () => {
  mock.activate('connection-reset');
  await expect(addPet('Ada', base)).rejects.toThrow('Failed to fetch');
  mock.deactivate('connection-reset');
});
