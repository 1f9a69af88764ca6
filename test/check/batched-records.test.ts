import { describe, expect, test } from 'vitest';
import { openEnvelopes } from '../../src/contract/infer/open-envelopes.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { checkTarget, type CheckOptions } from '../../src/check/engine/check-target.ts';
import {
  alarms,
  type Call,
  findingsOf,
  jsonObject,
  type Service,
  targetOf,
} from './fixture/inline-service.ts';

const text = { type: 'string' };
const label = { type: 'string', minLength: 1, maxLength: 80 };
const fields: JsonObject = {
  type: 'object',
  required: ['Label'],
  additionalProperties: false,
  properties: { Label: label, 'Net Weight': { type: 'integer', minimum: 0, maximum: 900 } },
};
const changed: JsonObject = { ...fields, required: [] };
const crate: JsonObject = {
  type: 'object',
  required: ['id', 'madeAt', 'fields'],
  properties: { id: text, madeAt: { type: 'string', format: 'date-time' }, fields: changed },
};
const listed = (items: JsonObject): JsonObject => ({
  type: 'object',
  required: ['records'],
  properties: { records: { type: 'array', minItems: 1, maxItems: 10, items } },
});
const entry = (required: readonly string[], properties: JsonObject): JsonObject =>
  listed({ type: 'object', required, properties });
const takes = (schema: JsonObject): JsonObject => ({ required: true, ...jsonContent(schema) });
const shows = (schema: JsonObject): JsonObject => ({
  200: { description: 'done', ...jsonContent(schema) },
  404: { description: 'none' },
  422: { description: 'refused' },
});
const all = { $ref: '#/components/schemas/Crates' };

/** Crates that are made, changed and deleted several at once, and read alone. */
const contract = makeContract({
  paths: {
    '/crates': {
      get: { operationId: 'listCrates', responses: shows(all) },
      post: {
        operationId: 'createCrates',
        description: 'All of them are made, or none.',
        requestBody: takes(entry(['fields'], { fields })),
        responses: shows(all),
      },
      patch: {
        operationId: 'updateCrates',
        requestBody: takes(entry(['id', 'fields'], { id: text, fields: changed })),
        responses: shows(all),
      },
      put: {
        operationId: 'replaceCrates',
        requestBody: takes(entry(['id', 'fields'], { id: text, fields })),
        responses: shows(all),
      },
      delete: {
        operationId: 'deleteCrates',
        parameters: [
          {
            name: 'records[]',
            in: 'query',
            required: true,
            schema: { type: 'array', items: text },
          },
        ],
        responses: shows(entry(['id'], { id: text })),
      },
    },
    '/crates/{crateId}': {
      parameters: [{ name: 'crateId', in: 'path', required: true, schema: text }],
      get: { operationId: 'getCrate', responses: shows({ $ref: '#/components/schemas/Crate' }) },
    },
  },
  components: {
    schemas: {
      Crate: crate,
      Crates: {
        type: 'object',
        required: ['records'],
        properties: {
          records: { type: 'array', items: { $ref: '#/components/schemas/Crate' } },
        },
      },
    },
  },
});

type Fault = 'merges' | 'keeps a deleted one' | 'loses a change' | 'makes half' | 'takes eleven';
type Fields = Record<string, unknown>;

interface Crate {
  readonly id: string;
  readonly madeAt: string;
  fields: Fields;
}

