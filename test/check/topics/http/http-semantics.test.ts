import { expect, test } from 'vitest';
import type { HeaderList } from '../../../../src/http/message.ts';
import type { Respond } from '../../../../src/check/mutants/mutant.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const contract = contractOf(`
paths:
  /sheets:
    post: { operationId: addSheet, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Sheet' }")} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Sheet' }")} }, '400': {
        description: bad } } }
  /sheets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getSheet, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Sheet' }")} }, '404': { description: none } } }
components: { schemas: { Sheet: { type: object, required: [title], properties: { id: {
    type: string, readOnly: true }, title: { type: string }, slug: { type: string,
    readOnly: true } } } } }`);

/** Gives a created record, whose id is added to the body, this address. */
function located(address: (id: string) => string): (respond: Respond) => Respond {
  return (respond) => async (request) => {
    if (request.target === '/elsewhere/1')
      return {
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: new TextEncoder().encode('{"id":"1","title":"elsewhere"}'),
        },
      };
    const reply = await respond(request);
    if (reply.response?.status !== 201) return reply;
    const id = /"id":"([^"]*)"/.exec(new TextDecoder().decode(reply.response.body))?.[1] ?? '';
    const headers: HeaderList = [
      ...reply.response.headers.filter(([name]) => name.toLowerCase() !== 'location'),
      ['Location', address(id)],
    ];
    return {
      ...reply,
      response: {
        ...reply.response,
        headers,
        body: new TextEncoder().encode(
          new TextDecoder()
            .decode(reply.response.body)
            .replace(/\}\s*$/, ',"slug":"of-its-own"}')
            .replace(/"slug":"[^"]*",(?=.*"slug")/, ''),
        ),
      },
    };
  };
}

test.each([
  ['its own', (id: string) => `/v2/sheets/${encodeURIComponent(id)}`],
  [
    'its own, without the path of the collection',
    (id: string) => `sheets/${encodeURIComponent(id)}`,
  ],
  ['by another of its fields', () => '/v2/sheets/of-its-own'],
  ['on another host, of which proxies may know', () => 'https://elsewhere.example/v2/sheets/1'],
  ['where the contract has nothing', () => '/elsewhere/1'],
])('a created record may have an address: %s', async (_name, address) => {
  expect((await alarmsOf(contract, located(address))).alarms).toEqual([]);
});

test('a Location without a record is reported with the path of the record', async () => {
  expect(
    (
      await alarmsOf(
        contract,
        located(() => '/nowhere/1'),
      )
    ).alarms,
  ).toEqual([
    expect.stringMatching(
      /^http-semantics: The header Location of a 201 response is "\/nowhere\/1", and reading it returned 404; the record can be read at the path in the contract\.$/,
    ),
  ]);
});

test('a Location of another record is reported', async () => {
  expect(
    (
      await alarmsOf(
        contract,
        located(() => '/v2/sheets/another'),
      )
    ).alarms,
  ).toEqual([
    expect.stringMatching(
      /^http-semantics: The header Location of a 201 response is "\/v2\/sheets\/another", but the id of the record that was created is "[^"]+"\.$/,
    ),
  ]);
});
