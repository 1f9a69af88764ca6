import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, mockOf } from './workshop.ts';

// Bodies have their fields at the top, and answers keep them in a group, with another key in paths.
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const text: JsonObject = { type: 'string' };
const shown = (attributes: JsonObject): JsonObject =>
  object({ id: text, type: text, attributes }, ['id', 'type']);
const whole = (schema: JsonObject): JsonObject =>
  Object.hasOwn(schema, '$ref') ? schema : shown(schema);
const one = (attributes: JsonObject): JsonObject => ({
  description: 'One.',
  ...jsonContent(object({ data: whole(attributes) }, ['data'])),
});
const list = (attributes: JsonObject): JsonObject => ({
  description: 'All.',
  ...jsonContent(object({ data: { type: 'array', items: whole(attributes) } }, ['data'])),
});
const refusal: JsonObject = { description: 'Refused.', ...jsonContent(object({ message: text })) };
const refusals = { 404: refusal, 422: refusal };
const named = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: text });
const body = (properties: JsonObject, required: string[] = []): JsonObject => ({
  requestBody: { required: true, ...jsonContent(object(properties, required)) },
});

const currency = object({ code: text, name: text, rank: { type: 'integer', readOnly: true } });
const bill = { $ref: '#/components/schemas/Bill' };
const key: JsonObject = { ...text, pattern: '^[a-z]{2}$' };
const label = object({ key, colour: text }, ['key']);
const note = object({ text, author_id: { ...text, writeOnly: true } });

const contract = makeContract({
  paths: {
    '/currencies': {
      get: { operationId: 'listCurrencies', responses: { 200: list(currency) } },
      post: {
        operationId: 'addCurrency',
        ...body({ code: text, name: text }, ['code']),
        responses: { 200: one(currency), ...refusals },
      },
    },
    '/currencies/{code}': {
      parameters: [named('code')],
      get: { operationId: 'getCurrency', responses: { 200: one(currency), ...refusals } },
      put: {
        operationId: 'replaceCurrency',
        ...body({ code: text, rank: { type: 'integer' } }),
        responses: { 200: one(currency), ...refusals },
      },
    },
    '/currencies/{code}/bills': {
      parameters: [named('code')],
      get: { operationId: 'billsIn', responses: { 200: list(bill), ...refusals } },
      post: {
        operationId: 'addBillIn',
        ...body({ label: text }),
        responses: { 200: one(bill), ...refusals },
      },
    },
    '/labels': {
      get: { operationId: 'listLabels', responses: { 200: list(label) } },
      post: {
        operationId: 'addLabel',
        ...body({ key, colour: text }),
        responses: { 200: one(label), ...refusals },
      },
    },
    '/labels/{key}': {
      parameters: [named('key')],
      get: { operationId: 'getLabel', responses: { 200: one(label), ...refusals } },
    },
    '/bills': {
      get: { operationId: 'listBills', responses: { 200: list(bill) } },
      post: {
        operationId: 'addBill',
        ...body({ label: text, currency_code: text, currency_id: text }),
        responses: { 200: one(bill), ...refusals },
      },
    },
    '/bills/{id}': {
      parameters: [named('id')],
      get: { operationId: 'getBill', responses: { 200: one(bill), ...refusals } },
    },
    '/authors': {
      get: { operationId: 'listAuthors', responses: { 200: list(object({ name: text })) } },
    },
    '/notes': {
      get: { operationId: 'listNotes', responses: { 200: list(note) } },
      post: {
        operationId: 'addNote',
        ...body({ text, author_id: { ...text, writeOnly: true } }),
        responses: { 200: one(note), ...refusals },
      },
    },
  },
  components: {
    schemas: { Bill: shown(object({ label: text, currency_code: text, currency_id: text })) },
  },
});

test('a reference in a flat body names a record by the key that stands in a group', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /currencies', { body: { code: 'EUR', name: 'Euro' } }],
    ['POST /bills', { body: { label: 'rent', currency_code: 'EUR' } }],
    ['POST /bills', { body: { label: 'rent', currency_code: 'XYZ' } }],
    ['POST /currencies', { body: { code: 'CHF' } }],
    ['GET /currencies/EUR/bills'],
    ['GET /currencies/CHF/bills'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /currencies → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}
    POST /bills → 200 {"data":{"id":"made-2","type":"standard",
      ↳"attributes":{"label":"rent","currency_code":"EUR","currency_id":"made-1"}}}
    POST /bills → 422 {"message":"\`currency_code\` in the body must name a record of
      ↳ currencies, and none has the code \`XYZ\`."}
    POST /currencies → 200 {"data":{"id":"made-3","type":"basic",
      ↳"attributes":{"code":"CHF"}}}
    GET /currencies/EUR/bills → 200 {"data":[{"id":"made-2","type":"standard",
      ↳"attributes":{"label":"rent","currency_code":"EUR","currency_id":"made-1"}}]}
    GET /currencies/CHF/bills → 200 {"data":[]}"
  `);
});

