import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { mockOf, send, textOf } from '../workshop.ts';
import { type Api, contractOf, dialects, playFlow } from './play-flow.ts';

const text: JsonObject = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const mix = object({ id: text, label: text, mood: text });
const ref = { $ref: 'Mix' };
const input = object({ label: text, mood: text });
const items = [
  { call: 'GET /mixes/{mix_id}', answers: { 200: ref, 404: null } },
  { call: 'PUT /mixes/{mix_id}', body: input, answers: { 200: ref } },
  { call: 'DELETE /mixes/{mix_id}', answers: { 204: null } },
];
const flow = {
  create: ['POST /people/ada/mixes', { label: 'first', mood: 'calm' }],
  id: '/id',
  sees: { label: 'first', mood: 'calm' },
  read: ['GET /mixes/{id}'],
  update: ['PUT /mixes/{id}', { label: 'second' }],
  updateSees: { label: 'second' },
  remove: ['DELETE /mixes/{id}'],
} as const;

const apis: readonly (readonly [name: string, api: Api, list: string | undefined])[] = [
  [
    'created and listed below a parent',
    {
      schemas: { Mix: mix },
      operations: [
        { call: 'GET /people/{person}/mixes', answers: { 200: { type: 'array', items: ref } } },
        { call: 'POST /people/{person}/mixes', body: input, answers: { 201: ref } },
        ...items,
      ],
    },
    'GET /people/ada/mixes',
  ],
  [
    'created below a parent, and listed in short',
    {
      schemas: { Mix: mix, Short: object({ id: text, label: text, mood: text }) },
      operations: [
        {
          call: 'GET /people/{person}/mixes',
          answers: { 200: object({ items: { type: 'array', items: { $ref: 'Short' } } }) },
        },
        { call: 'POST /people/{person}/mixes', body: input, answers: { 201: ref } },
        ...items,
      ],
    },
    'GET /people/ada/mixes',
  ],
  [
    'created below a parent, and listed nowhere',
    {
      schemas: { Mix: mix },
      operations: [
        { call: 'POST /people/{person}/mixes', body: input, answers: { 201: ref } },
        ...items,
      ],
    },
    undefined,
  ],
];

describe.each(dialects)('created here, read there, in OpenAPI %s', (dialect) => {
  test.each(apis)('%s', async (_name, api, list) => {
    await playFlow(contractOf(api, dialect), {
      ...flow,
      ...(list === undefined ? {} : { list: [list] as const }),
    });
  });

  test('a parent shows its own nested records only', async () => {
    const contract = contractOf(apis[0]?.[1] ?? { schemas: {}, operations: [] }, dialect);
    const mock = await mockOf({ contract, authentication: 'off' });
    await send(mock, 'POST /people/ada/mixes', { body: { label: 'of-ada' } });
    const made = await send(mock, 'POST /people/ben/mixes', { body: { label: 'of-ben' } });
    const { id } = JSON.parse(textOf(made)) as { readonly id: string };
    await send(mock, `PUT /mixes/${id}`, { body: { label: 'of-ben-again' } });
    const listed = async (who: string): Promise<string> =>
      textOf(await send(mock, `GET /people/${who}/mixes`));
    expect(await listed('ada')).toContain('"of-ada"');
    expect(await listed('ada')).not.toContain('of-ben');
    expect(await listed('ben')).toContain('"of-ben-again"');
    expect(await listed('ben')).not.toContain('of-ada');
  });

  test('a parent that the contract shows must exist', async () => {
    const person = object({ id: text, name: text });
    const contract = contractOf(
      {
        schemas: { Mix: mix, Person: person },
        operations: [
          { call: 'GET /people', answers: { 200: { type: 'array', items: { $ref: 'Person' } } } },
          {
            call: 'POST /people',
            body: object({ name: text }),
            answers: { 201: { $ref: 'Person' } },
          },
          { call: 'GET /people/{person}', answers: { 200: { $ref: 'Person' }, 404: null } },
          ...(apis[0]?.[1].operations ?? []).map((operation) =>
            operation.call.includes('/people/')
              ? { ...operation, answers: { ...operation.answers, 404: null } }
              : operation,
          ),
        ],
      },
      dialect,
    );
    const mock = await mockOf({ contract, authentication: 'off' });
    expect((await send(mock, 'GET /people/nobody/mixes')).status).toBe(404);
    expect((await send(mock, 'POST /people/nobody/mixes', { body: { label: 'x' } })).status).toBe(
      404,
    );
    await playFlow(contract, {
      ...flow,
      before: { person: { step: ['POST /people', { name: 'Ada' }], id: '/id' } },
      create: ['POST /people/{person}/mixes', { label: 'first', mood: 'calm' }],
      list: ['GET /people/{person}/mixes'],
    });
  });

  test('similar resources with separate items are separate', () => {
    const contract = contractOf(
      {
        schemas: { Mix: mix },
        operations: [
          { call: 'GET /people/{person}/mixes', answers: { 200: { type: 'array', items: ref } } },
          { call: 'GET /people/{person}/mixes/{mix_id}', answers: { 200: ref } },
          { call: 'GET /mixes', answers: { 200: { type: 'array', items: ref } } },
          ...items,
        ],
      },
      dialect,
    );
    expect(contract.resources.map(({ name, collection }) => `${name} in ${collection}`)).toEqual([
      'people.mixes in people.mixes',
      'mixes in mixes',
    ]);
  });
});
