import { afterEach, expect, test } from 'vitest';
import { cleanUpRun, type LeftRun } from '../../../../src/check/engine/run/clean-up-run.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { libraryText } from '../../fixture/library-contract.ts';
import { startLibrary, type Library } from '../../fixture/library-server.ts';
import { contractOf, Records } from '../../harm/strangers-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

const contract = parseContract(libraryText, 'library.yaml');

async function addBook(title: string): Promise<string> {
  const made = await fetch(`${library?.url ?? ''}/books`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${library?.token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title, shelfId: 1 }),
  });
  return /"id":\s*(\d+)/.exec(await made.text())?.[1] ?? '';
}

test(
  'what is cleaned up a second time is said to be gone, whether or not it ' +
    'bore the mark of the run',
  async () => {
    library = await startLibrary();
    const ids = [await addBook('The Long Road vouch-1a2b3c'), await addBook('The Short Road')];
    const records = ids.map((identifier, index) => ({
      resource: 'books',
      identifier,
      parents: [],
      marked: index === 0,
    }));
    const left: LeftRun = {
      mark: 'vouch-1a2b3c',
      records,
      uncertain: false,
      unanswered: [],
      unidentified: [],
    };
    const outcomes = async () =>
      (
        await cleanUpRun(left, {
          url: library?.url ?? '',
          contract,
          token: library?.token ?? '',
          mode: 'read-write',
        })
      ).map(({ record, outcome, reason }) => `${record.replace(/\d+/, 'n')} ${outcome}: ${reason}`);
    expect(await outcomes()).toEqual([
      'books n deleted: it was deleted',
      'books n deleted: it was deleted',
    ]);
    expect(await outcomes()).toEqual([
      'books n gone: it no longer exists',
      'books n gone: it no longer exists',
    ]);
  },
);

test('records without an identifier are found by the mark of the run', async () => {
  library = await startLibrary();
  for (const title of [
    'The Long Road vouch-1a2b3c',
    'The Short Road',
    'The Last Road vouch-1a2b3c-7',
  ])
    await addBook(title);
  const left: LeftRun = {
    mark: 'vouch-1a2b3c',
    records: [],
    uncertain: true,
    unanswered: [],
    unidentified: [],
  };
  const clean = async () =>
    (
      await cleanUpRun(left, {
        url: library?.url ?? '',
        contract,
        token: library?.token ?? '',
        mode: 'read-write',
      })
    ).map(({ outcome }) => outcome);
  expect(await clean()).toEqual(['deleted', 'deleted']);
  expect(await clean()).toEqual([]);
});

test('a record that shows another one with the mark of the run is not touched', async () => {
  const server = new Records();
  server.seed('owners', 1, {
    id: 1,
    name: 'Ada',
    things: [{ id: 7, name: 'Lamp vouch-1a2b3c-000000' }],
  });
  server.put('owners', 2, { id: 2, name: 'Owner vouch-1a2b3c-111111' });
  const owner = '{ type: object, properties: { id: { type: integer }, name: { type: string } } }';
  const shown = (schema: string): string =>
    `'200': { description: ok, content: { application/json: { schema: ${schema} } } }`;
  const owners = contractOf(`
  /owners:
    get: { operationId: listOwners, responses: { ${shown(`{ type: array, items: ${owner} }`)} } }
    post: { operationId: addOwner, requestBody: { content: { application/json: {
        schema: ${owner} } } }, responses: { ${shown(owner)} } }
  /owners/{id}:
    delete: { operationId: deleteOwner, parameters: [{ name: id, in: path, required: true,
        schema: { type: integer } }], responses: { '204': { description: done } } }`);
  const left: LeftRun = {
    mark: 'vouch-1a2b3c',
    records: [],
    uncertain: true,
    unanswered: [],
    unidentified: [],
  };
  const cleaned = await cleanUpRun(left, {
    url: 'http://127.0.0.1:9',
    contract: owners,
    mode: 'read-write',
    async send(baseUrl, request) {
      const id = Number(/\d+$/.exec(request.target)?.[0]);
      const status = request.method === 'GET' ? 200 : server.delete('owners', id) ? 204 : 404;
      const body = new TextEncoder().encode(
        request.method === 'GET' ? JSON.stringify(server.all('owners')) : '',
      );
      const headers = [['Content-Type', 'application/json']] as const;
      return { baseUrl, request, response: { status, headers, body }, durationMs: 1 };
    },
  });
  expect(cleaned.map(({ outcome }) => outcome)).toEqual(['deleted']);
  expect([server.lost(), server.added]).toEqual([[], 0]);
});
