import { describe, expect, test } from 'vitest';
import { planCheck } from '../../src/check/engine/check-target.ts';
import { headerValue } from '../../src/http/message.ts';
import { mockOf, send } from '../mock/workshop.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';

/**
 * What documents of other people hold, one oddity each: every one of them was once taken for a
 * fault.
 */
const oddities: Readonly<Record<string, string>> = {
  'a list that has pages and no length of them': `
paths:
  /notes: { get: { operationId: listNotes, parameters: [{ name: page, in: query, schema: {
      type: integer, minimum: 1 } }], responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Note' } } } } }, '400': { description: bad } } } }
  /notes/{noteId}: { get: { operationId: getNote, parameters: [{ name: noteId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '404': {
      description: none } } } }
components: { schemas: { Note: { type: object, required: [id], properties: { id: { type: string },
    text: { type: string } } } } }`,

  'an envelope with no room for how far a client may ask': `
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: page, in: query, schema: { type: integer, format: int32,
          minimum: 1 } }, { name: pageSize, in: query, schema: { type: integer, minimum: 0,
          default: 2 } }]
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: object, required: [items, page, pageCount], properties: { items: { type: array,
          items: { $ref: '#/components/schemas/Note' } }, page: { type: integer, maximum: 10 },
          pageCount: { type: integer, format: int32 }, links: { type: object, properties: {
          last: { type: string } } } } } } } }, '400': { description: bad } }
  /tags:
    get:
      operationId: listTags
      parameters: [{ name: offset, in: query, schema: { type: integer, format: int64,
          minimum: 0 } }]
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: object, required: [entries, offset], properties: { entries: { type: array,
          items: { $ref: '#/components/schemas/Note' } }, offset: { type: integer,
          format: int64 } } } } } }, '400': { description: bad } }
components: { schemas: { Note: { type: object, required: [id], properties: { id: { type: string },
    text: { type: string } } } } }`,

  'records that another media type shows otherwise': `
paths:
  /notes: { get: { operationId: listNotes, responses: { '200': { description: ok, content: {
      application/hal+json: { schema: { type: array, items: {
      $ref: '#/components/schemas/HalNote' } } }, application/json: { schema: { type: array,
      items: { $ref: '#/components/schemas/Note' } } } } } } } }
  /notes/{noteId}: { get: { operationId: getNote, parameters: [{ name: noteId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/hal+json: { schema: { $ref: '#/components/schemas/HalNote' } },
      application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '404': {
      description: none } } } }
components:
  schemas:
    Note: { type: object, additionalProperties: false, required: [id], properties: { id: {
        type: string } } }
    HalNote: { type: object, additionalProperties: false, required: [id, _links], properties: {
        id: { type: string }, _links: { type: object, required: [self], properties: { self: {
        type: string } } } } }`,

  'operations that a fragment tells apart': `
paths:
  /ocr: { post: { operationId: readUrl, requestBody: { required: true, content: {
      application/json: { schema: { type: object, required: [url], properties: { url: {
      type: string } } } } } }, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: object, required: [text], properties: { text: {
      type: string } } } } } }, '400': { description: bad }, '415': { description: no } } } }
  '/ocr#overload=stream': { post: { operationId: readFile, requestBody: { required: true,
      content: { application/octet-stream: { schema: { type: string, format: binary } } } },
      responses: { '200': { description: ok, content: { application/json: { schema: {
      type: object, required: [words], properties: { words: { type: integer } } } } } },
      '400': { description: bad }, '415': { description: no } } } }
  '/#X-Target=Ops.A': { post: { operationId: opsA, parameters: [{ name: X-Target, in: header,
      required: true, schema: { type: string, enum: [Ops.A] } }], requestBody: {
      required: true, content: { application/json: { schema: { type: object } } } },
      responses: { '200': { description: ok, content: { application/json: { schema: {
      type: object, required: [a], properties: { a: { type: string } } } } } }, '400': {
      description: bad } } } }
  '/#X-Target=Ops.B': { post: { operationId: opsB, parameters: [{ name: X-Target, in: header,
      required: true, schema: { type: string, enum: [Ops.B] } }], requestBody: {
      required: true, content: { application/json: { schema: { type: object } } } },
      responses: { '200': { description: ok, content: { application/json: { schema: {
      type: object, required: [b], properties: { b: { type: integer } } } } } }, '400': {
      description: bad } } } }
  /items: { get: { operationId: getItems, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: object, required: [kind], properties: { kind: {
      type: string, enum: [file] } } } } } } } } }
  '/items#folders': { get: { operationId: getFolders, responses: { '200': { description: ok,
      content: { application/json: { schema: { type: object, required: [kind], properties: {
      kind: { type: string, enum: [folder] } } } } } } } } }`,

  'one segment that paths name differently': `
paths:
  /entries/{lang}/{word}/{filters}: { get: { operationId: filtered, parameters: [{ name: lang,
      in: path, required: true, schema: { type: string, enum: [en] } }, { name: word, in: path,
      required: true, schema: { type: string, enum: [ace] } }, { name: filters, in: path,
      required: true, schema: { type: string }, example: noun }], responses: { '200': {
      description: ok }, '400': { description: bad }, '404': { description: none } } } }
  '/entries/{source}/{wordId}/translations={target}': { get: { operationId: translated,
      parameters: [{ name: source, in: path, required: true, schema: { type: string,
      enum: [en] } }, { name: wordId, in: path, required: true, schema: { type: string,
      enum: [ace] } }, { name: target, in: path, required: true, schema: { type: string,
      enum: [es, de] } }], responses: { '200': { description: ok, content: {
      application/json: { schema: { type: object, required: [translation], properties: {
      translation: { type: string } } } } } }, '400': { description: bad }, '404': {
      description: none } } } }`,

  'a credential that is a parameter too': `
security: [{ key: [] }]
paths:
  /live: { get: { operationId: getLive, parameters: [{ name: apikey, in: query, required: true,
      schema: { type: string, minLength: 3 }, example: YOUR_API_KEY }, { name: User-Agent,
      in: header, schema: { type: string } }], responses: { '200': { description: ok, content: {
      application/json: { schema: { type: object } } } }, '400': { description: bad } } } }
components: { securitySchemes: { key: { type: apiKey, in: query, name: apikey } } }`,

  'identifiers that the contract shows one of': `
paths:
  /places:
    post: { operationId: addPlace, requestBody: { required: true, content: { application/json: {
        schema: { $ref: '#/components/schemas/Place' } } } }, responses: { '201': {
        description: made, headers: { Location: { schema: { type: string, format: url } } },
        content: { application/json: { schema: { $ref: '#/components/schemas/Place' } } } },
        '400': { description: bad } } }
  /places/{placeId}: { get: { operationId: getPlace, parameters: [{ name: placeId, in: path,
      required: true, schema: { $ref: '#/components/schemas/PlaceId' } }], responses: { '200': {
      description: ok, content: { application/json: { schema: {
      $ref: '#/components/schemas/Place' } } } }, '404': { description: none } } } }
components:
  schemas:
    PlaceId: { type: string, readOnly: true, minLength: 22, maxLength: 22,
        pattern: '^[A-Za-z0-9_-]{22}$', example: 3HA6YcSCTSFX6SPPrI9PxQ }
    Place: { type: object, required: [name], properties: { id: {
        $ref: '#/components/schemas/PlaceId' }, name: { type: string, minLength: 1,
        maxLength: 90 }, inside: { type: object, properties: { secret: { type: string,
        writeOnly: true }, colour: { type: string } } } } }`,

  'names so short that they are soon taken': `
paths:
  /users:
    get: { operationId: listUsers, responses: { '200': { description: ok, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/User' } } } } } } }
    post: { operationId: addUser, requestBody: { required: true, content: { application/json: {
        schema: { $ref: '#/components/schemas/User' } } } }, responses: { '200': {
        description: made, content: { application/json: { schema: {
        $ref: '#/components/schemas/User' } } } }, '400': { description: bad } } }
  /users/{username}: { get: { operationId: getUser, parameters: [{ name: username, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, '404': {
      description: none } } } }
components: { schemas: { User: { type: object, required: [username], properties: { username: {
    type: string, pattern: '^[a-z]{1,2}$' }, age: { type: integer, minimum: 0,
    maximum: 120 } } } } }`,

  'a record within another one’s body': `
paths:
  /tagsets: { get: { operationId: listSets, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/TagSet' } } } } } } } }
  /tagsets/{tagSetId}: { get: { operationId: getSet, parameters: [{ name: tagSetId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/TagSet' } } } },
      '404': { description: none } } } }
  /tags:
    post: { operationId: addTag, requestBody: { required: true, content: { application/json: {
        schema: { type: object, required: [name], properties: { name: { type: string }, tagSet: {
        $ref: '#/components/schemas/TagSet' } } } } } }, responses: { '201': { description: made,
        content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } },
        '400': { description: bad } } }
  /tags/{tagId}: { get: { operationId: getTag, parameters: [{ name: tagId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } }, '404': {
      description: none } } } }
components:
  schemas:
    TagSet: { type: object, required: [id], properties: { id: { type: string }, name: {
        type: string } } }
    Tag: { type: object, required: [id, name], properties: { id: { type: string, readOnly: true },
        name: { type: string }, tagSet: { $ref: '#/components/schemas/TagSet' } } }`,

  'what a request may say and no answer may show': `
paths:
  /runs:
    post: { operationId: addRun, requestBody: { required: true, content: { application/json: {
        schema: { type: object, required: [title], properties: { title: { type: [string,
        integer] }, place: { type: string }, conclusion: { type: string, enum: [neutral, stale,
        done] } } } } } }, responses: { '201': { description: made, content: { application/json: {
        schema: { $ref: '#/components/schemas/Run' } } } }, '400': { description: bad } } }
  /runs/{runId}: { get: { operationId: getRun, parameters: [{ name: runId, in: path,
      required: true, schema: { type: integer } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Run' } } } }, '404': {
      description: none } } } }
components: { schemas: { Run: { type: object, required: [id, title], properties: { id: {
    type: integer }, title: { type: string }, place: { type: string, enum: [west, east] },
    conclusion: { type: string, enum: [neutral, done] } } } } }`,

  'a path whose enum has an empty value': `
paths:
  /jobs/{state}: { get: { operationId: listJobs, parameters: [{ name: state, in: path,
      required: true, schema: { type: string, enum: ['', active, failed] } }], responses: {
      '200': { description: ok, content: { application/json: { schema: {
      type: object } } } } } } }`,

  'a server that every operation names again': `
paths:
  /flows: { servers: [{ url: 'https://odd.example/v2/' }], get: { operationId: listFlows,
      responses: { '200': { description: ok, content: { application/json: { schema: {
      type: object } } } } } } }`,

  'a body that is a bare text, below a record that the run creates': `
paths:
  /walls: { get: { operationId: listWalls, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Wall' } } } } } } }, post: { operationId: addWall,
      requestBody: { required: true, content: { application/json: { schema: {
      $ref: '#/components/schemas/Wall' } } } }, responses: { '201': { description: made,
      content: { application/json: { schema: { $ref: '#/components/schemas/Wall' } } } },
      '400': { description: bad } } } }
  /walls/{wallId}: { get: { operationId: getWall, parameters: [{ name: wallId, in: path,
      required: true, schema: { type: integer } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Wall' } } } } } } }
  /walls/{wallId}/posters: { parameters: [{ name: wallId, in: path, required: true, schema: {
      type: integer } }], get: { operationId: listPosters, responses: { '200': {
      description: ok, content: { application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Poster' } } } } } } }, post: { operationId: addPoster,
      requestBody: { required: true, content: { application/json: { schema: {
      type: string } } } }, responses: { '200': { description: made, content: {
      application/json: { schema: { $ref: '#/components/schemas/Poster' } } } } } } }
components:
  schemas:
    Wall: { type: object, required: [title], properties: { id: { type: integer, readOnly: true },
        title: { type: string } } }
    Poster: { type: object, required: [id], properties: { id: { type: integer }, image: {
        type: string } } }`,

  'an identifier that is a number in answers and a text in the body of a change': `
paths:
  /crews: { get: { operationId: listCrews, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Crew' } } } } } } }, post: { operationId: addCrew,
      requestBody: { required: true, content: { application/json: { schema: { type: object,
      required: [rank], properties: { rank: { type: integer, enum: [0, 1, 2] } } } } } },
      responses: { '200': { description: made, content: { application/json: { schema: {
      $ref: '#/components/schemas/Crew' } } } } } } }
  /crews/{id}: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
      get: { operationId: getCrew, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Crew' } } } } } }, put: {
      operationId: putCrew, requestBody: { required: true, content: { application/json: {
      schema: { type: object, required: [id, rank], properties: { id: { type: string }, rank: {
      type: integer, enum: [0, 1, 2] } } } } } }, responses: { '204': { description: ok } } } }
components: { schemas: { Crew: { type: object, required: [id], properties: { id: {
    type: integer }, rank: { type: integer } } } } }`,

  'a resource object whose attributes may be left out, but not some of them': `
paths:
  /awards: { post: { operationId: addAward, requestBody: { required: true, content: {
      application/vnd.api+json: { schema: { $ref: '#/components/schemas/Whole' } } } },
      responses: { '201': { description: made, content: { application/vnd.api+json: { schema: {
      $ref: '#/components/schemas/Whole' } } } }, '409': { description: other type } } } }
  /awards/{awardId}: { get: { operationId: getAward, parameters: [{ name: awardId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/vnd.api+json: { schema: {
      $ref: '#/components/schemas/Whole' } } } }, '404': { description: none } } } }
components:
  schemas:
    Whole: { type: object, required: [data], properties: { data: {
        $ref: '#/components/schemas/Award' } } }
    Award: { type: object, required: [type, relationships], properties: { id: { type: string },
        type: { type: string }, attributes: { type: object, required: [value, given], properties: {
        value: { type: integer }, given: { type: string }, note: { type: string } } },
        relationships: { type: object, properties: { runner: { type: object, properties: {
        data: { type: object, properties: { id: { type: string }, type: {
        type: string } } } } } } } } }`,

  'a change that makes its record where there is none, below any parent': `
paths:
  /kits: { get: { operationId: listKits, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Kit' } } } } } } }, post: { operationId: addKit, requestBody: {
      required: true, content: { application/json: { schema: {
      $ref: '#/components/schemas/Kit' } } } }, responses: { '201': { description: made },
      '422': { description: bad } } } }
  /kits/{kitCode}: { get: { operationId: getKit, parameters: [{
      $ref: '#/components/parameters/kitCode' }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Kit' } } } }, '404': {
      description: none } } } }
  /kits/{kitCode}/tools: { parameters: [{ $ref: '#/components/parameters/kitCode' }], get: {
      operationId: listTools, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Tool' } } } } }, '404': { description: none } } }, post: {
      operationId: addTool, requestBody: { required: true, content: { application/json: {
      schema: { $ref: '#/components/schemas/Tool' } } } }, responses: { '201': {
      description: made }, '422': { description: bad } } } }
  /kits/{kitCode}/tools/{code}: { parameters: [{ $ref: '#/components/parameters/kitCode' }, {
      name: code, in: path, required: true, schema: { type: string } }], get: {
      operationId: getTool, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Tool' } } } }, '404': {
      description: none } } }, patch: { operationId: patchTool, requestBody: { required: true,
      content: { application/json: { schema: { $ref: '#/components/schemas/Tool' } } } },
      responses: { '201': { description: made }, '204': { description: changed }, '422': {
      description: bad } } } }
  /kits/{kitCode}/loans/{loanCode}: { parameters: [{ $ref: '#/components/parameters/kitCode' }, {
      name: loanCode, in: path, required: true, schema: { type: string } }], get: {
      operationId: getLoan, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }, '404': {
      description: none } } }, put: { operationId: putLoan, description: Creates or updates the
      loan of a kit., requestBody: { required: true, content: { application/json: { schema: {
      $ref: '#/components/schemas/Loan' } } } }, responses: { '200': { description: done,
      content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }, '404': {
      description: none }, '422': { description: bad } } } }
components:
  parameters: { kitCode: { name: kitCode, in: path, required: true, schema: { type: string } } }
  schemas:
    Kit: { type: object, required: [code], properties: { code: { type: string }, title: {
        type: string } } }
    Tool: { type: object, required: [code], properties: { code: { type: string }, sharp: {
        type: boolean, default: false, description: Whether it cuts. It cannot be changed after
        creation. }, weight: { type: integer } } }
    Loan: { type: object, required: [code], properties: { code: { type: string }, days: {
        type: integer } } }`,

  'a field that names the parent in another spelling than the path': `
paths:
  /trials: { get: { operationId: listTrials, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Trial' } } } } } } }, post: { operationId: addTrial,
      requestBody: { required: true, content: { application/json: { schema: {
      $ref: '#/components/schemas/Trial' } } } }, responses: { '201': { description: made,
      content: { application/json: { schema: { $ref: '#/components/schemas/Trial' } } } },
      '400': { description: bad } } } }
  /trials/{trialId}: { get: { operationId: getTrial, parameters: [{
      $ref: '#/components/parameters/trialId' }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Trial' } } } } } } }
  /trials/{trialId}/settings: { parameters: [{ $ref: '#/components/parameters/trialId' }], get: {
      operationId: listSettings, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Setting' } } } } } } }, post: { operationId: addSetting,
      requestBody: { required: true, content: { application/json: { schema: {
      $ref: '#/components/schemas/Setting' } } } }, responses: { '201': { description: made } } } }
  /trials/{trialId}/notes: { parameters: [{ $ref: '#/components/parameters/trialId' }], get: {
      operationId: listNotes, responses: { '200': { description: ok } } }, post: {
      operationId: addNote, requestBody: { required: true, content: { application/json: {
      schema: { type: object, required: [text], properties: { text: { type: string } } } } } },
      responses: { '201': { description: made }, '400': { description: bad } } } }
components:
  parameters: { trialId: { name: trialId, in: path, required: true, schema: { type: string } } }
  schemas:
    Trial: { type: object, required: [id, name], properties: { id: { type: string }, name: {
        type: string } } }
    Setting: { type: object, required: [id], properties: { id: { type: string }, trial_id: {
        type: string }, colour: { type: string } } }`,
};

