import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { streamCheckPlan } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';
import { VouchError } from '../../src/errors.ts';
import { emptyBody } from '../../src/http/message.ts';
import { parseYaml } from '../../src/json/parse-yaml.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { prepareMock } from '../../src/library/prepare-mock.ts';
import { clinicText } from '../check/fixture/clinic-contract.ts';
import { libraryText } from '../check/fixture/library-contract.ts';

const petstore = readFileSync(join(import.meta.dirname, '../../openapi/petstore.v1.yaml'), 'utf8');

const swagger = `
swagger: '2.0'
info: { title: Old, version: '1' }
host: old.example
basePath: /v1
schemes: [https]
consumes: [application/json]
securityDefinitions:
  key: { type: apiKey, in: header, name: X-Key }
  oauth:
    type: oauth2
    flow: password
    tokenUrl: https://a.example/token
    scopes: { read: to read }
security: [{ key: [] }]
parameters:
  Limit: { name: limit, in: query, type: integer, minimum: 1, maximum: 50, default: 10 }
responses:
  Missing: { description: missing, schema: { $ref: '#/definitions/Problem' } }
definitions:
  Problem:
    type: object
    required: [code]
    properties:
      code: { type: string, enum: [a, b] }
      next: { $ref: '#/definitions/Problem' }
  Book:
    type: object
    discriminator: kind
    required: [kind]
    properties:
      id: { type: integer, readOnly: true }
      kind: { type: string }
      tags: { type: array, items: { type: string } }
    example: { kind: Book }
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { $ref: '#/parameters/Limit' }
        - { name: tag, in: query, type: array, items: { type: string }, collectionFormat: multi }
      responses:
        '200':
          description: ok
          schema: { type: array, items: { $ref: '#/definitions/Book' } }
          headers: { X-Total: { type: integer } }
    post:
      operationId: addBook
      parameters: [{ name: book, in: body, required: true, schema: { $ref: '#/definitions/Book' } }]
      responses:
        '201': { description: made, schema: { $ref: '#/definitions/Book' } }
        '404': { $ref: '#/responses/Missing' }
  /upload:
    post:
      operationId: upload
      consumes: [multipart/form-data]
      parameters: [{ name: file, in: formData, type: file, required: true }]
      responses: { '204': { description: taken } }
`;

/** What takes the place of a node. The references lead to places of another kind, or nowhere. */
const replacements: readonly JsonValue[] = [
  null,
  [],
  {},
  5,
  'x',
  true,
  [null],
  { $ref: '#/info' },
  { $ref: '#/info/title' },
  { $ref: 5 },
];

type Path = readonly (string | number)[];

function pathsIn(value: JsonValue, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [path, ...members.flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function replaceAt(value: JsonValue, [name, ...rest]: Path, by: JsonValue): JsonValue {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) =>
      index === name ? replaceAt(item, rest, by) : item,
    );
  const object = value as JsonObject;
  return { ...object, [name]: replaceAt(object[name] ?? null, rest, by) };
}

/** Documents with one node replaced: one in `step` of all that there are, always the same ones. */
function* mutations(
  text: string,
  step: number,
): Generator<{ readonly name: string; readonly document: JsonValue }> {
  const reading = parseYaml(text);
  if (!reading.ok) throw new Error('The document of the test is not YAML.');
  const all = pathsIn(reading.value).flatMap((path) => replacements.map((by) => ({ path, by })));
  for (const { path, by } of all.filter((_, index) => index % step === 0)) {
    yield {
      name: `/${path.join('/')} = ${stringifyJson(by)}`,
      document: replaceAt(reading.value, path, by),
    };
  }
}

/** Builds, plans, starts a mock and asks it for each operation. */
async function use(document: JsonValue): Promise<void> {
  const contract = parseContract(stringifyJson(document, 2), 'api.json');
  const plan = await streamCheckPlan({
    url: 'http://127.0.0.1:1',
    contract,
    token: 'demo-key',
    seed: '1',
  });
  expect([...(plan?.requests ?? [])].length).toBe(plan?.count);
  expect([...contract.gaps, ...contract.webhooks].length).toBeGreaterThanOrEqual(0);
  const { mock, store } = await prepareMock({ contract: document as JsonObject, config: false });
  for (const { method, path } of contract.operations) {
    const target = `${contract.servers[0]?.basePath ?? ''}${path.replaceAll(/\{[^}]+\}/g, '1')}`;
    const headers = [
      ['Host', 'localhost'],
      ['Authorization', 'Bearer demo-key'],
      ['X-Key', 'demo-key'],
    ] as const;
    const { status } = await mock.answer({ method, target, headers, body: emptyBody });
    expect(status).toBeGreaterThan(99);
  }
  await store.close();
}

/** What went wrong in another way than by an error of the document that has a place. */
async function strangeError(document: JsonValue): Promise<string | undefined> {
  try {
    await use(document);
    return undefined;
  } catch (error) {
    if (!(error instanceof VouchError))
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    const isTold =
      (error.code === 'usage' || error.code.startsWith('contract-')) && error.place !== undefined;
    return isTold ? undefined : `${error.code}: ${error.message}`;
  }
}

describe('a document with any node replaced works, or is refused with the place', () => {
  test.each([
    ['the Pet Store', petstore, 89],
    ['records below others', clinicText, 79],
    ['a library', libraryText, 43],
    ['Swagger 2.0', swagger, 23],
  ])(
    '%s',
    async (_name, text, step) => {
      const strange: string[] = [];
      let count = 0;
      for (const { name, document } of mutations(text, step)) {
        count += 1;
        const error = await strangeError(document);
        if (error !== undefined) strange.push(`${name}: ${error}`);
      }
      expect(strange).toEqual([]);
      expect(count).toBeGreaterThan(50);
    },
    180_000,
  );
});
