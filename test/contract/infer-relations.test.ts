import { describe, expect, test } from 'vitest';
import { overrideResources } from '../../src/contract/infer/override-resources.ts';
import type { Contract, Resource, ResourceOverrides } from '../../src/contract/model.ts';
import { VouchError } from '../../src/errors.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { jsonContent, makeContract } from './make-contract.ts';

const answer = (schema: JsonValue, status = 200, more: JsonObject = {}): JsonObject => ({
  responses: { [status]: { description: 'ok', ...jsonContent(schema), ...more } },
});
const listOf = (name: string): JsonValue => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${name}` },
});
const one = (name: string): JsonValue => ({ $ref: `#/components/schemas/${name}` });
const record = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, ...properties },
});
const path = (...names: string[]): JsonObject => ({
  parameters: names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
});

function contractOf(schemas: JsonObject, paths: JsonObject): Contract {
  return makeContract({ components: { schemas }, paths });
}

function named({ resources }: Contract, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined)
    throw new Error(
      `There is no resource ${name}, only ` +
        `${resources.map((resource) => resource.name).join(', ')}.`,
    );
  return found;
}

const keysOf = (resource: Resource): string[] =>
  resource.foreignKeys.map(
    ({ field, resource: target, many }) => `${field}→${target.name}${many ? '[]' : ''}`,
  );

describe('inferred foreign keys', () => {
  const people = {
    '/people': { get: answer(listOf('Person')) },
    '/categories': { get: answer(listOf('Category')) },
    '/v2/categories': { get: answer(listOf('Category')) },
    '/boxes/{boxId}': { get: { ...path('boxId'), ...answer(one('Box')) } },
  };
  const schemas = { Person: record({}), Category: record({}), Box: record({}) };

  test.each<[string, JsonObject, string[]]>([
    ['camel case, an irregular plural', { personId: { type: 'integer' } }, ['personId→people']],
    ['snake case', { person_id: { type: 'integer' } }, ['person_id→people']],
    [
      'an object with an identifier',
      {
        person: {
          type: 'object',
          properties: { id: { type: 'integer' }, name: { type: 'string' } },
        },
      },
      ['person.id→people'],
    ],
    [
      'a list of identifiers',
      { personIds: { type: 'array', items: { type: 'integer' } } },
      ['personIds→people[]'],
    ],
    ['a null for none', { personId: { type: ['integer', 'null'] } }, ['personId→people']],
    ['another type', { personId: { type: 'string' } }, []],
    [
      'a key that an object in it holds',
      {
        label: { type: 'string' },
        owner: { type: 'object', properties: { personId: { type: 'integer' } } },
      },
      [],
    ],
    [
      'a key in the group that has all fields of the record',
      { attributes: { type: 'object', properties: { personId: { type: 'integer' } } } },
      ['attributes.personId→people'],
    ],
    [
      'an object that may be a text and a number too',
      { person: { type: ['object', 'string', 'number'], properties: { id: { type: 'integer' } } } },
      [],
    ],
    ['one of two resources of that name', { categoryId: { type: 'integer' } }, []],
    ['records that nobody can list or add', { boxId: { type: 'integer' } }, []],
    ['a name that no resource has', { ghostId: { type: 'integer' } }, []],
    [
      'a word that only ends like one',
      { paid: { type: 'integer' }, valid: { type: 'integer' } },
      [],
    ],
  ])('%s', (_name, properties, expected) => {
    const contract = contractOf(
      { ...schemas, Thing: record(properties) },
      { ...people, '/things': { get: answer(listOf('Thing')) } },
    );
    expect(keysOf(named(contract, 'things'))).toEqual(expected);
  });

  test('never refer from an identifier to its own resource', () => {
    const paths = {
      '/things': { get: answer(listOf('Thing')) },
      '/things/{thingId}': { get: { ...path('thingId'), ...answer(one('Thing')) } },
    };
    const contract = contractOf(
      { Thing: { type: 'object', properties: { thingId: { type: 'integer' } } } },
      paths,
    );
    expect(named(contract, 'things').identifier.field).toBe('thingId');
    expect(keysOf(named(contract, 'things'))).toEqual([]);
  });

  test('are read from links too', () => {
    const links = {
      links: {
        writer: { operationId: 'readPerson', parameters: { personId: '$response.body#/by' } },
      },
    };
    const contract = contractOf(
      { ...schemas, Thing: record({ by: { type: 'integer' } }) },
      {
        ...people,
        '/people/{personId}': {
          get: { operationId: 'readPerson', ...path('personId'), ...answer(one('Person')) },
        },
        '/things': { get: answer(listOf('Thing'), 200, links) },
      },
    );
    expect(keysOf(named(contract, 'things'))).toEqual(['by→people']);
  });
});

