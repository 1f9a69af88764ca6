import { expect, useMock } from 'vouch/jest';
import { makeCatalogue, Refusal } from './catalogue.js';

// No network: the service is the contract, and what goes wrong is played by scenarios.
const service = useMock({
  contract: '../../openapi/petstore.v1.yaml',
  scenarios: '../../scenarios',
});

const open = (more = {}) =>
  makeCatalogue({
    url: service.session.url,
    key: 'demo-key',
    fetch: service.session.fetch,
    wait: async () => {},
    ...more,
  });

test('the animals that are for sale', async () => {
  const animals = await open().forSale();
  expect(animals.length).toBeGreaterThan(0);
  service.session.verify({ operation: 'listPets', count: 1, query: { status: 'available' } });
});

test('an animal of our own is offered, and is in the catalogue', async () => {
  const { id } = await open().offer('Biscuit', 1);
  expect(await open().forSale()).toContainEqual({ id, name: 'Biscuit' });
});

test('a service that is away twice is asked a third time', async () => {
  service.session.activate('list-fails-twice');
  expect((await open().forSale()).length).toBeGreaterThan(0);
  service.session.verify({ operation: 'listPets', count: 3 });
});

test('an offer whose connection breaks is not sent twice: it was taken', async () => {
  service.session.activate('connection-reset');
  await expect(open().offer('Biscuit the Second', 1)).rejects.toThrow(
    'Nobody knows whether Biscuit the Second was added.',
  );
  service.session.deactivate('connection-reset');
  expect((await open().forSale()).filter(({ name }) => name === 'Biscuit the Second')).toHaveLength(
    1,
  );
});

test('a key that has expired is told in the words of the service', async () => {
  service.session.activate('expired-key');
  await expect(open().forSale()).rejects.toThrow(Refusal);
});

test('what we rely on is what the contract says', async () => {
  await expect(await service.session.fetch('/pets?limit=1')).toMatchContract('listPets');
});
