import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { headerValue } from '../../../src/http/message.ts';
import { expectKept } from '../keeps-contract.ts';
import { jsonOf, mockOf, send, textOf } from '../workshop.ts';
import { type ApiOperation, contractOf, dialects, playFlow } from './play-flow.ts';

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const ref = { $ref: 'Record' };
const many: JsonObject = { type: 'array', items: ref };
const named = object({ name: text, label: text });
const input = object({ label: text });

describe.each(dialects)('records that the client names, in OpenAPI %s', (dialect) => {
  const read: ApiOperation = { call: 'GET /vats/{name}', answers: { 200: ref, 404: null } };
  const remove: ApiOperation = { call: 'DELETE /vats/{name}', answers: { 204: null } };
  const flow = {
    id: { value: 'oak' },
    sees: { label: 'first' },
    read: ['GET /vats/{id}'],
    updateSees: { label: 'second' },
    remove: ['DELETE /vats/{id}'],
  } as const;

  test.each<[string, readonly ApiOperation[], string, string]>([
    [
      'PUT, which answers 201',
      [{ call: 'PUT /vats/{name}', body: input, answers: { 200: ref, 201: ref } }],
      'PUT',
      'PUT',
    ],
    ['PUT alone', [{ call: 'PUT /vats/{name}', body: input, answers: { 200: ref } }], 'PUT', 'PUT'],
    [
      'PUT beside a POST, where PUT answers 201',
      [
        { call: 'POST /vats', body: named, answers: { 201: ref } },
        { call: 'PUT /vats/{name}', body: input, answers: { 200: ref, 201: ref, 404: null } },
      ],
      'PUT',
      'PUT',
    ],
    [
      'POST by name, and PUT that changes',
      [
        { call: 'POST /vats/{name}', body: input, answers: { 201: ref, 409: null } },
        { call: 'PUT /vats/{name}', body: input, answers: { 204: null, 404: null } },
      ],
      'POST',
      'PUT',
    ],
    [
      'PATCH, which answers 201',
      [{ call: 'PATCH /vats/{name}', body: input, answers: { 204: null, 201: null } }],
      'PATCH',
      'PATCH',
    ],
  ])('%s', async (_name, makers, create, update) => {
    const contract = contractOf(
      { schemas: { Record: named }, operations: [read, ...makers, remove] },
      dialect,
    );
    await playFlow(contract, {
      ...flow,
      create: [`${create} /vats/oak`, { label: 'first' }],
      update: [`${update} /vats/{id}`, { label: 'second' }],
    });
  });

  test('PUT that documents 404, and not 201, creates none', async () => {
    const contract = contractOf(
      {
        schemas: { Record: named },
        operations: [
          { call: 'GET /vats', answers: { 200: { type: 'array', items: ref } } },
          read,
          { call: 'PUT /vats/{name}', body: input, answers: { 200: ref, 404: null } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const answer = await send(mock, 'PUT /vats/oak', { body: { label: 'first' } });
    expect(answer.status).toBe(404);
  });

  test('POST by name does not overwrite a record', async () => {
    const contract = contractOf(
      {
        schemas: { Record: named },
        operations: [
          read,
          { call: 'POST /vats/{name}', body: input, answers: { 201: ref, 409: null } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const first = await send(mock, 'POST /vats/oak', { body: { label: 'first' } });
    const second = await send(mock, 'POST /vats/oak', { body: { label: 'second' } });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(textOf(await send(mock, 'GET /vats/oak'))).toContain('first');
  });

  test('PATCH without 201 changes only existing records', async () => {
    const contract = contractOf(
      {
        schemas: { Record: named },
        operations: [
          read,
          { call: 'POST /vats', body: named, answers: { 201: ref } },
          { call: 'PATCH /vats/{name}', body: input, answers: { 200: ref, 404: null } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const answer = await send(mock, 'PATCH /vats/oak', { body: { label: 'first' } });
    expect(answer.status).toBe(404);
  });
});

describe.each(dialects)('records that the body names, in OpenAPI %s', (dialect) => {
  const record = object({ id: whole, label: text });
  const path = { id: whole };

  test('PUT and DELETE on the collection', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /kite', answers: { 200: many } },
          { call: 'POST /kite', body: ref, answers: { 200: ref } },
          { call: 'PUT /kite', body: ref, answers: { 200: ref, 404: null } },
          {
            call: 'DELETE /kite',
            body: object({ id: whole }, { required: ['id'] }),
            answers: { 200: null, 404: null },
          },
          { call: 'GET /kite/{id}', path, answers: { 200: ref, 404: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /kite', { label: 'first' }],
      id: '/id',
      sees: { label: 'first' },
      read: ['GET /kite/{id}'],
      list: ['GET /kite'],
      update: ['PUT /kite', { id: '{id}', label: 'second' }],
      updateSees: { label: 'second' },
      remove: ['DELETE /kite', { id: '{id}' }],
    });
  });
});

describe.each(dialects)('creates of other kinds, in OpenAPI %s', (dialect) => {
  const record = object({ id: whole, label: text, note: text });
  const path = { id: whole };
  const items: readonly ApiOperation[] = [
    { call: 'GET /kites', answers: { 200: many } },
    { call: 'GET /kites/{id}', path, answers: { 200: ref, 404: null } },
    { call: 'DELETE /kites/{id}', path, answers: { 204: null } },
  ];
  const flow = {
    create: ['POST /kites', { label: 'first' }],
    sees: { label: 'first' },
    read: ['GET /kites/{id}'],
    list: ['GET /kites'],
    remove: ['DELETE /kites/{id}'],
  } as const;

  test('201 with Location and no body', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          ...items,
          {
            call: 'POST /kites',
            body: object({ label: text, secret: text }),
            answers: { 201: null },
            headers: ['Location'],
          },
        ],
      },
      dialect,
    );
    await playFlow(contract, { ...flow, id: { location: true } });
  });

  test('200 with a word, if the name of the operation says that it creates', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          ...items,
          {
            call: 'POST /kites',
            id: 'createKite',
            body: object({ label: text }),
            answers: { 200: text },
          },
        ],
      },
      dialect,
    );
    await playFlow(contract, { ...flow, id: { listed: 'id' } });
  });

  test('an identifier alone', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          ...items,
          {
            call: 'POST /kites',
            body: object({ label: text }),
            answers: { 201: object({ id: whole }, { required: ['id'] }) },
          },
        ],
      },
      dialect,
    );
    await playFlow(contract, { ...flow, id: '/id' });
  });

  test('an identifier under the noun', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          ...items,
          {
            call: 'POST /kites',
            body: object({ label: text }),
            answers: { 201: object({ kite_id: whole }, { required: ['kite_id'] }) },
          },
        ],
      },
      dialect,
    );
    await playFlow(contract, { ...flow, id: '/kite_id' });
  });

  test('a list without paths of items', async () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /kites', query: { label: text }, answers: { 200: many } },
          { call: 'POST /kites', body: object({ label: text }), answers: { 201: ref } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: flow.create,
      id: '/id',
      sees: flow.sees,
      list: flow.list,
      filter: ['GET /kites?label=first', 'GET /kites?label=other'],
    });
  });
});

