import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { alarms, findingsOf, type Service } from '../fixture/inline-service.ts';

const text = { type: 'string' };
const key: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    id: { type: 'string', readOnly: true },
    // What the service makes is not declared readOnly.
    secret: { ...text, description: 'MAY be empty to have the server generate the key material' },
    kind: { ...text, description: 'Set to "Key"' },
    address: { ...text, description: 'Where the key is' },
    serial: { type: 'integer' },
    digests: { type: 'array', items: text },
    tags: { type: 'array', items: text },
    note: text,
    level: { type: 'string', enum: ['low', 'high'] },
    limits: { type: 'object', properties: { most: { type: 'integer' }, words: { type: 'array' } } },
  },
};
const ref: JsonObject = { $ref: '#/components/schemas/Key' };
const identifier = { name: 'id', in: 'path', required: true, schema: text };

const contract = makeContract({
  components: { schemas: { Key: key } },
  paths: {
    '/keys': {
      get: {
        operationId: 'listKeys',
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: ref }) } },
      },
      post: {
        operationId: 'addKey',
        requestBody: { required: true, ...jsonContent(ref) },
        responses: {
          201: { description: 'made', ...jsonContent(ref) },
          422: { description: 'refused' },
        },
      },
    },
    '/keys/{id}': {
      parameters: [identifier],
      get: {
        operationId: 'getKey',
        responses: {
          200: { description: 'ok', ...jsonContent(ref) },
          404: { description: 'none' },
        },
      },
    },
  },
});

type Body = Readonly<Record<string, unknown>>;

/** A service of keys; `store` makes the record of what was sent and of the number of the key. */
function keys(store: (sent: Body, number: number) => Body): Service {
  const held = new Map<string, unknown>();
  const media = contract.operations.find(({ id }) => id === 'addKey')?.requestBody?.content[0];
  return ({ method, path: [first = '', id], body, header }) => {
    if (first !== 'keys') return { status: 404 };
    if (id !== undefined) {
      if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET' } };
      return held.has(id) ? { status: 200, json: held.get(id) } : { status: 404 };
    }
    if (method === 'GET' || method === 'HEAD') return { status: 200, json: [...held.values()] };
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
    if (!/^application\/json\b/i.test(header('content-type') ?? '')) return { status: 422 };
    let sent: JsonObject;
    try {
      sent = JSON.parse(body) as JsonObject;
    } catch {
      return { status: 422 };
    }
    if (media?.schema?.accepts(sent, 'request') !== true) return { status: 422 };
    const made = `k-${String(1000 + held.size)}`;
    const record = { ...sent, ...store(sent, held.size), id: made };
    held.set(made, record);
    return { status: 201, json: record };
  };
}

async function accusations(store: (sent: Body, number: number) => Body): Promise<string[]> {
  const lines = alarms(await findingsOf(contract, keys(store)));
  return lines.filter((line) => line.includes('created-is-returned'));
}

describe('a member that the service sets without readOnly in the contract', () => {
  test.each<[string, (sent: Body, number: number) => Body]>([
    [
      'a secret that is made where none is sent',
      ({ secret }, at) => ({ secret: secret === undefined || secret === '' ? `s${at}x9` : secret }),
    ],
    ['a constant that its description names', () => ({ kind: 'Key' })],
    [
      'an address with the name of the record',
      (_sent, at) => ({ address: `/keys/k-${1000 + at}` }),
    ],
    ['digests that differ from record to record', (_sent, at) => ({ digests: [`d${at}`] })],
    [
      'a list that is kept as a set',
      ({ tags }) => (Array.isArray(tags) ? { tags: [...new Set(tags as string[])] } : {}),
    ],
    [
      'an object without its empty members',
      ({ limits }) => {
        const { words, ...others } = (limits ?? {}) as { words?: unknown[] };
        const isKept = words !== undefined && words.length > 0;
        return typeof limits === 'object' ? { limits: isKept ? limits : others } : {};
      },
    ],
  ])('is no accusation: %s', async (_name, store) => {
    expect(await accusations(store)).toEqual([]);
  });

  test.each<[string, (sent: Body, number: number) => Body, RegExp]>([
    [
      'a zero that becomes one, while other numbers are kept',
      ({ serial }) => (serial === 0 ? { serial: 1 } : {}),
      /another serial than was sent: 1 instead of 0/,
    ],
    ['a required member', (_sent, at) => ({ name: `other ${at}` }), /another name than was sent/],
    [
      'a value that the contract lists',
      ({ level }) => (level === undefined ? {} : { level: 'low' }),
      /another level than was sent: "low" instead of "high"/,
    ],
    [
      'letters beyond ASCII, while other texts are kept',
      ({ note }) =>
        typeof note === 'string' ? { note: note.replaceAll(/[^\u0020-\u007e]/g, '?') } : {},
      /another note than was sent/,
    ],
    [
      'a text that is cut',
      ({ note }) => (typeof note === 'string' ? { note: note.slice(0, 4) } : {}),
      /another note than was sent/,
    ],
    [
      'a number in an object',
      ({ limits }) => (typeof limits === 'object' ? { limits: { ...limits, most: 3 } } : {}),
      /another limits than was sent/,
    ],
  ])('is found where it is lost: %s', async (_name, store, wanted) => {
    expect((await accusations(store)).join('\n')).toMatch(wanted);
  });
});
