import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';
import { decodeUtf8 } from '../../src/json/parse-json.ts';
import type { Respond } from '../../src/check/mutants/mutant.ts';
import { checkService, openService } from '../../src/prove/run-mutation.ts';

const swagger = `
swagger: '2.0'
info: { title: Jars, version: 1.0.0 }
host: jars.example
basePath: /v1
schemes: [https]
consumes: [application/json]
produces: [application/json]
securityDefinitions: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
definitions:
  JarInput: { type: object, required: [label, grams], properties: { label: { type: string,
      minLength: 1, maxLength: 40 }, grams: { type: integer, format: int32, minimum: 1,
      maximum: 5000 }, price: { type: number, minimum: 0, maximum: 1000 }, weights: { type: array,
      maxItems: 4, items: { type: number } } } }
  Jar: { allOf: [{ $ref: '#/definitions/JarInput' }, { type: object, required: [id], properties: {
      id: { type: integer, format: int64, readOnly: true } } }] }
  Error: { type: object, required: [message], properties: { message: { type: string } } }
responses:
  Error: { description: refused, schema: { $ref: '#/definitions/Error' } }
paths:
  /jars:
    get:
      operationId: listJars
      parameters:
        - { name: limit, in: query, type: integer, format: int32, minimum: 1, maximum: 20,
            default: 10 }
        - { name: offset, in: query, type: integer, format: int32, minimum: 0, maximum: 1000,
            default: 0 }
        - { name: labels, in: query, type: array, items: { type: string }, collectionFormat: csv }
      responses: { '200': { description: ok, schema: { type: array, items: {
          $ref: '#/definitions/Jar' } } }, '400': { $ref: '#/responses/Error' }, '401': {
          $ref: '#/responses/Error' } }
    post:
      operationId: createJar
      parameters: [{ name: body, in: body, required: true, schema: {
          $ref: '#/definitions/JarInput' } }]
      responses: { '201': { description: made, schema: { $ref: '#/definitions/Jar' } }, '400': {
          $ref: '#/responses/Error' }, '401': { $ref: '#/responses/Error' } }
  /jars/{jarId}:
    parameters: [{ name: jarId, in: path, required: true, type: integer, format: int64 }]
    get: { operationId: getJar, responses: { '200': { description: ok, schema: {
        $ref: '#/definitions/Jar' } }, '400': { $ref: '#/responses/Error' }, '401': {
        $ref: '#/responses/Error' }, '404': { $ref: '#/responses/Error' } } }
    put:
      operationId: replaceJar
      parameters: [{ name: body, in: body, required: true, schema: {
          $ref: '#/definitions/JarInput' } }]
      responses: { '200': { description: ok, schema: { $ref: '#/definitions/Jar' } }, '400': {
          $ref: '#/responses/Error' }, '401': { $ref: '#/responses/Error' }, '404': {
          $ref: '#/responses/Error' } }
    delete: { operationId: deleteJar, responses: { '204': { description: gone }, '400': {
        $ref: '#/responses/Error' }, '401': { $ref: '#/responses/Error' }, '404': {
        $ref: '#/responses/Error' } } }
`;

const newest = `
openapi: 3.2.0
$self: https://jars.example/openapi
info: { title: Lids, version: 1.0.0 }
servers: [{ url: https://lids.example/v1, name: live }]
security: [{ basic: [] }]
tags: [{ name: lids, kind: nav }]
components:
  securitySchemes: { basic: { type: http, scheme: basic } }
  schemas:
    Lid: { type: object, required: [id, colour], properties: { id: { type: string, format: uuid,
        readOnly: true }, colour: { type: string, enum: [red, blue] }, width: { type: [number,
        'null'], exclusiveMinimum: 0, maximum: 900 } } }
    Event: { type: object, required: [data], properties: { data: { type: string } } }
    Error: { type: object, required: [title], properties: { title: { type: string } } }
  responses:
    Error: { summary: refused, content: { application/problem+json: { schema: {
        $ref: '#/components/schemas/Error' } } } }
paths:
  /lids:
    get:
      operationId: listLids
      tags: [lids]
      parameters: [{ name: colour, in: query, schema: { type: string, enum: [red, blue] } }, {
          name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50,
          default: 20 } }]
      responses: { '200': { summary: the lids, content: { application/json: { schema: {
          type: array, items: { $ref: '#/components/schemas/Lid' } } } } }, '400': {
          $ref: '#/components/responses/Error' }, '401': {
          $ref: '#/components/responses/Error' } }
    post:
      operationId: createLid
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Lid' } } } }
      responses: { '201': { summary: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Lid' } } } }, '400': {
          $ref: '#/components/responses/Error' }, '401': {
          $ref: '#/components/responses/Error' } }
    query:
      operationId: searchLids
      requestBody: { required: true, content: { application/json: { schema: { type: object,
          required: [colour], properties: { colour: { type: string, enum: [red, blue] } } } } } }
      responses: { '200': { summary: found, content: { application/json: { schema: { type: array,
          items: { $ref: '#/components/schemas/Lid' } } } } }, '400': {
          $ref: '#/components/responses/Error' }, '401': {
          $ref: '#/components/responses/Error' } }
  /lids/{lidId}:
    parameters: [{ name: lidId, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { operationId: getLid, responses: { '200': { summary: one, content: { application/json: {
        schema: { $ref: '#/components/schemas/Lid' } } } }, '400': {
        $ref: '#/components/responses/Error' }, '401': { $ref: '#/components/responses/Error' },
        '404': { $ref: '#/components/responses/Error' } } }
    delete: { operationId: deleteLid, responses: { '204': { summary: gone }, '400': {
        $ref: '#/components/responses/Error' }, '401': { $ref: '#/components/responses/Error' },
        '404': { $ref: '#/components/responses/Error' } } }
  /feed:
    get:
      operationId: readFeed
      responses: { '200': { summary: lines, content: { application/jsonl: { itemSchema: {
          $ref: '#/components/schemas/Event' } } } }, '401': {
          $ref: '#/components/responses/Error' } }
`;

