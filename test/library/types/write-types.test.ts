import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { writeTypes, writeContractTypes } from '../../../src/library/types/write-types.ts';
import { createMockApp } from '../../../src/library/start-mock.ts';
import { createPet, handlers } from './use-types.ts';
import { contractOf } from '../../check/fixture/odd-contract.ts';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));
/** The folder of a project that has openapi-typescript. */
const project = pathOf('examples/frontend');

test('the types of the Pet Store are those that use-types.ts is compiled with', async () => {
  const contract = await loadContract(pathOf('openapi/petstore.v1.yaml'));
  const text = await writeTypes(contract, project);
  const options = { parser: 'typescript', printWidth: 100, singleQuote: true } as const;
  const plain = text.replaceAll(/^\s*\/\*\*.*?\*\/\n/gms, '').replace(/^\/\/ .*\n\n/, '');
  const written = plain.replace("from 'vouch'", "from '../../../src/index.ts'");
  expect(await format(written, options)).toBe(
    readFileSync(pathOf('test/library/types/petstore.ts'), 'utf8'),
  );
}, 30_000);

test('handlers with the types of the contract are handlers of its mock', async () => {
  const mock = await createMockApp({
    contract: pathOf('openapi/petstore.v1.yaml'),
    config: false,
    authentication: 'off',
    handlers: { ...handlers, createPet },
  });
  const server = mock.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${String(port)}/v1/pets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'rex', categoryId: 1 }),
  });
  server.close();
  expect([answer.status, await answer.json()]).toMatchObject([201, { name: 'REX' }]);
});

test('a project without openapi-typescript is told what to install', async () => {
  const contract = await loadContract(pathOf('openapi/petstore.v1.yaml'));
  await expect(writeTypes(contract, '/')).rejects.toMatchObject({
    code: 'types-missing',
    hint: 'Install it in your project: npm install --save-dev openapi-typescript typescript@5',
  });
});

/** The members of the records. */
function recordsIn(contract: Contract): string {
  return /interface Records \{\n(.*?)\}\n/s.exec(writeContractTypes(contract))?.[1] ?? '';
}

const listOf = (path: string, schema: string): Contract =>
  contractOf(`
paths:
  ${path}:
    get: { responses: { '200': { description: ok, content: { application/json: {
        schema: ${schema} } } } } }
components: { schemas: { Note: { type: object, required: [id], properties: {
    id: { type: integer } } } } }`);

describe('the type of a record', () => {
  const written = '{ type: object, required: [id], properties: { id: { type: integer } } }';
  const answer =
    'NonNullable<paths["/notes"]["get"]["responses"][200]["content"]["application/json"]';

  test.each([
    [
      'a named schema',
      '{ type: array, items: { $ref: "#/components/schemas/Note" } }',
      'components["schemas"]["Note"]',
    ],
    ['one that is written in place', `{ type: array, items: ${written} }`, `${answer}>[number]`],
    [
      'one in an envelope',
      `{ type: object, properties: { items: { type: array, items: ${written} } } }`,
      `NonNullable<${answer}>["items"]>[number]`,
    ],
    [
      'one that is composed of several',
      `{ type: array, items: { allOf: [${written}] } }`,
      `${answer}>[number]`,
    ],
  ])('%s', (_what, schema, type) => {
    expect(recordsIn(listOf('/notes', schema))).toBe(`  notes: ${type};\n`);
  });
});

test('operations are named by their ids, and by method and path without one', () => {
  const text = writeContractTypes(
    contractOf(`
paths:
  /notes/{id}:
    get: { operationId: get-note, responses: { '200': { description: ok } } }
    put: { responses: { '200': { description: ok } } }`),
  );
  expect(text).toContain('  "get-note"?: HandlerOf<paths["/notes/{id}"]["get"], Records>;\n');
  expect(text).toContain(
    '  "PUT /notes/{id}"?: HandlerOf<paths["/notes/{id}"]["put"], Records>;\n',
  );
  expect(text).not.toContain('AnyHandler');
});