function crates(fault?: Fault): Service {
  const kept = new Map<string, Crate>();
  let last = 0;
  const add = (own: Fields): Crate => {
    const made = {
      id: `cr${String((last += 1)).padStart(6, '0')}`,
      madeAt: '2029-05-05T05:05:05Z',
    };
    const record = { ...made, fields: own };
    kept.set(record.id, record);
    return record;
  };
  add({ Label: 'Pears', 'Net Weight': 12 });
  add({ Label: 'Plums' });
  const allows = (own: unknown, needs: boolean): own is Fields => {
    if (typeof own !== 'object' || own === null || Array.isArray(own)) return false;
    const { Label, 'Net Weight': weight, ...rest } = own as Fields;
    const isLabel = typeof Label === 'string' && Label.length > 0 && [...Label].length <= 80;
    const isWeight = Number.isInteger(weight) && Number(weight) >= 0 && Number(weight) <= 900;
    return (
      Object.keys(rest).length === 0 &&
      (isLabel || (Label === undefined && !needs)) &&
      (weight === undefined || isWeight)
    );
  };
  return ({ method, path: [, id], query, body, header }) => {
    if (id !== undefined) {
      const found = kept.get(id);
      if (method !== 'GET') return { status: 405, headers: { Allow: 'GET' } };
      return found === undefined ? { status: 404 } : { status: 200, json: found };
    }
    if (method === 'GET') return { status: 200, json: { records: [...kept.values()] } };
    if (method === 'DELETE') {
      const ids = query.getAll('records[]');
      if (ids.length === 0) return { status: 422 };
      if (ids.some((one) => !kept.has(one))) return { status: 404 };
      if (fault !== 'keeps a deleted one') for (const one of ids) kept.delete(one);
      return { status: 200, json: { records: ids.map((one) => ({ id: one })) } };
    }
    if (!['POST', 'PUT', 'PATCH'].includes(method))
      return { status: 405, headers: { Allow: 'GET, POST, PUT, PATCH, DELETE' } };
    if (header('content-type') !== 'application/json') return { status: 422 };
    const entries = jsonObject(body)?.['records'];
    if (
      !Array.isArray(entries) ||
      entries.length === 0 ||
      entries.length > (fault === 'takes eleven' ? 11 : 10)
    )
      return { status: 422 };
    const isEntry = (one: unknown): boolean => typeof one === 'object' && one !== null;
    if (!entries.every(isEntry)) return { status: 422 };
    const given = entries as readonly { readonly id?: unknown; readonly fields?: unknown }[];
    const good = given.filter((one) => allows(one.fields, method !== 'PATCH'));
    if (good.length < given.length) {
      if (fault === 'makes half' && method === 'POST')
        for (const one of good) add(one.fields as Fields);
      return { status: 422 };
    }
    if (method === 'POST')
      return { status: 200, json: { records: given.map((one) => add(one.fields as Fields)) } };
    if (!given.every((one) => typeof one.id === 'string')) return { status: 422 };
    const found = given.map((one) => kept.get(String(one.id)));
    if (found.includes(undefined)) return { status: 404 };
    const records = given.map(({ id: own, fields: sent }) => {
      const record = kept.get(String(own)) as Crate;
      const isMerged = method === 'PATCH' || fault === 'merges';
      const next = {
        ...record,
        fields: { ...(isMerged ? record.fields : {}), ...(sent as Fields) },
      };
      if (fault !== 'loses a change') kept.set(record.id, next);
      return next;
    });
    return { status: 200, json: { records } };
  };
}

const allow = ['deleteCrates'];

const found = async (fault?: Fault): Promise<readonly string[]> =>
  alarms(await findingsOf(contract, crates(fault), { allow }));

describe('records that are sent several at once', () => {
  test('are sent one at a time, each under its own identifier', () => {
    const [resource] = openEnvelopes(contract).resources;
    const { operations = {} } = resource ?? {};
    expect(Object.entries(operations).map(([action, { id }]) => `${action} ${id}`)).toEqual([
      'list listCrates',
      'create createCrates',
      'read getCrate',
      'replace replaceCrates',
      'update updateCrates',
      'delete deleteCrates',
    ]);
  });

  test('are no finding where they are kept', async () => {
    expect(await found()).toEqual([]);
  });

  test.each<[Fault, RegExp]>([
    ['merges', /error replaced-is-persisted replaceCrates/],
    ['keeps a deleted one', /error deleted-is-gone/],
    ['loses a change', /error replaced-is-persisted updateCrates/],
    ['makes half', /error bulk-holds createCrates: .*made a record/],
    ['takes eleven', /error bulk-holds createCrates: .*11 entries/],
  ])('are found out in a service that %s', async (fault, expected) => {
    expect((await found(fault)).join('\n')).toMatch(expected);
  });

  test('are deleted on the path of their list only if that is allowed', async () => {
    const deletionsOf = async (options: Partial<CheckOptions>): Promise<readonly Call[]> => {
      const calls: Call[] = [];
      const service = crates();
      await findingsOf(contract, (call) => (calls.push(call), service(call)), options);
      return calls.filter(({ method, path }) => method === 'DELETE' && path.length === 1);
    };
    expect(await deletionsOf({})).toEqual([]);
    const allowed = await deletionsOf({ allow });
    expect(allowed.length).toBeGreaterThan(0);
    expect(allowed.filter(({ query }) => query.getAll('records[]').length !== 1)).toEqual([]);
  });

  test('are all named where they stay', async () => {
    const service = crates();
    const options = { contract, seed: 'inline', mode: 'read-write' as const, wait: async () => {} };
    const { events } = await checkTarget({ ...targetOf(service), ...options });
    const left = events.flatMap((event) =>
      event.type === 'record-left' ? [event.count ?? 1] : [],
    );
    const { json } = await service({
      method: 'GET',
      target: '/crates',
      path: ['crates'],
      query: new URLSearchParams(),
      body: '',
      bytes: new Uint8Array(),
      header: () => undefined,
    });
    const kept = (json as { readonly records: readonly unknown[] }).records.length;
    expect(left.reduce((sum, count) => sum + count, 0)).toBe(kept - 2);
  });
});
