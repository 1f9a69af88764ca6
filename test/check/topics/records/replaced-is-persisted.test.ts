import { describe, expect, test } from 'vitest';
import { replacedIsPersisted } from '../../../../src/check/topics/records/replaced-is-persisted.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const properties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  note: { type: 'string' },
  size: { type: 'number' },
  kind: { type: 'string', enum: ['a', 'b'] },
  made: { type: 'string', readOnly: true },
  shown: { type: 'string', examples: ['as shown'] },
};
const thing = { $ref: '#/components/schemas/Thing' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const one = { 200: { description: 'ok', ...jsonContent(thing) } };
const change = (operationId: string): JsonObject => ({
  operationId,
  parameters: [id],
  requestBody: { required: true, ...jsonContent({ type: 'object', properties }) },
  responses: one,
});

function contractOf(...changes: readonly ('put' | 'patch')[]): Contract {
  return makeContract({
    components: { schemas: { Thing: { type: 'object', required: ['id', 'name'], properties } } },
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
        post: {
          operationId: 'createThing',
          requestBody: { required: true, ...jsonContent({ type: 'object', properties }) },
          responses: { 201: { description: 'made', ...jsonContent(thing) } },
        },
      },
      '/things/{id}': {
        get: { operationId: 'getThing', parameters: [id], responses: one },
        ...Object.fromEntries(changes.map((method) => [method, change(`${method}Thing`)])),
      },
    },
  });
}

const [both, putAlone] = [contractOf('put', 'patch'), contractOf('put')];
const before: JsonObject = { id: 7, name: 'one', note: 'first', size: 1 };
const made: Said = {
  ask: 'POST /things',
  status: 201,
  body: { name: 'one', note: 'first', size: 1 },
  answer: before,
};
const read = (answer: JsonObject, ask = 'GET /things/7', status = 200): Said => ({
  ask,
  answer,
  status,
});
const put = (body: JsonObject, status = 200): Said => ({
  ask: 'PUT /things/7',
  body,
  status,
  answer: { id: 7, name: 'x', ...body },
});
const patch = (body: JsonObject, status = 200): Said => ({
  ...put(body, status),
  ask: 'PATCH /things/7',
});

function told(contract: Contract, said: readonly Said[]): string[] | undefined {
  return replacedIsPersisted
    .inspect(talk(contract, said))
    ?.map(
      ({ severity = 'error', cause, at, message }) =>
        `${severity}${cause === undefined ? '' : ` (${cause})`} ${at}: ${message}`,
    );
}

const member = (method: string, name: string): string =>
  `/paths/~1things~1{id}/${method}/requestBody/content/application~1json/schema/properties/${name}`;
const whole = { name: 'two', note: 'second', size: 2 };

describe('the response to a change', () => {
  const answering = (answer: JsonObject, status = 200): Said => ({ ...put(whole, status), answer });

  test('must equal the stored record', () => {
    expect(
      told(both, [made, read(before), answering(before), read({ ...before, ...whole })]),
    ).toEqual([
      'error (answered) /paths/~1things~1{id}/put: putThing returned another name than it ' +
        'stored: "one" instead of "two", which was sent and is read back.',
    ]);
    expect(
      told(both, [
        made,
        read(before),
        answering({ id: 7, name: 'two' }),
        read({ ...before, ...whole }),
      ]),
    ).toEqual([]);
  });

  test(
    'may come before the change where it is only accepted, and says nothing ' +
      'of one that is lost',
    () => {
      expect(
        told(both, [made, read(before), answering(before, 202), read({ ...before, ...whole })]),
      ).toEqual([]);
      expect(told(both, [made, read(before), answering(before), read(before)])).toEqual([
        expect.not.stringContaining('(answered)'),
      ]);
    },
  );
});

describe('the values of a change', () => {
  test.each<[string, readonly Said[], string[] | undefined]>([
    ['is read back', [made, read(before), put(whole), read({ id: 7, ...whole })], []],
    [
      'is read back otherwise',
      [made, read(before), put(whole), read({ id: 7, ...whole, note: 'third' })],
      [
        `error ${member('put', 'note')}: A record that was changed by putThing ` +
          'is read back with another note than was sent: "third" instead of ' +
          '"second".',
      ],
    ],
    [
      'is all lost',
      [made, read(before), put(whole), read(before)],
      [
        'error /paths/~1things~1{id}/put: A record that was changed by putThing ' +
          'is read back with another name, note, size than was sent: "one" instead ' +
          'of "two", "first" instead of "second", 1 instead of 2.',
      ],
    ],
    [
      'is lost, all that was named',
      [made, read(before), patch({ note: 'second' }), read(before)],
      [
        'error /paths/~1things~1{id}/patch: A record that was changed by ' +
          'patchThing is read back with another note than was sent: "first" ' +
          'instead of "second".',
      ],
    ],
    [
      'is not shown',
      [made, read(before), patch({ note: 'second' }), read({ id: 7, name: 'one', size: 1 })],
      [
        `warning ${member('patch', 'note')}: A record that was changed by ` +
          'patchThing is read back with another note than was sent: nothing ' +
          'instead of "second".',
      ],
    ],
    [
      'is written in another way',
      [made, read(before), patch({ note: 'Second' }), read({ ...before, note: 'second' })],
      [
        `warning ${member('patch', 'note')}: A record that was changed by ` +
          'patchThing is read back with another note than was sent: "second" ' +
          'instead of "Second".',
      ],
    ],
    ['was refused', [made, read(before), put(whole, 400), read(before)], undefined],
    ['is asked for too late', [made, put(whole), read(before), read(before)], undefined],
    [
      'was of another record',
      [made, put(whole), read({ id: 8, name: 'x' }, 'GET /things/8')],
      undefined,
    ],
    [
      'is answered with another record, which another check finds',
      [made, put(whole), read({ id: 8, name: 'x' })],
      undefined,
    ],
    [
      'cannot be read, which another check finds',
      [made, put(whole), read({}, 'GET /things/7', 500)],
      undefined,
    ],
  ])('%s', (_name, said, expected) => {
    expect(told(both, said)).toEqual(expected);
  });
});