describe('no false positive for', () => {
  test.each(Object.entries(oddities))('%s', async (_name, rest) => {
    const { alarms, requests } = await alarmsOf(contractOf(rest));
    expect(alarms).toEqual([]);
    expect(requests).toBeGreaterThan(10);
  });

  test('a target longer than servers must support (RFC 9110, section 4.1)', async () => {
    const contract = contractOf(`
paths:
  /users: { get: { operationId: listUsers, parameters: [{ name: text, in: query, schema: {
      type: string, maxLength: 9000 } }], responses: { '200': { description: ok }, '400': {
      description: bad } } } }`);
    let refused = 0;
    const { alarms } = await alarmsOf(contract, (respond) => async (request) => {
      if (request.target.length <= 8_000) return respond(request);
      refused += 1;
      return { response: { status: 414, headers: [], body: new Uint8Array() } };
    });
    expect(alarms).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });
});

test('a created record has an absolute URL if the contract requires one', async () => {
  const mock = await mockOf({
    contract: contractOf(oddities['identifiers that the contract shows one of'] ?? ''),
  });
  const answers = [
    await send(mock, 'POST /v2/places', {
      body: { name: 'Home' },
      headers: [['Host', 'odd.test']],
    }),
    await send(mock, 'POST /v2/places', {
      body: { name: 'Home' },
      headers: [['Host', 'odd.test']],
    }),
  ];
  expect(
    answers.map(({ headers }) => headerValue(headers, 'Location')?.replace(/[\w-]{22}$/, 'ID')),
  ).toEqual(['http://odd.test/v2/places/ID', 'http://odd.test/v2/places/ID']);
  expect(new Set(answers.map(({ headers }) => headerValue(headers, 'Location'))).size).toBe(2);
});