describe('inferred parents', () => {
  const shop = {
    '/shops': { get: answer(listOf('Shop')) },
    '/shops/{shopId}': { get: { ...path('shopId'), ...answer(one('Shop')) } },
  };
  const parentsOf = (field: JsonObject, paths: JsonObject): string[] => {
    const contract = contractOf({ Shop: record({}), Book: record(field) }, paths);
    const book = contract.resources.find(({ parents }) => parents.length > 0);
    return [
      ...(book?.parents ?? []).map(
        ({ parameter, resource, field: held }) =>
          `${parameter}: ${resource?.name ?? 'any'}${held === undefined ? '' : ` in ${held}`}`,
      ),
      `set ${book?.collection ?? 'none'}`,
    ];
  };
  const books = (at: string, ...names: string[]): JsonObject => ({
    [at]: { get: { ...path(...names), ...answer(listOf('Book')) } },
  });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a resource, and no field',
      {},
      { ...shop, ...books('/shops/{shopId}/books', 'shopId') },
      ['shopId: shops', 'set shops.books'],
    ],
    [
      'a resource, and a field',
      { shopId: { type: 'integer' } },
      { ...shop, ...books('/shops/{shopId}/books', 'shopId') },
      ['shopId: shops in shopId', 'set shops.books'],
    ],
    [
      'under another name, in an object',
      { shop: { type: 'object', properties: { id: { type: 'integer' } } } },
      { ...shop, ...books('/shops/{id}/books', 'id') },
      ['id: shops in shop.id', 'set shops.books'],
    ],
    [
      'a view on a flat set',
      { shopId: { type: 'integer' } },
      { ...shop, ...books('/books'), ...books('/shops/{shopId}/books', 'shopId') },
      ['shopId: shops in shopId', 'set books'],
    ],
    [
      'no view where no field says whose they are',
      {},
      { ...shop, ...books('/books'), ...books('/shops/{shopId}/books', 'shopId') },
      ['shopId: shops', 'set shops.books'],
    ],
    [
      'any value where no operations are on it',
      {},
      books('/cities/{city}/shops/{shopId}/books', 'city', 'shopId'),
      ['city: any', 'shopId: any', 'set cities.shops.books'],
    ],
    [
      'a parameter with the name of a field that says something else',
      { title: { type: 'string' } },
      books('/series/{title}/books', 'title'),
      ['title: any', 'set series.books'],
    ],
  ])('%s', (_name, field, paths, expected) => {
    expect(parentsOf(field, paths)).toEqual(expected);
  });
});

describe('the shape of a list', () => {
  test.each<[string, JsonValue, string | undefined]>([
    ['a bare array', listOf('Book'), ''],
    [
      'an envelope',
      { type: 'object', properties: { items: listOf('Book'), total: { type: 'integer' } } },
      '/items',
    ],
    [
      'two levels deep',
      {
        type: 'object',
        properties: { data: { type: 'object', properties: { items: listOf('Book') } } },
      },
      '/data/items',
    ],
    [
      'HAL',
      {
        type: 'object',
        properties: {
          _embedded: { type: 'object', properties: { books: listOf('Book') } },
          _links: { type: 'object' },
        },
      },
      '/_embedded/books',
    ],
    ['a map', { type: 'object', additionalProperties: { $ref: '#/components/schemas/Book' } }, ''],
    ['none of a map of anything', { type: 'object', additionalProperties: true }, undefined],
    [
      'the one of two with the name of the collection',
      { type: 'object', properties: { books: listOf('Book'), errors: listOf('Book') } },
      '/books',
    ],
    [
      'none of two',
      { type: 'object', properties: { left: listOf('Book'), right: listOf('Book') } },
      undefined,
    ],
    [
      'none of a record that has a list in it',
      { type: 'object', properties: { id: { type: 'integer' }, chapters: listOf('Book') } },
      undefined,
    ],
    [
      'what one part of allOf says of the other',
      {
        allOf: [
          { type: 'object', properties: { data: { type: 'array', items: { type: 'object' } } } },
          { type: 'object', properties: { data: listOf('Book') } },
        ],
      },
      '/data',
    ],
  ])('%s', (_name, body, at) => {
    const contract = contractOf({ Book: record({}) }, { '/books': { get: answer(body) } });
    expect(contract.resources[0]?.list?.records).toBe(at);
  });
});