test('a key by which a path finds a record is not given to two', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /currencies', { body: { code: 'EUR', name: 'Euro' } }],
    ['POST /currencies', { body: { code: 'EUR', name: 'Another' } }],
    ['GET /currencies'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /currencies → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}
    POST /currencies → 422 {"message":"A record of currencies has the code EUR already.
      ↳ Choose another."}
    GET /currencies → 200 {"data":[{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}]}"
  `);
});

test('a replacement keeps what its body cannot have, and takes what it declares', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /currencies', { body: { code: 'EUR', name: 'Euro' } }],
    ['PUT /currencies/EUR', { body: { rank: 3 } }],
    ['GET /currencies/EUR'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /currencies → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}
    PUT /currencies/EUR → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro","rank":3}}}
    GET /currencies/EUR → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro","rank":3}}}"
  `);
});

test('a reference that no answer shows is refused where it names no record', async () => {
  const mock = await mockOf({ contract, seedRecords: 1 });
  const said = await converse(mock, [
    ['GET /authors'],
    ['POST /notes', { body: { text: 'hello', author_id: 'nobody' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "GET /authors → 200 {"data":[{"id":"a790894","type":"basic",
      ↳"attributes":{"name":"Golden Delta"}}]}
    POST /notes → 422 {"message":"\`author_id\` in the body must name a record of
      ↳ authors, and none has the id \`nobody\`."}"
  `);
});

test('what stands below a record is found by each of its keys', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /currencies', { body: { code: 'EUR', name: 'Euro' } }],
    ['POST /currencies/made-1/bills', { body: { label: 'rent' } }],
    ['GET /currencies/EUR/bills'],
    ['GET /currencies/made-1/bills'],
    ['POST /bills', { body: { label: 'power', currency_id: 'made-1' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /currencies → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}
    POST /currencies/made-1/bills → 200 {"data":{"id":"made-2","type":"basic",
      ↳"attributes":{"label":"rent","currency_code":"EUR"}}}
    GET /currencies/EUR/bills → 200 {"data":[{"id":"made-2","type":"basic",
      ↳"attributes":{"label":"rent","currency_code":"EUR"}}]}
    GET /currencies/made-1/bills → 200 {"data":[{"id":"made-2","type":"basic",
      ↳"attributes":{"label":"rent","currency_code":"EUR"}}]}
    POST /bills → 200 {"data":{"id":"made-3","type":"standard",
      ↳"attributes":{"label":"power","currency_id":"made-1","currency_code":"EUR"}}}"
  `);
});

test('a replacement leaves out neither the key nor what a record must have', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /currencies', { body: { code: 'EUR', name: 'Euro' } }],
    ['POST /currencies', { body: { code: 'CHF', name: 'Franc' } }],
    ['PUT /currencies/EUR', { body: { code: 'CHF' } }],
    ['PUT /currencies/EUR', { body: {} }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /currencies → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}
    POST /currencies → 200 {"data":{"id":"made-2","type":"general",
      ↳"attributes":{"code":"CHF","name":"Franc"}}}
    PUT /currencies/EUR → 422 {"message":"A record of currencies has the code CHF
      ↳ already. Choose another."}
    PUT /currencies/EUR → 200 {"data":{"id":"made-1","type":"basic",
      ↳"attributes":{"code":"EUR","name":"Euro"}}}"
  `);
});

test('records without a key get different ones, and may have an empty one', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const said = await converse(mock, [
    ['POST /labels', { body: { colour: 'red' } }],
    ['POST /labels', { body: { colour: 'red' } }],
    ['POST /currencies', { body: { code: '' } }],
    ['POST /currencies', { body: { code: '' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /labels → 200 {"data":{"id":"made-1","type":"general",
      ↳"attributes":{"colour":"red","key":"wc"}}}
    POST /labels → 200 {"data":{"id":"made-2","type":"general",
      ↳"attributes":{"colour":"red","key":"oz"}}}
    POST /currencies → 200 {"data":{"id":"made-3","type":"standard",
      ↳"attributes":{"code":""}}}
    POST /currencies → 200 {"data":{"id":"made-4","type":"standard",
      ↳"attributes":{"code":""}}}"
  `);
});