test.each([
  ['http://127.0.0.1:4010/v2/places/1', 0],
  ['https://odd.example/a?b=c', 0],
  ['/v2/places/1', 1],
  ['no address', 1],
])('%s has %i faults as a url', (text, faults) => {
  const header = contractOf(oddities['identifiers that the contract shows one of'] ?? '')
    .operations[0]?.responses[0]?.headers[0];
  expect(header?.schema.validate(text, 'response').length).toBe(faults);
});

test(
  'a value for all operations counts where a parameter of the name is ' +
    'required, and never to change a record',
  () => {
    const owner =
      'parameters: [{ name: owner, in: path, required: true, schema: { type: ' +
      "string } }], responses: { '200': { description: ok } }";
    const contract = contractOf(`
paths:
  /repos/{owner}: { get: { operationId: getRepo, ${owner} }, delete: { operationId: deleteRepo,
      ${owner} } }
  /search: { get: { operationId: search, parameters: [{ name: owner, in: query, schema: {
      type: string } }], responses: { '200': { description: ok } } } }`);
    const plan = (
      examples: Readonly<Record<string, Readonly<Record<string, string>>>>,
    ): readonly string[] =>
      planCheck({ url: 'http://127.0.0.1:1', contract, seed: 'a', mode: 'read-write', examples })
        .requests.filter(({ phase }) => phase === 'probe' || phase === 'read')
        .map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1:1', '')}`);
    expect(plan({ '*': { owner: 'ada' } })).toEqual(['GET /repos/ada', 'GET /search']);
    expect(plan({ '*': { owner: 'ada' }, getRepo: { owner: 'bob' } })).toEqual([
      'GET /repos/bob',
      'GET /search',
    ]);
    expect(() => plan({ '*': { onwer: 'ada' } })).toThrow(
      'There is no parameter of * called onwer.',
    );
  },
);