test.each<[string, JsonValue, string]>([
  ['a bare array', listOf('Book'), 'The body of a list is the bare array of records.'],
  [
    'an envelope',
    { type: 'object', properties: { items: listOf('Book') } },
    'The records of a list are at /items in its body.',
  ],
  [
    'a map',
    { type: 'object', additionalProperties: one('Book') },
    'The body of a list is a map from identifiers to records.',
  ],
])('where the records of a list sit is told: %s', (_name, body, sentence) => {
  expect(
    contractOf({ Book: record({}) }, { '/books': { get: answer(body) } }).resources[0]?.why,
  ).toContain(sentence);
});

describe('a POST without a response body creates a record', () => {
  const book = record({ title: { type: 'string' } });
  const post = (properties: JsonObject, status: number): JsonObject => ({
    requestBody: jsonContent({ type: 'object', properties }),
    responses: { [status]: { description: 'ok' } },
  });
  test.each<[string, JsonObject, boolean]>([
    ['where 201 comes of a body much like one', post({ title: { type: 'string' } }, 201), true],
    ['but not where another success comes of it', post({ title: { type: 'string' } }, 204), false],
    [
      'but not where the body has what records have not',
      post({ title: { type: 'string' }, search: { type: 'string' } }, 201),
      false,
    ],
    ['but not where the body has nothing of it', post({}, 201), false],
  ])('%s', (_name, operation, creates) => {
    const contract = contractOf(
      { Book: book },
      { '/books': { get: answer(listOf('Book')), post: operation } },
    );
    expect(named(contract, 'books').operations.create !== undefined).toBe(creates);
  });
});

describe('an inferred singleton', () => {
  const object = {
    type: 'object',
    properties: { theme: { type: 'string' }, tags: listOf('Book') },
  };
  test.each<[string, JsonObject, string | undefined]>([
    ['is read and replaced', { get: answer(object), put: answer(object) }, 'singleton'],
    [
      'is read and changed, a list in it or not',
      { get: answer(object), patch: answer(object) },
      'singleton',
    ],
    [
      'is none where nothing changes it',
      { get: answer({ type: 'object', properties: { theme: { type: 'string' } } }) },
      undefined,
    ],
  ])('%s', (_name, item, kind) => {
    expect(contractOf({ Book: record({}) }, { '/settings': item }).resources[0]?.kind).toBe(kind);
  });

  test('is below the records in its path, regardless of its own fields', () => {
    const profile = {
      type: 'object',
      properties: { ownerId: { type: 'integer' }, bio: { type: 'string' } },
    };
    const contract = contractOf(
      { Owner: record({}) },
      {
        '/owners': { get: answer(listOf('Owner')) },
        '/owners/{ownerId}/profile': {
          ...path('ownerId'),
          get: answer(profile),
          put: answer(profile),
        },
      },
    );
    const [own] = contract.resources.filter(({ kind }) => kind === 'singleton');
    expect(own?.parents.map(({ parameter, field }) => [parameter, field])).toEqual([
      ['ownerId', undefined],
    ]);
  });

  test('is not one if named items are below it', () => {
    const theme = { type: 'object', properties: { theme: { type: 'string' } } };
    const below = { delete: { ...path('key'), responses: { 204: { description: 'gone' } } } };
    expect(
      contractOf(
        {},
        { '/settings': { get: answer(theme), put: answer(theme) }, '/settings/{key}': below },
      ).resources,
    ).toEqual([]);
  });
});

describe('an inferred identifier', () => {
  test.each<[string, string, JsonObject, JsonObject, string]>([
    [
      'is what the path parameter names',
      '/users/{username}',
      { type: 'string' },
      { id: { type: 'integer' }, username: { type: 'string' } },
      'username',
    ],
    [
      'is what its name ends in',
      '/users/{userId}',
      { type: 'integer' },
      { id: { type: 'integer' }, name: { type: 'string' } },
      'id',
    ],
    [
      'is the id, however loosely the parameter is typed',
      '/users/{userId}',
      { type: 'string' },
      { id: { type: 'integer' }, name: { type: 'string' } },
      'id',
    ],
    [
      'is what people call it, where the id cannot be meant',
      '/users/{user}',
      { type: 'string' },
      { id: { type: 'integer' }, login: { type: 'string' }, name: { type: 'string' } },
      'login',
    ],
    [
      'is named after the record',
      '/users/{id}',
      { type: 'integer' },
      { userId: { type: 'integer' }, groupId: { type: 'integer' } },
      'userId',
    ],
  ])('%s', (_name, item, schema, properties, expected) => {
    const name = /\{(.*)\}/.exec(item)?.[1] ?? '';
    const contract = contractOf(
      {},
      {
        [item]: {
          get: {
            parameters: [{ name, in: 'path', required: true, schema }],
            ...answer({ type: 'object', properties }),
          },
        },
      },
    );
    expect(contract.resources[0]?.identifier.field).toBe(expected);
  });
});

