import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { expectKept } from './keeps-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const desk = parseContract(
  readFileSync(new URL('contracts/desk.yaml', import.meta.url), 'utf8'),
  'desk.yaml',
);

let mock: Mock;

beforeEach(async () => {
  mock = await mockOf({ contract: desk, seedRecords: 0 });
});

/** Asks, holds the answer against the contract, and gives its status and body. */
async function ask(
  line: string,
  body?: JsonValue,
): Promise<{ readonly status: number; readonly body: JsonValue }> {
  const answer = await send(mock, line, body === undefined ? {} : { body });
  expectKept(desk, answer);
  return { status: answer.status, body: jsonOf(answer) };
}

describe('a value whose form differs between request and record', () => {
  const added = async (form: JsonObject): Promise<JsonObject> => {
    const { status, body } = await ask('POST /tickets', { title: 'Leak', ...form });
    expect(status).toBe(201);
    // A ticket is an object.
    return body as JsonObject;
  };

  test('is stored in the form of the record: a name becomes an object', async () => {
    const ticket = await added({ labels: ['wet', 'urgent'], assignee: 'zoe' });
    expect(ticket).toMatchObject({
      labels: [{ name: 'wet' }, { name: 'urgent' }],
      assignee: { login: 'zoe' },
    });
    expect((await ask(`GET /tickets/${String(ticket['number'])}`)).body).toEqual(ticket);
    expect((await ask('GET /tickets')).body).toEqual([ticket]);
  });

  test('is converted in a change too', async () => {
    const { number } = await added({ labels: ['wet'] });
    const { status, body } = await ask(`PATCH /tickets/${String(number)}`, {
      labels: ['dry'],
      assignee: 'ann',
      state: 'closed',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Leak',
      state: 'closed',
      labels: [{ name: 'dry' }],
      assignee: { login: 'ann' },
    });
  });

  test('is left out if the record has no such field, and updates keep the old value', async () => {
    expect(await added({ severity: 'dreadful' })).not.toHaveProperty('severity');
    const { number } = await added({ severity: 'high' });
    expect(
      (await ask(`PATCH /tickets/${String(number)}`, { severity: 'dreadful', title: 'Flood' }))
        .body,
    ).toMatchObject({ severity: 'high', title: 'Flood' });
  });

  test('is merged if it is a part of an object', async () => {
    const { number } = await added({});
    expect(
      (await ask(`PATCH /tickets/${String(number)}`, { settings: { mail: false } })).body,
    ).toMatchObject({ settings: { mail: false, chat: true } });
  });
});

describe('an identifier', () => {
  test('conforms to the path parameter, and starts again at the end of its range', async () => {
    const numbers: JsonValue[] = [];
    for (const title of ['a', 'b', 'c', 'd'])
      numbers.push((await ask('POST /tickets', { title }))['body']);
    expect(numbers.map((ticket) => (ticket as JsonObject)['number'])).toEqual([3, 4, 5, 6]);
    // No path leads to more of them; they are listed all the same.
    expect((await ask('POST /tickets', { title: 'e' })).body).toMatchObject({ number: 7 });
    expect((await ask('GET /tickets')).body).toHaveLength(5);
  });

  test('of initial records conforms to the path parameter too', async () => {
    mock = await mockOf({ contract: desk, seedRecords: 3 });
    for (const [list, item] of [
      ['/tickets?state=all', 'number'],
      ['/bookings', 'id'],
    ] as const) {
      // A list of the desk's is a bare array of objects.
      const records = (await ask(`GET ${list}`)).body as unknown as JsonObject[];
      expect(records).toHaveLength(3);
      for (const record of records)
        expect(await ask(`GET ${list.replace(/\?.*/, '')}/${String(record[item])}`)).toEqual({
          status: 200,
          body: record,
        });
    }
  });
});

describe('a filter', () => {
  test('has a default, and selects all records by a word such as all', async () => {
    const { body } = await ask('POST /tickets', { title: 'Leak' });
    await ask(`PATCH /tickets/${String((body as JsonObject)['number'])}`, { state: 'closed' });
    const counts = await Promise.all(
      ['', '?state=open', '?state=closed', '?state=all'].map(
        async (query) => ((await ask(`GET /tickets${query}`)).body as readonly JsonValue[]).length,
      ),
    );
    expect(counts).toEqual([0, 0, 1, 1]);
  });
});

describe('a record of several forms', () => {
  test('exists initially in each form', async () => {
    mock = await mockOf({ contract: desk, seedRecords: 4 });
    // A list of the desk's is a bare array of objects.
    const bookings = (await ask('GET /bookings')).body as unknown as JsonObject[];
    expect(bookings.map(({ kind }) => kind)).toEqual(['room', 'table', 'room', 'table']);
  });

  test('is stored, listed, filtered and replaced in its own form', async () => {
    const room = (await ask('POST /bookings', { kind: 'room', nights: 2, secret: 'x' }))
      .body as JsonObject;
    const table = (await ask('POST /bookings', { kind: 'table', seats: 4 })).body as JsonObject;
    expect(room).toEqual({ id: room['id'], kind: 'room', nights: 2 });
    expect(table).toEqual({ id: table['id'], kind: 'table', seats: 4 });
    expect((await ask(`GET /bookings/${String(table['id'])}`)).body).toEqual(table);
    expect((await ask('GET /bookings?filter[kind]=table')).body).toEqual([table]);
    expect((await ask('GET /bookings')).body).toEqual([room, table]);
  });

  const told: readonly (readonly [what: string, body: JsonObject, message: string])[] = [
    ['no form', { nights: 2 }, 'The body must have the property kind.'],
    [
      'a form that there is not',
      { kind: 'boat', nights: 2 },
      '`kind` in the body must be one of room, table, but is `boat`.',
    ],
    [
      'a form, and breaks it',
      { kind: 'table', seats: 0 },
      '`seats` in the body must be 1 or more, but is `0`.',
    ],
  ];
  for (const [what, body, message] of told) {
    test(`is judged by the form that it names: ${what}`, async () => {
      expect(await ask('POST /bookings', body)).toMatchObject({ status: 400, body: { message } });
    });
  }

  test('is requested by a name that only the body could have', async () => {
    expect(await ask('PUT /bookings', { kind: 'room', nights: 1 })).toEqual({
      status: 400,
      body: {
        message:
          'The body must have the property id: nothing else says which record of ' +
          'bookings is meant.',
        fields: [
          {
            field: 'id',
            message:
              'The body must have the property id: nothing else says which record of ' +
              'bookings is meant.',
          },
        ],
      },
    });
  });
});

describe('the fields of an error', () => {
  test('names parameters in common spellings, and fills lists of fields', async () => {
    const message = '`filter[kind]` in the query must be one of room, table, but is `boat`.';
    expect((await ask('GET /bookings?filter[kind]=boat')).body).toEqual({
      message,
      fields: [{ field: 'filter[kind]', message }],
    });
  });
});