test(
  'a parameter that is the credential is sent once, and a header of the ' +
    'contract’s own in the place of the run’s',
  () => {
    const { requests } = planCheck({
      url: 'http://127.0.0.1:1',
      contract: contractOf(oddities['a credential that is a parameter too'] ?? ''),
      seed: 'a',
      token: 'secret',
    });
    expect(requests.filter(({ url }) => url.split('apikey=').length > 2)).toEqual([]);
    const agents = requests.map(
      ({ headers }) => headers.filter(([name]) => name === 'User-Agent').length,
    );
    expect(new Set(agents)).toEqual(new Set([1]));
    expect(requests.some(({ url }) => url.includes('apikey='))).toBe(true);
  },
);

test('a server that an operation repeats is the document’s', () => {
  const [flows] = contractOf(
    oddities['a server that every operation names again'] ?? '',
  ).operations;
  expect(flows?.ownServers).toBe(false);
});

describe('operations that requests cannot distinguish', () => {
  test('are requested once', () => {
    const { skipped } = planCheck({
      url: 'http://127.0.0.1:1',
      contract: contractOf(oddities['operations that a fragment tells apart'] ?? ''),
      seed: 'a',
    });
    expect(skipped.map(({ operation, reason }) => `${operation.id}: ${reason}`)).toEqual([
      'getFolders: its requests equal those of getItems, so a response could belong to either.',
    ]);
  });
});