describe.each(dialects)('records and lists of OpenAPI %s', (dialect) => {
  test('a list that may hold two records shows two of them', async () => {
    const record = object({ id: whole, label: text });
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /kites', answers: { 200: { ...many, maxItems: 2 } } },
          { call: 'POST /kites', body: object({ label: text }), answers: { 201: ref } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off', fixtures: new Map() });
    for (const label of ['a', 'b', 'c']) await send(mock, 'POST /kites', { body: { label } });
    const answer = await send(mock, 'GET /kites');
    expectKept(contract, answer);
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toHaveLength(2);
  });

  test('a list that must hold records is filled up with generated ones', async () => {
    const record = object({ id: whole, label: text }, { required: ['id', 'label'] });
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          {
            call: 'GET /kites',
            query: { label: text },
            answers: { 200: object({ data: { ...many, minItems: 2 } }, { required: ['data'] }) },
          },
          { call: 'POST /kites', body: object({ label: text }), answers: { 201: ref } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const answer = await send(mock, 'GET /kites?label=nothing-is-called-so');
    expectKept(contract, answer);
    expect(answer.status).toBe(200);
  });

  test('a part with readOnly and a part with an enumeration leave the list readable', async () => {
    const record: JsonObject = {
      allOf: [
        object({
          id: { type: 'integer', readOnly: true },
          state: { type: 'string', readOnly: true },
        }),
        object(
          { label: text, state: { type: 'string', enum: ['on', 'off'] } },
          { required: ['state'] },
        ),
      ],
    };
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /kites', answers: { 200: object({ data: many }) } },
          {
            call: 'POST /kites',
            body: object({ label: text, state: text }),
            answers: { 201: ref },
          },
          { call: 'GET /kites/{id}', path: { id: whole }, answers: { 200: ref, 404: null } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    for (const state of ['on', 'none of them']) {
      const made = await send(mock, 'POST /kites', { body: { label: 'x', state } });
      expectKept(contract, made);
      expect(made.status).toBe(201);
      const listed = await send(mock, 'GET /kites');
      expectKept(contract, listed);
      expect(listed.status, textOf(listed)).toBe(200);
    }
  });

  test('an error has its own status in its body', async () => {
    const failure = (status: number): JsonObject =>
      object(
        { status: { type: 'integer', enum: [status] }, reason: text },
        { required: ['status'] },
      );
    const contract = contractOf(
      {
        schemas: { Record: object({ id: whole, label: text }) },
        operations: [
          {
            call: 'POST /kites',
            body: object({ label: text }, { required: ['label'] }),
            answers: { 201: ref, 401: failure(401), 403: failure(403) },
          },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const answer = await send(mock, 'POST /kites', { body: {} });
    expect(answer.status).toBe(400);
    expect(textOf(answer)).not.toMatch(/40[13]/);
  });

  test('an error that only default documents is of its media type', async () => {
    const contract = contractOf(
      {
        schemas: { Record: object({ id: whole, label: text }), Failure: object({ oops: text }) },
        operations: [
          {
            call: 'POST /kites',
            body: object({ label: text }, { required: ['label'] }),
            answers: { 201: ref, default: { $ref: 'Failure' } },
          },
          {
            call: 'GET /kites/{id}',
            path: { id: whole },
            answers: { 200: ref, default: { $ref: 'Failure' } },
          },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    for (const answer of [
      await send(mock, 'POST /kites', { body: {} }),
      await send(mock, 'GET /kites/x'),
    ]) {
      expectKept(contract, answer);
      expect(headerValue(answer.headers, 'content-type')).toBe('application/json');
    }
  });

  test('a query in the path key selects the operation, and holds its parameters', async () => {
    const contract = contractOf(
      {
        schemas: { Record: object({ ip: text, town: text }) },
        operations: [
          { call: 'GET /current?ip={ip}', answers: { 200: ref } },
          { call: 'GET /current?town={town}', answers: { 200: ref } },
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    const answers = [
      await send(mock, 'GET /current?ip=1.2.3.4'),
      await send(mock, 'GET /current?town=Ulm'),
    ];
    expect(answers.map(({ status, operation }) => [status, operation])).toEqual([
      [200, 'GET /current?ip={ip}'],
      [200, 'GET /current?town={town}'],
    ]);
  });
});