describe('a field that an update did not send', () => {
  const after = (changes: JsonObject): readonly Said[] => [
    made,
    read(before),
    patch({ name: 'two' }),
    read({ ...before, name: 'two', ...changes }),
  ];
  test.each<[string, JsonObject, string[]]>([
    ['stays', {}, []],
    [
      'is emptied: nothing makes that follow',
      { note: '' },
      ['error (besides) /note: An update without note changed it: "" instead of "first".'],
    ],
    [
      'is another text, which may follow',
      { note: 'else' },
      [
        'warning (besides) /note: An update without note changed it: ' +
          '"else" instead of "first".',
      ],
    ],
    [
      'is another number, which may follow',
      { size: 0 },
      ['warning (besides) /size: An update without size changed it: 0 instead of 1.'],
    ],
    ['is null, which breaks its schema and is found there', { note: null }, []],
  ])('%s', (_name, changes, expected) => {
    expect(
      told(both, after(changes))?.map((line) => line.replace(/ \S*(\/\w+): /, ' $1: ')),
    ).toEqual(expected);
  });

  test('is reported if it is gone', () => {
    const { size: _size, ...rest } = before;
    expect(
      told(both, [made, read(before), patch({ name: 'two' }), read({ ...rest, name: 'two' })])?.map(
        (line) => line.replace(/ \S*(\/\w+): /, ' $1: '),
      ),
    ).toEqual(['error (besides) /size: An update without size removed it: it was 1.']);
  });

  test('is not judged if it was never read', () => {
    expect(
      told(both, [made, patch({ name: 'two' }), read({ ...before, name: 'two', note: '' })]),
    ).toEqual([]);
    expect(
      told(both, [
        made,
        read(before, 'GET /things/7', 500),
        patch({ name: 'two' }),
        read({ ...before, name: 'two', note: '' }),
      ]),
    ).toEqual([]);
  });
});

describe('a field that a replacement left out', () => {
  const merged = (sent: JsonObject, first: JsonObject = before): readonly Said[] => [
    { ...made, body: first, answer: first },
    read(first),
    put(sent),
    read({ ...first, ...sent }),
  ];
  const sentence = (severity: string): string =>
    `${severity} (merged) /paths/~1things~1{id}/put: A replacement without ` +
    'note did not replace the whole record: it is as before (note is ' +
    '"first").';

  test.each<[string, Contract, readonly Said[], string[]]>([
    [
      'and is as before, beside an update',
      both,
      merged({ name: 'two', size: 2 }),
      [sentence('error')],
    ],
    [
      'and is as before, where there is no update',
      putAlone,
      merged({ name: 'two', size: 2 }),
      [sentence('warning')],
    ],
    [
      'and is gone',
      both,
      [made, read(before), put({ name: 'two', size: 2 }), read({ id: 7, name: 'two', size: 2 })],
      [],
    ],
    ['and may be the default of the server', both, merged({ name: 'two', note: 'second' }), []],
    ['and is one of a few words', both, merged({ ...whole }, { ...before, kind: 'a' }), []],
    ['and is the server’s own', both, merged({ ...whole }, { ...before, made: 'today' }), []],
  ])('%s', (_name, contract, said, expected) => {
    expect(told(contract, said)).toEqual(expected);
  });

  test('is reported once for several fields', () => {
    expect(told(both, merged({ name: 'two' }, { ...before, size: 5 }))).toEqual([
      'error (merged) /paths/~1things~1{id}/put: A replacement without note, size did not ' +
        'replace the whole record: they are as before (note is "first").',
    ]);
  });
});

test('what stands beside a wrapped record is not one of its fields', () => {
  const wrapping = makeContract({
    components: { schemas: { Thing: { type: 'object', required: ['id', 'name'], properties } } },
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
      },
      '/things/{id}': {
        get: { operationId: 'getThing', parameters: [id], responses: one },
        put: {
          ...change('putThing'),
          requestBody: {
            required: true,
            ...jsonContent({
              type: 'object',
              properties: {
                kind: { type: 'string' },
                wrapped: { type: 'object', properties: { name: { type: 'string' } } },
              },
            }),
          },
        },
      },
    },
  });
  const beside = put({ kind: 'b', wrapped: { name: 'two' } });
  expect(told(wrapping, [beside, read({ ...before, kind: 'a', name: 'two' })])).toBeUndefined();
  expect(told(wrapping, [put({ kind: 'b' }), read({ ...before, kind: 'a' })])).toHaveLength(1);
});

describe('an update to null', () => {
  const sent: JsonObject = { name: 'one', note: 'first', size: 1 };
  const created: Said = {
    ask: 'POST /things',
    status: 201,
    body: sent,
    answer: { id: 7, ...sent },
  };
  const kept = [created, read({ id: 7, ...sent })];
  const after = (body: JsonObject): string[] | undefined =>
    told(both, [...kept, { ...patch(body), answer: { id: 7, ...sent } }, read({ id: 7, ...sent })]);

  test('empties a field that may be absent', () => {
    expect(after({ note: null })).toEqual([
      'error (null ignored) /paths/~1things~1{id}/patch: An update to null left note as it was: ' +
        '"first".',
    ]);
  });

  test('cannot empty a field that every record has', () => {
    expect(after({ name: null })).toEqual([]);
  });
});