/** Checks a service that keeps a contract; `front` stands before it. */
async function check(
  text: string,
  front: (respond: Respond) => Respond = (respond) => respond,
): Promise<CheckReport> {
  const served = {
    contract: parseContract(text.trimStart(), 'own.yaml'),
    fixtures: new Map(),
    assumptions: [],
  };
  const service = await openService(served, { seed: 'versions' });
  return checkService(served, front(service.respond), { seed: 'versions', version: '0.0.0' });
}

function alarmsOf({ findings }: CheckReport): string[] {
  return findings
    .filter(({ severity }) => severity !== 'note')
    .map(
      ({ severity, check: id, operation, message }) =>
        `${severity} ${id} ${operation.id}: ${message}`,
    );
}

describe('a conforming service has no finding, and all reachable operations get requests', () => {
  test.each([
    ['2.0', swagger],
    ['3.2', newest],
  ])('OpenAPI %s', async (_version, text) => {
    const report = await check(text);
    expect(alarmsOf(report)).toEqual([]);
    expect(report.summary.verdict).toBe('passed');
    expect(
      report.summary.operations
        .filter(({ requests }) => requests === 0)
        .map(({ id, skipped }) => `${id}: ${skipped ?? ''}`),
    ).toEqual([]);
  });
});

/** Answers whose numbers outside of texts are written anew. */
function rewriting(write: (number: string) => string): (respond: Respond) => Respond {
  return (respond) => async (request) => {
    const reply = await respond(request);
    const text = decodeUtf8(reply.response?.body ?? new Uint8Array());
    if (reply.response === undefined || !text.ok || text.text === '') return reply;
    const body = new TextEncoder().encode(
      text.text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        token.startsWith('"') ? token : write(token),
      ),
    );
    const headers = reply.response.headers.filter(
      ([name]) => name.toLowerCase() !== 'content-length',
    );
    return { ...reply, response: { ...reply.response, headers, body } };
  };
}

describe('a number in another notation is the same number', () => {
  test.each<[string, (number: string) => string]>([
    ['with zeros behind a point', (number) => (/[.eE]/.test(number) ? number : `${number}.0`)],
    ['with an exponent', (number) => (/[eE]/.test(number) ? number : `${number}e0`)],
    [
      'hundreds as 1e2',
      (number) =>
        number.replace(
          /^(-?\d*[1-9])(0+)$/,
          (_all, digits: string, zeros: string) => `${digits}e${String(zeros.length)}`,
        ),
    ],
    ['nothing as minus nothing', (number) => (number === '0' ? '-0' : number)],
    [
      'decimals with thirty more zeros',
      (number) => (/^-?\d+\.\d+$/.test(number) ? `${number}${'0'.repeat(30)}` : number),
    ],
  ])('%s', async (_name, write) => {
    expect(alarmsOf(await check(swagger, rewriting(write)))).toEqual([]);
  });

  test('a rounded number is a different number', async () => {
    const rounded = rewriting((number) =>
      /^-?\d+\.\d+$/.test(number) ? String(Math.round(Number(number))) : number,
    );
    expect(alarmsOf(await check(swagger, rounded)).join('\n')).toMatch(
      /created-is-returned|created-is-readable|replaced-is-persisted/,
    );
  });
});
