import { describe, expect, test } from 'vitest';
import { createdIsReadable } from '../../../../src/check/topics/records/created-is-readable.ts';
import { shownFieldKey } from '../../../../src/check/reading/shown-fields.ts';
import type { RunKnowledge } from '../../../../src/check/model/knowledge.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const properties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  note: { type: 'string' },
  status: { type: 'string', enum: ['on', 'off'] },
  password: { type: 'string' },
  hidden: { type: 'string', writeOnly: true },
};
const thing = { type: 'object', required: ['id', 'name'], properties };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const one = { 200: { description: 'ok', ...jsonContent(thing) } };
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { name: 'status', in: 'query', schema: properties.status },
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 10 } },
        ],
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
      post: {
        operationId: 'createThing',
        requestBody: {
          required: true,
          ...jsonContent({ type: 'object', required: ['name'], properties }),
        },
        responses: { 201: { description: 'made', ...jsonContent(thing) } },
      },
    },
    '/things/{id}': {
      get: { operationId: 'getThing', parameters: [id], responses: one },
      delete: {
        operationId: 'deleteThing',
        parameters: [id],
        responses: { 204: { description: 'gone' } },
      },
    },
  },
});
const [resource] = contract.resources;
if (resource === undefined) throw new Error('The contract has no resource.');

const made = (body: JsonObject, answer: JsonObject = { id: 7, ...body }): Said => ({
  ask: 'POST /things',
  status: 201,
  body,
  answer,
});
const read = (answer: JsonObject, status = 200): Said => ({ ask: 'GET /things/7', status, answer });
const listed = (...answer: JsonObject[]): Said => ({ ask: 'GET /things', answer });

function told(said: readonly Said[], knows: Partial<RunKnowledge> = {}): string[] | undefined {
  return createdIsReadable
    .inspect(talk(contract, said, knows))
    ?.map(
      ({ severity = 'error', cause, at, message }) =>
        `${severity}${cause === undefined ? '' : ` (${cause})`} ${at}: ${message}`,
    );
}

const body = { name: 'vouch-talk a' };
const create = '/paths/~1things/post';

describe('a record that was created and is read', () => {
  test.each<[string, readonly Said[], string[] | undefined]>([
    ['as it was sent', [made(body), read({ id: 7, ...body })], []],
    [
      'not at all',
      [made(body), read({}, 404)],
      [
        `error (lost) ${create}: The server confirmed the creation of a record, but ` +
          'reading it returned 404.',
      ],
    ],
    [
      'no longer',
      [made(body), read({}, 410)],
      [
        `error (lost) ${create}: The server confirmed the creation of a record, but ` +
          'reading it returned 410.',
      ],
    ],
    [
      'with another value',
      [made(body), read({ id: 7, name: 'b' })],
      [
        'error /paths/~1things/post/requestBody/content/application~1json/schema/' +
          'properties/name: A created record is read back with another name than ' +
          'was sent: "b" instead of "vouch-talk a".',
      ],
    ],
    [
      'with another value that the create itself had told',
      [made(body, { id: 7, name: 'b' }), read({ id: 7, name: 'b' })],
      [],
    ],
    [
      'by another identifier than was asked for',
      [made(body), { ask: 'GET /things/8', answer: { id: 8, name: 'x' } }],
      undefined,
    ],
    [
      'as another record, which another check finds',
      [made(body), read({ id: 8, name: 'x' })],
      undefined,
    ],
    ['with a failure, which another check finds', [made(body), read({}, 500)], undefined],
    [
      'after it was deleted',
      [made(body), { ask: 'DELETE /things/7', status: 204 }, read({}, 404)],
      undefined,
    ],
    ['where the create was refused', [{ ...made(body), status: 400 }, read({}, 404)], undefined],
  ])('%s', (_name, said, expected) => {
    expect(told(said)).toEqual(expected);
  });

  describe('without a field that was sent', () => {
    const without = (field: string, value: string): readonly Said[] => [
      made({ ...body, [field]: value }, { id: 7, ...body }),
      read({ id: 7, ...body }),
    ];
    const lost = (severity: string): string[] => [
      `${severity} (not kept) /paths/~1things/get/responses/200/content/` +
        'application~1json/schema/items/properties/note: A record that was created with note ' +
        'has no note, neither in the response nor when it is read.',
    ];
    const elsewhere = { shownFields: new Set([shownFieldKey(resource, 'note')]) };

    test('that no record shows: it may be hidden', () => {
      expect(told(without('note', 'hello there'))?.map((line) => line.split(' ')[0])).toEqual([
        'warning',
      ]);
    });

    test('that another record shows: it was lost', () => {
      expect(
        told(without('note', 'hello there'), elsewhere)?.map((line) => line.replace(/\S+: /, ': ')),
      ).toEqual(lost('error').map((line) => line.replace(/\S+: /, ': ')));
    });

    test('with an empty value: it may be omitted', () => {
      expect(told(without('note', ''), elsewhere)?.map((line) => line.split(' ')[0])).toEqual([
        'warning',
      ]);
    });

    test.each(['password', 'hidden'])('that is secret by name: %s', (field) => {
      expect(told(without(field, 'hello there'))).toEqual([]);
    });
  });
});