describe('an action on a record', () => {
  const status = (...values: string[]): JsonObject => ({
    status: { type: 'string', enum: values },
  });
  test.each<[string, string, JsonObject, unknown]>([
    [
      'a doubled consonant',
      'cancel',
      status('open', 'cancelled'),
      { field: 'status', value: 'cancelled' },
    ],
    ['a single one', 'cancel', status('open', 'CANCELED'), { field: 'status', value: 'CANCELED' }],
    ['an e', 'archive', status('open', 'archived'), { field: 'status', value: 'archived' }],
    ['a y', 'deny', status('open', 'denied'), { field: 'status', value: 'denied' }],
    ['an irregular verb', 'pay', status('due', 'paid'), { field: 'status', value: 'paid' }],
    ['a flag', 'lock', { isLocked: { type: 'boolean' } }, { field: 'isLocked', value: true }],
    ['two that it may mean', 'start', status('started', 'running'), undefined],
    ['nothing that it names', 'ping', status('open', 'closed'), undefined],
  ])('%s', (_name, verb, properties, sets) => {
    const contract = contractOf(
      { Book: record(properties) },
      {
        '/books/{bookId}': { get: { ...path('bookId'), ...answer(one('Book')) } },
        [`/books/{bookId}/${verb}`]: {
          post: { operationId: 'act', ...path('bookId'), ...answer(one('Book')) },
        },
      },
    );
    expect(contract.inference.actions.map(({ operation }) => operation.id)).toEqual(['act']);
    expect(contract.inference.actions[0]?.sets).toEqual(sets);
  });
});

test.each([
  'pay paid',
  'send sent',
  'hold held onhold',
  'begin begun running',
  'start started running inprogress active',
  'stop stopped',
  'pause paused',
  'resume resumed running active',
  'run running',
  'withdraw withdrawn',
  'freeze frozen',
  'hide hidden',
  'undo undone',
  'activate active activated',
  'deactivate inactive deactivated',
  'finish finished done',
  'complete completed complete done',
  'open open opened',
  'reopen open reopened',
  'cancel cancelled canceled',
  'sell sold',
  'buy bought',
  'lose lost',
  'win won',
  'lend lent',
  'build built',
  'take taken',
  'ship shipped',
  'submit submitted',
  'ban banned',
  'drop dropped',
  'plan planned',
  'enable enabled active',
  'disable disabled inactive',
])('one verb and the states that it may name: %s', (line) => {
  const [verb = '', ...states] = line.split(' ');
  const done = states.map((state) => {
    const book = record({ status: { type: 'string', enum: ['other', state] } });
    const paths = {
      '/books/{bookId}': { get: { ...path('bookId'), ...answer(one('Book')) } },
      [`/books/{bookId}/${verb}`]: { post: { ...path('bookId'), ...answer(one('Book')) } },
    };
    return contractOf({ Book: book }, paths).inference.actions[0]?.sets?.value;
  });
  expect(done).toEqual(states);
});

