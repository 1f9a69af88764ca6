import { describe, expect, test } from 'vitest';
import { planCheck, type CheckOptions } from '../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { clinicContract } from '../fixture/clinic-contract.ts';

const url = 'http://127.0.0.1:4010';

function plan(paths: string, options: Partial<CheckOptions> = {}): ReturnType<typeof planCheck> {
  return planCheck({
    url,
    contract: parseContract(
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}`,
      't.yaml',
    ),
    seed: 'a',
    mode: 'read-write',
    ...options,
  });
}

describe('records below records', () => {
  const { requests } = planCheck({
    url,
    contract: clinicContract(),
    seed: 'a',
    mode: 'read-write',
  });
  const sent = (operation: string): string[] => [
    ...new Set(
      requests
        .filter(({ operation: { id }, phase }) => id === operation && phase === 'sequence')
        .map(({ method, url: target }) => `${method} ${target.replace(url, '')}`),
    ),
  ];

  test('are named by known records, at every level', () => {
    expect(sent('getAnimal')).toEqual(['GET /owners/{ownerId}/animals/{animalId}']);
    expect(sent('washAnimal')).toEqual(['POST /owners/{ownerId}/animals/{animalId}/wash']);
  });

  test('are requested after their parents', () => {
    const first = (operation: string): number =>
      requests.findIndex(
        ({ operation: { id }, phase }) => id === operation && phase === 'boundary',
      );
    expect(first('createAnimal')).toBeGreaterThan(first('createOwner'));
  });

  test('a link is followed with values of the response before it', () => {
    expect(
      requests
        .filter(({ operation, title }) => operation.id === 'getReport' && title.includes('link'))
        .map(({ title, url: target }) => `${title} <${target.replace(url, '')}>`),
    ).toEqual(['the link report of createOwner is followed </reports/{code}>']);
  });

  test('a read whose value any answer may show waits for one, and is not skipped', () => {
    const plain = requests.filter(
      ({ operation, title }) => operation.id === 'getReport' && title === 'a plain request',
    );
    expect(plain.map(({ url: target }) => target.replace(url, ''))).toEqual(['/reports/{code}']);
  });
});

test.each(['put', 'patch', 'delete'])(
  'a record is made to be changed where it can be, by %s alone',
  (method) => {
    const thing =
      '{ type: object, required: [name], properties: { id: { type: integer, ' +
      'readOnly: true }, name: { type: string } } }';
    const body =
      method === 'delete'
        ? ''
        : ` requestBody: { required: true, content: { application/json: { schema: ${thing} } } },`;
    const { requests } = plan(`  /things:
    post: { operationId: create, requestBody: { required: true, content: { application/json: {
        schema: ${thing} } } }, responses: { '201': { description: made, content: {
        application/json: { schema: ${thing} } } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: read, responses: { '200': { description: ok, content: {
        application/json: { schema: ${thing} } } } } }
    ${method}: { operationId: change,${body} responses: { '204': { description: done } } }
`);
    expect(
      requests.filter(({ title }) => title === 'a record is created to be changed'),
    ).toHaveLength(1);
  },
);

describe('a path parameter with unknown values', () => {
  const file =
    '  /files/{name}: { get: { operationId: getFile, parameters: [{ name: ' +
    'name, in: path, required: true, schema: { type: string }EXAMPLE }], ' +
    "responses: { '200': { description: ok } } } }\n";
  const targets = ({ requests }: ReturnType<typeof planCheck>): string[] =>
    requests
      .filter(({ phase }) => phase === 'probe' || phase === 'read')
      .map(({ url: target }) => target.replace(url, ''));

  test('gets an example of the contract', () => {
    expect(targets(plan(file.replace('EXAMPLE', ', example: logo.png')))).toEqual([
      '/files/logo.png',
    ]);
  });

  test('gets the value of the user first', () => {
    expect(
      targets(
        plan(file.replace('EXAMPLE', ', example: logo.png'), {
          examples: { getFile: { name: 'our.png' } },
        }),
      ),
    ).toEqual(['/files/our.png']);
  });

  test('skips the operation, with a reason that says how to give a value', () => {
    expect(plan(file.replace('EXAMPLE', '')).skipped.map(({ reason }) => reason)).toEqual([
      'nothing in the contract shows which values {name} has; give one with ' +
        'targets.NAME.examples.getFile.name.',
    ]);
  });

  test('never gets an example in an operation that changes something', () => {
    const lock =
      '  /files/{name}/lock: { post: { operationId: lock, parameters: [{ name: ' +
      'name, in: path, required: true, schema: { type: string }, example: ' +
      "logo.png }], responses: { '204': { description: ok } } } }\n";
    expect(plan(lock).requests).toEqual([]);
    expect(plan(lock).skipped.map(({ reason }) => reason)).toEqual([
      'nothing in the contract shows which values {name} has, and the run changes only what it ' +
        'created.',
    ]);
    expect(
      new Set(
        plan(lock, { examples: { lock: { name: 'mine.png' } } })
          .requests.filter(({ phase }) => phase === 'sequence' || phase === 'boundary')
          .map(({ method, url: target }) => `${method} ${target.replace(url, '')}`),
      ),
    ).toEqual(new Set());
    expect(
      plan(lock.replace('post', 'delete'), { examples: { lock: { name: 'mine.png' } } }).requests,
    ).toEqual([]);
  });
});

describe('a singleton', () => {
  const settings = (schema: string): string => `  /settings:
    get: { operationId: getSettings, responses: { '200': { description: ok, content: {
        application/json: { schema: ${schema} } } } } }
    put: { operationId: putSettings, requestBody: { required: true, content: { application/json: {
        schema: ${schema} } } }, responses: { '204': { description: ok } } }
    delete: { operationId: dropSettings, responses: { '204': { description: ok } } }
`;

  test('is changed in one harmless field, and restored', () => {
    const { requests, skipped } = plan(
      settings(
        '{ type: object, properties: { email: { type: string }, dense: { type: boolean } } }',
      ),
    );
    expect(requests.filter(({ method }) => method === 'PUT').map(({ title }) => title)).toEqual([
      'dense of the record is changed',
      'what was there before is put back',
    ]);
    expect(skipped.map(({ operation, reason }) => `${operation.id}: ${reason}`)).toEqual([
      'dropSettings: it may touch records that the request does not name: it ' +
        'is a DELETE on a path that names no record; --allow dropSettings sends ' +
        'it.',
    ]);
  });

  test('is not changed if every field is delicate', () => {
    const { requests } = plan(
      settings(
        '{ type: object, properties: { email: { type: string }, password: { ' +
          'type: string }, role: { type: string, enum: [admin, guest] } } }',
      ),
    );
    expect(requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
  });
});
