import { expect, test } from 'vitest';
import { mutantsOf, type Kind, type Place } from '../../../src/check/mutants/kind.ts';
import type { ServiceReply, Service } from '../../../src/check/mutants/mutant.ts';
import { loadContract } from '../../../src/contract/load.ts';
import type { Contract, Operation } from '../../../src/contract/model.ts';
import { emptyBody, type HttpRequest } from '../../../src/http/message.ts';
import { isJsonObject } from '../../../src/json/value.ts';

const contract = await loadContract({
  openapi: '3.1.0',
  info: { title: 'Lamps', version: '1' },
  paths: Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [
      `/${name}`,
      { get: { operationId: name, responses: { 200: { description: 'A lamp.' } } } },
    ]),
  ),
});

const everywhere = ({ operations }: Contract): Place[] =>
  operations.map((operation) => ({ operation }));
const get = (target: string): HttpRequest => ({
  method: 'GET',
  target,
  headers: [],
  body: emptyBody,
});

/** A service that answers with the target of a request; with 404 for one that ends in `?missing`. */
const service: Service = {
  contract,
  chance: () => 0,
  remember: async () => async () => {},
  operationOf: ({ target }): Operation | undefined =>
    contract.operations.find(({ path }) => path === target.split('?')[0]),
  respond: async ({ target }) => ({
    response: {
      status: target.endsWith('?missing') ? 404 : 200,
      headers: [['Content-Type', 'application/json']],
      body: new TextEncoder().encode(JSON.stringify({ target })),
    },
  }),
};

/** The status and the body of what the first mutation makes of some requests, and how often. */
async function ask(
  kind: Kind<Place>,
  ...targets: readonly string[]
): Promise<{ readonly answers: readonly string[]; readonly fired: number }> {
  const [mutation] = await mutantsOf('state')('some-kind', kind).find(contract);
  let fired = 0;
  const respond = mutation?.plant?.(service, () => (fired += 1)) ?? service.respond;
  const answers: string[] = [];
  for (const target of targets) answers.push(show(await respond(get(target))));
  return { answers, fired };
}

function show({ response }: ServiceReply): string {
  return response === undefined
    ? 'nothing'
    : `${String(response.status)} ${new TextDecoder().decode(response.body)}`;
}

const base = { rule: 'A lamp flickers.', where: everywhere, says: 'flickers' };

test('a kind has a mutation for each of its first three places, with its title', async () => {
  const { find, ...mutator } = mutantsOf('list')('flickers', {
    ...base,
    killedBy: 'note',
    says: ({ operation }) => `flickers at ${operation.path}`,
    hidden: ({ operation }) => (operation.id === 'b' ? 'it is dark' : undefined),
    request: () => undefined,
  });
  expect(mutator).toEqual({
    id: 'flickers',
    family: 'list',
    rule: 'A lamp flickers.',
    killedBy: 'note',
  });
  expect((await find(contract)).map(({ plant: _plant, ...mutation }) => mutation)).toEqual([
    { mutator: 'flickers', operation: 'a', title: 'a flickers at /a' },
    { mutator: 'flickers', operation: 'b', title: 'b flickers at /b', hidden: 'it is dark' },
    { mutator: 'flickers', operation: 'c', title: 'c flickers at /c' },
  ]);
});

test('a kind that changes requests changes those of its operation', async () => {
  const request = (original: HttpRequest): HttpRequest => ({ ...original, target: '/d' });
  expect(await ask({ ...base, request }, '/a', '/b')).toEqual({
    answers: ['200 {"target":"/d"}', '200 {"target":"/b"}'],
    fired: 1,
  });
});

test('a kind that changes bodies changes those of successes, and leaves the others', async () => {
  const body: Extract<Kind<Place>, { body: unknown }>['body'] = (value) =>
    isJsonObject(value) ? { ...value, on: true } : undefined;
  expect(await ask({ ...base, body }, '/a', '/a?missing', '/b')).toEqual({
    answers: [
      '200 {"target":"/a","on":true}',
      '404 {"target":"/a?missing"}',
      '200 {"target":"/b"}',
    ],
    fired: 1,
  });
});

test('a kind may change answers of one status only, or of any', async () => {
  const answer: Extract<Kind<Place>, { answer: unknown }>['answer'] = (response) => ({
    ...response,
    status: 500,
  });
  const statuses = async (status: number | 'any'): Promise<readonly string[]> =>
    (await ask({ ...base, answer, status }, '/a', '/a?missing')).answers.map((each) =>
      each.slice(0, 3),
    );
  expect(await statuses(404)).toEqual(['200', '500']);
  expect(await statuses('any')).toEqual(['500', '500']);
});

test('a kind that acts begins anew for each service', async () => {
  const kind: Kind<Place> = {
    ...base,
    act: () => {
      let requests = 0;
      return () => async () => ({
        response: { status: (requests += 1), headers: [], body: emptyBody },
      });
    },
  };
  const [mutation] = await mutantsOf('state')('some-kind', kind).find(contract);
  const count = async (): Promise<readonly string[]> => {
    const respond = mutation?.plant?.(service, () => {}) ?? service.respond;
    return [
      show(await respond(get('/a'))),
      show(await respond(get('/b'))),
      show(await respond(get('/a'))),
    ];
  };
  const expected = ['1 ', '200 {"target":"/b"}', '2 '];
  expect([await count(), await count()]).toEqual([expected, expected]);
});