describe('the configuration of resources', () => {
  const shelves = contractOf(
    { Shelf: record({ code: { type: 'string' }, roomId: { type: 'integer' } }), Room: record({}) },
    {
      '/shelves': {
        get: {
          operationId: 'listShelves',
          parameters: [{ name: 'near', in: 'query', schema: { type: 'integer' } }],
          ...answer({
            type: 'object',
            properties: { left: listOf('Shelf'), right: listOf('Shelf') },
          }),
        },
      },
      '/shelves/{shelfId}': {
        get: { operationId: 'getShelf', ...path('shelfId'), ...answer(one('Shelf')) },
      },
      '/makeShelf': {
        post: {
          operationId: 'makeShelf',
          requestBody: jsonContent(one('Shelf')),
          ...answer(one('Shelf'), 201),
        },
      },
      '/rooms': { get: { operationId: 'listRooms', ...answer(listOf('Room')) } },
    },
  );

  test('overrides inference', () => {
    const said = overrideResources(shelves, {
      shelves: {
        identifier: 'code',
        records: '/right',
        operations: { create: 'makeShelf' },
        filters: { near: 'roomId' },
        foreignKeys: { roomId: false },
      },
      '/rooms': false,
    });
    const resource = named(said, 'shelves');
    expect(said.resources.map(({ name }) => name)).toEqual(['shelves']);
    expect(resource).toMatchObject({
      identifier: { field: 'code' },
      operations: { create: { id: 'makeShelf' }, list: { id: 'listShelves' } },
      list: { records: '/right', filters: [{ field: 'roomId' }] },
      foreignKeys: [],
    });
    expect(said.unplaced.map(({ operation, why }) => `${operation.id}: ${why}`)).toEqual([
      'listRooms: the configuration says that it keeps no state.',
    ]);
    expect(keysOf(named(shelves, 'shelves'))).toEqual(['roomId→rooms']);
  });

  test('may disable filters and foreign keys', () => {
    const resource = named(
      overrideResources(shelves, {
        shelves: { records: '/left', filters: false, foreignKeys: false },
      }),
      'shelves',
    );
    expect([resource.list?.filters, resource.list?.ranges, resource.foreignKeys]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('a configured read defines the path of an item', () => {
    const paths = {
      '/things': { get: answer(listOf('Thing')) },
      '/getThing/{id}': {
        get: { operationId: 'getThing', ...path('id'), ...answer(one('Thing')) },
      },
    };
    const contract = overrideResources(contractOf({ Thing: record({}) }, paths), {
      things: { operations: { read: 'getThing' } },
    });
    expect(named(contract, 'things').itemPath).toBe('/getThing/{id}');
  });

  test('a configured filter is not a range', () => {
    const parameters = [
      { name: 'min_price', in: 'query', schema: { type: 'integer' } },
      { name: 'max_price', in: 'query', schema: { type: 'integer' } },
    ];
    const things = contractOf(
      { Thing: record({ price: { type: 'integer' } }) },
      { '/things': { get: { parameters, ...answer(listOf('Thing')) } } },
    );
    const { list } = named(
      overrideResources(things, { things: { filters: { min_price: 'price' } } }),
      'things',
    );
    expect(list?.filters.map(({ parameter, field }) => [parameter.name, field])).toEqual([
      ['min_price', 'price'],
    ]);
    expect(list?.ranges.map(({ parameter }) => parameter.name)).toEqual(['max_price']);
  });

  test.each<[ResourceOverrides, string]>([
    [
      { shelve: false },
      'mock.resources.shelve is invalid: the contract has no resource of that ' +
        'name, and no collection of that path. Did you mean shelves?',
    ],
    [
      { '/shelfs': false },
      'mock.resources./shelfs is invalid: the contract has no resource of that ' +
        'name, and no collection of that path. Did you mean /shelves?',
    ],
    [
      { shelves: { operations: { list: 'listShelfs' } } },
      'mock.resources.shelves is invalid: the contract has no operation ' +
        'listShelfs. Did you mean listShelves?',
    ],
    [
      { shelves: { identifier: 'cod' } },
      'mock.resources.shelves is invalid: no record can be inferred even with ' +
        'these settings. A resource needs an operation that lists or reads its ' +
        'records, and a field that identifies them.',
    ],
    [
      { shelves: { records: '/middle' } },
      'mock.resources.shelves is invalid: its list has no array of objects at /' +
        'middle. Write a JSON Pointer to an array of objects, such as /data/' +
        'items.',
    ],
    [
      { shelves: { records: '/left', filters: { far: 'roomId' } } },
      'mock.resources.shelves is invalid: its list has no query parameter far. ' +
        'Choose one of: near.',
    ],
    [
      { shelves: { records: '/left', filters: { near: 'room' } } },
      'mock.resources.shelves is invalid: its records have no field room. Did you mean roomId?',
    ],
    [
      { shelves: { foreignKeys: { roomId: 'room' } } },
      'mock.resources.shelves is invalid: the contract has no resource room. Did you mean rooms?',
    ],
    [
      { shelves: { foreignKeys: { room: 'rooms' } } },
      'mock.resources.shelves is invalid: its records have no field room. Did you mean roomId?',
    ],
  ])('is refused where the contract does not have it: %j', (overrides, message) => {
    let thrown: unknown;
    try {
      overrideResources(shelves, overrides);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(VouchError);
    expect(thrown instanceof VouchError ? `${thrown.message} ${thrown.hint ?? ''}` : '').toBe(
      message,
    );
  });
});
