import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { converse, mockOf } from '../workshop.ts';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const lists = (name: string): string =>
  'content: { application/json: { schema: { type: array, items: { $ref: ' +
  `'#/components/schemas/${name}' } } } }`;
const names = (...parameters: readonly string[]): string =>
  `parameters: [${parameters
    .map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`)
    .join(', ')}]`;

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Folders, version: '1' }
paths:
  /folders: { get: { responses: { '200': { description: ok, ${lists('Folder')} } } } }
  /folders/{folder}:
    ${names('folder')}
    get: { responses: { '200': { description: ok, ${json('Folder')} }, '404': {
        description: none } } }
    put: { requestBody: { required: true, ${json('Folder')} }, responses: { '200': {
        description: ok, ${json('Folder')} }, '201': { description: made, ${json('Folder')} } } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
  /folders/{folder}/sheets:
    ${names('folder')}
    get: { responses: { '200': { description: ok, ${lists('Sheet')} }, '404': {
        description: none } } }
  /folders/{folder}/sheets/{sheet}:
    ${names('folder', 'sheet')}
    put: { requestBody: { required: true, ${json('Sheet')} }, responses: { '200': {
        description: ok, ${json('Sheet')} }, '201': { description: made, ${json('Sheet')} } } }
    get: { responses: { '200': { description: ok, ${json('Sheet')} }, '404': {
        description: none } } }
  /folders/{folder}/sheets/{sheet}/lines:
    ${names('folder', 'sheet')}
    get: { responses: { '200': { description: ok, ${lists('Line')} }, '404': {
        description: none } } }
  /folders/{folder}/sheets/{sheet}/lines/{line}:
    ${names('folder', 'sheet', 'line')}
    put: { requestBody: { required: true, ${json('Line')} }, responses: { '200': {
        description: ok, ${json('Line')} }, '201': { description: made, ${json('Line')} } } }
components:
  schemas:
    Folder: { type: object, required: [folder], properties: { folder: { type: string } } }
    Sheet: { type: object, required: [sheet], properties: { sheet: { type: string } } }
    Line: { type: object, required: [line], properties: { line: { type: string } } }
`,
  'folders.yaml',
);

const life = [
  ['PUT /folders/a', { body: { folder: 'a' } }],
  ['PUT /folders/a/sheets/s', { body: { sheet: 's' } }],
  ['PUT /folders/a/sheets/s/lines/l', { body: { line: 'l' } }],
] as const;

test('a record that reuses the identifier of a deleted one has no nested records', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  expect(
    await converse(mock, [
      ...life,
      ['DELETE /folders/a', {}],
      ['PUT /folders/a', { body: { folder: 'a' } }],
      ['GET /folders/a/sheets', {}],
      ['PUT /folders/a/sheets/s', { body: { sheet: 's' } }],
      ['GET /folders/a/sheets/s/lines', {}],
    ]),
  ).toMatchInlineSnapshot(`
    "PUT /folders/a → 201 {"folder":"a"}
    PUT /folders/a/sheets/s → 201 {"sheet":"s"}
    PUT /folders/a/sheets/s/lines/l → 201 {"line":"l"}
    DELETE /folders/a → 204
    PUT /folders/a → 201 {"folder":"a"}
    GET /folders/a/sheets → 200 []
    PUT /folders/a/sheets/s → 201 {"sheet":"s"}
    GET /folders/a/sheets/s/lines → 200 []"
  `);
});

test('also for a record that was removed by the control API, in its session only', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const other = { headers: [['Vouch-Session', 'other']] } as const;
  await converse(mock, life);
  await converse(
    mock,
    life.map(([line, sending]) => [line, { ...sending, ...other }] as const),
  );
  const place = { session: 'default', resource: 'folders' };
  expect(await mock.records.remove(place, 'a')).toBe(true);
  expect(await mock.records.put(place, { id: 'a', record: { folder: 'a' } })).toMatchObject({
    kind: 'created',
  });
  expect(
    await converse(mock, [
      ['GET /folders/a/sheets', {}],
      ['GET /folders/a/sheets', other],
      ['GET /folders/a/sheets/s/lines', other],
    ]),
  ).toMatchInlineSnapshot(`
    "GET /folders/a/sheets → 200 []
    GET /folders/a/sheets → 200 [{"sheet":"s"}]
    GET /folders/a/sheets/s/lines → 200 [{"line":"l"}]"
  `);
});
