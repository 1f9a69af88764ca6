import { afterEach, expect, test } from 'vitest';
import { startMock, type StartMockOptions } from '../../src/library/start-mock.ts';
import { makeWorkplace, notesContract, noteSchema } from './workplace.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The URL of a mock with a configuration and options of a program. */
async function mockAt(
  config: string,
  options: StartMockOptions,
  documents: readonly string[] = ['red/openapi.yaml'],
): Promise<string> {
  const place = await makeWorkplace({
    'red/openapi.yaml': notesContract(),
    'red/note.yaml': noteSchema(''),
    'blue/openapi.yaml': notesContract(),
    'blue/note.yaml': noteSchema(''),
    'vouch.config.yaml': `mock: { ${config} }\n`,
  });
  closing.push(() => place.remove());
  const mock = await startMock({
    ...options,
    contracts: documents.map(place.path),
    config: place.path('vouch.config.yaml'),
    authentication: 'off',
    port: 0,
  });
  closing.push(() => mock.close());
  return mock.url;
}

const add = (url: string): Promise<Response> =>
  fetch(`${url}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"text":5}',
  });
const read = async (url: string): Promise<[number, string]> => {
  const response = await fetch(`${url}/notes/99`);
  return [response.status, await response.text()];
};

test.each<[string, string, StartMockOptions, number, boolean, string[]?]>([
  ['refuses an invalid request', '', {}, 400, false],
  ['answers one, as the configuration says', 'validate: off', {}, 201, false],
  ['answers and warns, as the configuration says', 'validate: warn', {}, 201, true],
  [
    'refuses an invalid request if the program says so',
    'validate: warn',
    { validate: 'on' },
    400,
    false,
  ],
  [
    'answers for several contracts',
    '',
    { validate: 'warn', bases: { blue: '/blue' } },
    201,
    true,
    ['red/openapi.yaml', 'blue/openapi.yaml'],
  ],
])('a mock %s', async (_what, config, options, status, warns, documents) => {
  const response = await add(await mockAt(config, options, documents));
  expect(response.status).toBe(status);
  expect(response.headers.has('Vouch-Invalid-Request')).toBe(warns);
});

test.each<[string, string, StartMockOptions, number, boolean]>([
  ['shows records only', '', {}, 404, true],
  ['generates each response, as the configuration says', 'dynamic: true', {}, 200, false],
  ['generates the same responses for a seed', "dynamic: true, seed: '7'", {}, 200, true],
  ['shows records if the program says so', 'dynamic: true', { dynamic: false }, 404, true],
])('a mock %s', async (_what, config, options, status, repeats) => {
  const url = await mockAt(config, options);
  const [first, second] = [await read(url), await read(url)];
  expect(first[0]).toBe(status);
  expect(first[1] === second[1]).toBe(repeats);
});