test.each([404, 410])(
  'a record whose body names another parent than its path may be missing there: %i',
  (status) => {
    const below = {
      type: 'object',
      required: ['id', 'name'],
      properties: { ...properties, shelfId: { type: 'integer' } },
    };
    const shelfId = { name: 'shelfId', in: 'path', required: true, schema: { type: 'integer' } };
    const shelves = makeContract({
      paths: {
        '/shelves/{shelfId}/things': {
          parameters: [shelfId],
          post: {
            operationId: 'create',
            requestBody: { required: true, ...jsonContent(below) },
            responses: { 201: { description: 'made', ...jsonContent(below) } },
          },
        },
        '/shelves/{shelfId}/things/{id}': {
          parameters: [shelfId, id],
          get: {
            operationId: 'read',
            responses: { 200: { description: 'ok', ...jsonContent(below) } },
          },
        },
      },
    });
    const lostBelow = (shelf: number): number | undefined =>
      createdIsReadable.inspect(
        talk(shelves, [
          {
            ask: 'POST /shelves/1/things',
            status: 201,
            body: { ...body, shelfId: shelf },
            answer: { id: 7, ...body, shelfId: shelf },
          },
          { ask: 'GET /shelves/1/things/7', status, answer: {} },
        ]),
      )?.length;
    expect([lostBelow(1), lostBelow(2)]).toEqual([1, undefined]);
  },
);

describe('a record that was created, and the list', () => {
  const others = [1, 2, 3].map((number) => ({ id: number, name: `other ${String(number)}` }));
  const earlier = listed(...others, { id: 4, name: 'd' }, { id: 5, name: 'e' });

  test.each<[string, readonly Said[], string[] | undefined]>([
    ['that holds it', [made(body), listed(...others, { id: 7, ...body })], []],
    [
      'that is whole and does not',
      [earlier, made(body), listed(...others)],
      [
        'error (lost) /paths/~1things/get: The server confirmed the creation of a ' +
          'record, but a complete list does not have it.',
      ],
    ],
    ['that may not be whole', [made(body), listed(...others)], undefined],
    [
      'that is filtered by what it is not',
      [earlier, made({ ...body, status: 'on' }), { ask: 'GET /things?status=off', answer: others }],
      undefined,
    ],
    [
      'that is filtered by what it is',
      [earlier, made({ ...body, status: 'on' }), { ask: 'GET /things?status=on', answer: others }],
      [
        'error (lost) /paths/~1things/get: The server confirmed the creation of a ' +
          'record, but a complete list does not have it.',
      ],
    ],
    [
      'of a record that cannot be read either',
      [earlier, made(body), read({}, 404), listed(...others)],
      undefined,
    ],
    [
      'that shows another value',
      [made(body), listed({ id: 7, name: 'b' })],
      [
        'error /paths/~1things/post/requestBody/content/application~1json/schema/' +
          'properties/name: A created record is read back with another name than ' +
          'was sent: "b" instead of "vouch-talk a".',
      ],
    ],
    [
      'that holds what was sent twice',
      [
        made({ name: 'vouch-012345-0abcde' }),
        listed({ id: 7, name: 'vouch-012345-0abcde' }, { id: 8, name: 'vouch-012345-0abcde' }),
      ],
      [
        `error (twice) ${create}: One create made two records: the list has the same ` +
          'values under id 7 and id 8.',
      ],
    ],
    [
      'that holds a text twice that anybody may have written',
      [made({ name: 'a' }), listed({ id: 7, name: 'a' }, { id: 8, name: 'a' })],
      [],
    ],
  ])('%s', (_name, said, expected) => {
    expect(told(said)).toEqual(expected);
  });

  test('that also has the values of another create of the run', () => {
    const text = { name: 'vouch-012345-0abcde' };
    const creators = new Map([
      [`${resource.name} 8`, [{ id: 'x', sent: { arguments: new Map() } }]],
    ]);
    expect(
      told([made(text), listed({ id: 7, ...text }, { id: 8, ...text })], { creators }),
    ).toEqual([]);
  });
});

test('a record that was changed under another path is not compared with its create', () => {
  const spot = { type: 'object', required: ['id'], properties };
  const shown = { 200: { description: 'ok', ...jsonContent(spot) } };
  const content = {
    requestBody: { required: true, ...jsonContent({ type: 'object', properties }) },
  };
  const map = { ...id, name: 'map' };
  const two = makeContract({
    paths: {
      '/maps/{map}/spots': {
        get: {
          operationId: 'listSpots',
          parameters: [map],
          responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: spot }) } },
        },
        post: {
          operationId: 'createSpot',
          parameters: [map],
          ...content,
          responses: { 201: { description: 'made', ...jsonContent(spot) } },
        },
      },
      '/maps/{map}/spots/{id}': {
        get: { operationId: 'getSpot', parameters: [map, id], responses: shown },
      },
      '/spots/{id}': {
        patch: { operationId: 'changeSpot', parameters: [id], ...content, responses: shown },
      },
    },
  });
  const posted: Said = {
    ask: 'POST /maps/1/spots',
    status: 201,
    body: { name: 'a' },
    answer: { id: 7, name: 'a' },
  };
  const change = (of: string): Said => ({
    ask: `PATCH /spots/${of}`,
    body: { name: 'b' },
    answer: { id: Number(of), name: 'b' },
  });
  const readBack: Said = { ask: 'GET /maps/1/spots/7', answer: { id: 7, name: 'b' } };
  const inspect = (...said: readonly Said[]): unknown =>
    createdIsReadable.inspect(talk(two, said))?.length;
  expect(inspect(posted, change('7'), readBack)).toBeUndefined();
  expect(inspect(posted, change('8'), readBack)).toBe(1);
  expect(inspect(posted, readBack)).toBe(1);
});
