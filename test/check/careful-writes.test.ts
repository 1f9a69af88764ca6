import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const text = { type: 'string', minLength: 1, maxLength: 80 };
const kinds = ['open', 'closed', 'moored'];
const boat = {
  type: 'object',
  required: ['id', 'name', 'kind', 'note', 'tags'],
  properties: {
    id: text,
    name: text,
    kind: { type: 'string', enum: kinds },
    note: { type: ['string', 'null'] },
    tags: { type: 'array', items: text },
  },
};
const answer = (schema: object): object => ({
  description: 'Done',
  headers: { ETag: { schema: { type: 'string' } } },
  content: { 'application/json': { schema } },
});
const none = { description: 'Refused' };
const form = (kind: string): object => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['name', 'kind'],
        properties: {
          name: text,
          kind: { type: 'string', enum: kinds, examples: [kind] },
          note: { type: ['string', 'null'], maxLength: 80 },
          tags: { type: 'array', items: text, maxItems: 4, default: [] },
        },
      },
    },
  },
});
const id = { name: 'id', in: 'path', required: true, schema: text };
const query = (name: string, schema: object): object => ({ name, in: 'query', schema });
const contractOf = (taken: number): Contract =>
  parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Boats', version: '1' },
      paths: {
        '/boats': {
          get: {
            parameters: [
              query('kind', { type: 'string', enum: kinds }),
              query('limit', { type: 'integer', minimum: 1, maximum: 50, default: 20 }),
              query('cursor', { type: 'string' }),
            ],
            responses: {
              200: answer({
                type: 'object',
                required: ['items', 'link'],
                properties: {
                  items: { type: 'array', items: boat },
                  link: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { relation: { type: 'string' }, url: { type: 'string' } },
                    },
                  },
                },
              }),
              400: none,
            },
          },
          post: {
            description: `${String(taken)} if another boat has this name.`,
            requestBody: form('open'),
            responses: { 201: answer(boat), 400: none, [taken]: none },
          },
        },
        '/boats/{id}': {
          get: { parameters: [id], responses: { 200: answer(boat), 404: none } },
          put: {
            description: 'The kind stays (422).',
            parameters: [id, { name: 'If-Match', in: 'header', schema: { type: 'string' } }],
            requestBody: form('closed'),
            responses: {
              200: answer(boat),
              400: none,
              404: none,
              [taken]: none,
              412: none,
              422: none,
              428: none,
            },
          },
          delete: { parameters: [id], responses: { 204: { description: 'Gone' }, 404: none } },
        },
      },
    }),
    'boats.json',
  );

type Boat = Record<string, unknown>;
type Quirk = 'loses names' | 'keeps tags' | 'takes a name twice' | 'forgets the filter';

function isForm({ name, kind, note, tags = [] }: Boat): boolean {
  const isText = (one: unknown): boolean =>
    typeof one === 'string' && one !== '' && [...one].length <= 80;
  return (
    isText(name) &&
    kinds.includes(String(kind)) &&
    typeof kind === 'string' &&
    (note === undefined || note === null || note === '' || isText(note)) &&
    Array.isArray(tags) &&
    tags.length <= 4 &&
    tags.every(isText)
  );
}

/** Boats in linked pages, of a kind that stays: their changes need the tag of the record. */
function boats(quirk?: Quirk, taken = 409): Service {
  const kept = new Map<string, { boat: Boat; version: number }>();
  for (let at = 1; at <= 9; at += 1) {
    const kind = kinds[at % 3];
    kept.set(`b${String(at)}`, {
      boat: { id: `b${String(at)}`, name: `Boat ${String(at)}`, kind, note: null, tags: [] },
      version: 1,
    });
  }
  let next = 9;
  const isTaken = (name: unknown, own?: string): boolean =>
    [...kept].some(([key, { boat: one }]) => key !== own && one['name'] === name);
  const list = (asked: URLSearchParams): ReturnType<Service> => {
    const [kind, size] = [asked.get('kind'), asked.get('limit') ?? '20'];
    const from = /^p(\d+)$/.exec(asked.get('cursor') ?? 'p0')?.[1];
    const isLimit = /^\d+$/.test(size) && Number(size) >= 1 && Number(size) <= 50;
    if (!isLimit || from === undefined || (kind !== null && !kinds.includes(kind)))
      return { status: 400 };
    const found = [...kept.values()]
      .map(({ boat: one }) => one)
      .filter((one) => kind === null || one['kind'] === kind);
    const end = Number(from) + Number(size);
    const filter = kind === null || quirk === 'forgets the filter' ? '' : `&kind=${kind}`;
    const url = `/boats?limit=${size}&cursor=p${String(end)}${filter}`;
    const link = end < found.length ? [{ relation: 'next', url }] : [];
    return { status: 200, json: { items: found.slice(Number(from), end), link } };
  };
  return ({ method, path: [, key], query: asked, body: sent, header }) => {
    const found = kept.get(key ?? '');
    if (key !== undefined && found === undefined) return { status: 404 };
    if (method === 'DELETE') return { status: kept.delete(key ?? '') ? 204 : 404 };
    const shown = (one: NonNullable<typeof found>, status: number): ReturnType<Service> => ({
      status,
      json: one.boat,
      headers: { ETag: `"${String(one.version)}"` },
    });
    if (method === 'GET' || method === 'HEAD')
      return found === undefined ? list(asked) : shown(found, 200);
    const given = header('content-type') === 'application/json' ? jsonObject(sent) : undefined;
    if (given === undefined || !isForm(given)) return { status: 400 };
    const { name, kind, note = null, tags = [] } = given;
    if (found === undefined) {
      if (isTaken(name)) return { status: taken };
      next += 1;
      const own = `b${String(next)}`;
      const made = { boat: { id: own, name, kind, note, tags }, version: 1 };
      kept.set(own, made);
      return shown(made, 201);
    }
    const tag = header('if-match');
    if (tag === undefined) return { status: 428 };
    if (tag !== '*' && tag !== `"${String(found.version)}"`) return { status: 412 };
    if (kind !== found.boat['kind']) return { status: 422 };
    if (quirk !== 'takes a name twice' && isTaken(name, key)) return { status: taken };
    const changed = { ...found.boat, name, note, tags };
    if (quirk === 'loses names') changed['name'] = found.boat['name'];
    if (quirk === 'keeps tags' && given['tags'] === undefined) changed['tags'] = found.boat['tags'];
    const whole = { boat: changed, version: found.version + 1 };
    kept.set(key ?? '', whole);
    return shown(whole, 200);
  };
}

describe('a service whose changes need the tag of the record, and what the record shows', () => {
  const run = async (quirk?: Quirk, taken = 409): Promise<string[]> =>
    alarms(await findingsOf(contractOf(taken), boats(quirk, taken)));

  test.each([409, 400])('is not accused, whose status for a taken name is %i', async (taken) => {
    expect((await run(undefined, taken)).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('that takes a name twice is found where its words say 400', async () => {
    const line = /^error unique-is-kept PUT /;
    expect(await run('takes a name twice', 400)).toContainEqual(expect.stringMatching(line));
  });

  test.each([
    ['loses names', /^error replaced-is-persisted /],
    ['keeps tags', /^error replaced-is-persisted .*without .*tags/],
    ['takes a name twice', /^error unique-is-kept PUT /],
    ['forgets the filter', /^error filter-holds .*kind/],
  ] as const)('that %s is found', async (quirk, line) => {
    expect(await run(quirk)).toContainEqual(expect.stringMatching(line));
  });
});
