import { afterEach, describe, expect, test } from 'vitest';
import { startMock, type StartMockOptions } from '../../src/library/start-mock.ts';
import { makeWorkplace, notesContract, noteSchema } from './workplace.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const scenario = {
  description: 'No notes can be listed.',
  rules: [{ operation: 'listNotes', answers: [{ status: 503, offContract: true }] }],
};

describe('a scenario that is added to a running mock', () => {
  test.each<[string, (path: (name: string) => string) => StartMockOptions]>([
    ['of one contract', (path) => ({ contract: path('red/openapi.yaml') })],
    [
      'of several contracts',
      (path) => ({
        contracts: [path('red/openapi.yaml'), path('blue/openapi.yaml')],
        bases: { blue: '/blue' },
      }),
    ],
    ['that reloads', (path) => ({ contract: path('red/openapi.yaml'), watch: true })],
  ])('%s answers while it is active, and its name is taken', async (_case, optionsFor) => {
    const place = await makeWorkplace({
      'red/openapi.yaml': notesContract(),
      'red/note.yaml': noteSchema(''),
      'blue/openapi.yaml': notesContract(),
      'blue/note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const mock = await startMock({
      ...optionsFor(place.path),
      config: false,
      authentication: 'off',
      store: 'memory',
    });
    closing.push(() => mock.close());
    const list = async (): Promise<number> => (await fetch(`${mock.url}/notes`)).status;
    mock.addScenario('closed', scenario);
    expect(await list()).toBe(200);
    mock.activate('closed');
    expect(await list()).toBe(503);
    mock.deactivate('closed');
    expect(await list()).toBe(200);
    expect(() => mock.addScenario('closed', scenario)).toThrow('Two scenarios are called closed.');
    const [rule] = scenario.rules;
    expect(() =>
      mock.addScenario('stray', { ...scenario, rules: [{ ...rule, operation: 'listCars' }] }),
    ).toThrow('listCars');
    expect(mock.verification({ path: '/v1/notes', status: 503 })).toMatchObject({
      verified: true,
      count: 1,
    });
    expect(mock.verification({ path: '/v1/notes', count: 1 })).toMatchObject({
      verified: false,
      count: 3,
    });
  });
});
