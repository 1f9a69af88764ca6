import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import {
  alarms,
  type Answered,
  findingsOf,
  jsonObject,
  type Service,
  targetOf,
} from './fixture/inline-service.ts';

const text = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,50}$' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const answer = (schema?: object): object => ({
  description: 'Done',
  ...(schema === undefined ? {} : json(schema)),
});
const inPath = (name: string, schema: object = text): object => ({
  name,
  in: 'path',
  required: true,
  schema,
});
const inQuery = (name: string, schema: object, description = ''): object => ({
  name,
  in: 'query',
  description,
  schema,
});
const refusals = { 400: answer(), 404: answer() };

function contractOf(paths: object): Contract {
  const document = { openapi: '3.1.0', info: { title: 'Sites', version: '1' }, paths };
  return parseContract(JSON.stringify(document), 'sites.json');
}

async function reachOf(contract: Contract, service: Service): Promise<number> {
  const { summary } = await checkTarget({
    ...targetOf(service),
    contract,
    seed: 'inline',
    mode: 'read-write',
    wait: async () => {},
  });
  return summary.reach?.reached ?? 0;
}

describe('sites and the pumps of each, both put under names, in lists of two forms', () => {
  const note = { type: 'string', maxLength: 40 };
  const number = { type: 'integer', minimum: 1 };
  const pages = [inQuery('page', number), inQuery('page_size', { ...number, maximum: 100 })];
  const listed = (record: object): object => ({
    oneOf: [
      { type: 'array', items: record },
      {
        type: 'object',
        required: ['items', 'page'],
        properties: { items: { type: 'array', items: record }, page: number },
      },
    ],
  });
  const site = { type: 'object', required: ['name'], properties: { name: text, note } };
  const pump = {
    type: 'object',
    required: ['name', 'site'],
    properties: { name: text, site: text, note },
  };
  const put = (parameters: readonly object[]): object => ({
    parameters,
    requestBody: { required: true, ...json({ type: 'object', properties: { note } }) },
    responses: { 201: answer(), 204: answer(), 409: answer(), ...refusals },
  });
  const gone = { responses: { 204: answer(), ...refusals } };
  const list = (record: object, parameters: readonly object[]): object => ({
    parameters: [...parameters, ...pages],
    responses: { 200: answer(listed(record)), ...refusals },
  });
  const ofPump = [inPath('site'), inPath('pump')];
  const contract = contractOf({
    '/sites': { get: list(site, []) },
    '/sites/{site}': {
      put: put([inPath('site')]),
      delete: { parameters: [inPath('site')], ...gone },
    },
    '/pumps/{site}': { get: list(pump, [inPath('site')]) },
    '/pumps/{site}/{pump}': {
      get: { parameters: ofPump, responses: { 200: answer(pump), ...refusals } },
      put: put(ofPump),
      delete: { parameters: ofPump, ...gone },
    },
  });

  type Bug = 'keeps note' | 'shows all' | 'refuses changes' | 'refuses changes, says 201';
  function service(bug?: Bug): Service {
    const sites = new Map<string, Record<string, unknown>>();
    const pumps = new Map<string, Record<string, unknown>>();
    const page = (all: readonly object[], query: URLSearchParams): Answered => {
      const [place, size] = [query.get('page'), query.get('page_size')].map((one) =>
        one === null ? undefined : Number(one),
      );
      if (place === undefined && size === undefined) return { status: 200, json: all };
      if ([place, size].some((one) => one !== undefined && !(Number.isInteger(one) && one >= 1)))
        return { status: 400 };
      if ((size ?? 1) > 100) return { status: 400 };
      const from = ((place ?? 1) - 1) * (size ?? 100);
      if (from > 0 && from >= all.length) return { status: 400 };
      const items = all.slice(from, from + (size ?? 100));
      return { status: 200, json: { items, page: place ?? 1 } };
    };
    return ({ method, path: [kind, name = '', part], query, body, header }) => {
      if (method === 'GET' && kind === 'sites')
        return name === '' ? page([...sites.values()], query) : { status: 405 };
      if (kind === 'pumps' && !sites.has(name)) return { status: 404 };
      if (method === 'GET' && part === undefined)
        return page(
          [...pumps.values()].filter((one) => bug === 'shows all' || one['site'] === name),
          query,
        );
      const kept = kind === 'sites' ? sites : pumps;
      const key = kind === 'sites' ? name : `${name}/${part ?? ''}`;
      const own = kept.get(key);
      if (method === 'PUT') {
        const isJson = header('content-type')?.startsWith('application/json') === true;
        const sent = isJson ? jsonObject(body) : undefined;
        const told = sent?.['note'] === undefined ? '' : sent['note'];
        const isNamed = /^[A-Za-z0-9_-]{1,50}$/.test(part ?? name);
        if (sent === undefined || typeof told !== 'string' || told.length > 40 || !isNamed)
          return { status: 400 };
        const whole = kind === 'sites' ? { name } : { name: part, site: name };
        const isFixed = bug?.startsWith('refuses changes') === true && own !== undefined;
        if (isFixed && own['note'] !== sent['note']) return { status: 409 };
        const isKept = bug === 'keeps note' && own !== undefined;
        kept.set(key, {
          ...whole,
          ...(isKept ? own : sent['note'] === undefined ? {} : { note: told }),
        });
        return { status: own === undefined || bug?.endsWith('201') === true ? 201 : 204 };
      }
      if (own === undefined) return { status: 404 };
      if (method === 'GET') return { status: 200, json: own };
      kept.delete(key);
      for (const [other, one] of pumps)
        if (kind === 'sites' && one['site'] === name) pumps.delete(other);
      return { status: 204 };
    };
  }

  test('are reached entirely, without a finding', async () => {
    expect(alarms(await findingsOf(contract, service()))).toEqual([]);
    expect(await reachOf(contract, service())).toBe(contract.operations.length);
  });

  test('what keeps its old note is seen, also where it is only listed', async () => {
    const lines = alarms(await findingsOf(contract, service('keeps note'))).join('\n');
    expect(lines).toMatch(/error replaced-is-persisted PUT \/pumps/);
    expect(lines).toMatch(/error replaced-is-persisted PUT \/sites/);
  });

  test('what is put again as it was is no new record: a 201 is an error', async () => {
    const alarmsWith = async (bug: Bug): Promise<string[]> =>
      alarms(await findingsOf(contract, service(bug)));
    expect(await alarmsWith('refuses changes')).toEqual([]);
    expect((await alarmsWith('refuses changes, says 201')).join('\n')).toMatch(
      /error http-semantics PUT \/pumps.* 201 to a PUT that replaced/,
    );
  });

  test('a list with the pumps of other sites is seen', async () => {
    expect(alarms(await findingsOf(contract, service('shows all'))).join('\n')).toMatch(
      /error parent-holds GET \/pumps/,
    );
  });
});

describe('entries that balance, numbered anew in each book', () => {
  const amount = { type: 'number', minimum: 0, maximum: 9_999.99, default: 0 };
  const line = { type: 'object', properties: { debit: amount, credit: amount } };
  const lines = { type: 'array', minItems: 2, maxItems: 9, items: line };
  const sent = {
    type: 'object',
    required: ['book', 'lines'],
    properties: { book: { type: 'string', enum: ['A', 'B'] }, about: text, lines },
    example: { book: 'A', lines: [{ debit: 12.5 }, { credit: 12.5 }] },
  };
  const entry = {
    type: 'object',
    required: ['entryNumber', 'book', 'lines', 'changed'],
    properties: {
      entryNumber: { type: 'integer' },
      ...sent.properties,
      changed: { type: 'string', format: 'date-time' },
    },
  };
  const since = inQuery(
    'changed',
    { type: 'string', format: 'date-time' },
    'Changed then or later.',
  );
  const named = [inPath('book', { type: 'string' }), inPath('entryNumber', { type: 'integer' })];
  const contract = contractOf({
    '/entries': {
      get: {
        parameters: [since],
        responses: { 200: answer({ type: 'array', items: entry }), 400: answer() },
      },
      post: {
        requestBody: { required: true, ...json(sent) },
        responses: { 201: answer(entry), 400: answer() },
      },
    },
    '/entries/{book}/{entryNumber}': {
      get: { parameters: named, responses: { 200: answer(entry), ...refusals } },
    },
  });

  const isMoment = (written: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(written) &&
    new Date(`${written.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(written.slice(0, 10));
  const momentOf = (written: unknown): number => Date.parse(String(written ?? '1970-01-01'));
  type Line = Record<string, unknown>;
  function service(isFirst = false): Service {
    const kept: Record<string, unknown>[] = [];
    const valueOf = (one: Line, name: string): number => Number(one[name] ?? 0);
    const sumOf = (rows: readonly Line[], name: string): number =>
      rows.reduce((sum, one) => sum + Math.round(valueOf(one, name) * 100), 0);
    return ({ method, path: [, book, number], query, body, header }) => {
      const from = query.get('changed');
      if (method === 'GET' && book === undefined)
        return from !== null && !isMoment(from)
          ? { status: 400 }
          : { status: 200, json: kept.filter((one) => momentOf(one['changed']) >= momentOf(from)) };
      if (method === 'GET') {
        const found = kept.find(
          (one) => one['book'] === book && (isFirst || String(one['entryNumber']) === number),
        );
        return found === undefined ? { status: 404 } : { status: 200, json: found };
      }
      const isJson = header('content-type')?.startsWith('application/json') === true;
      const made = isJson ? jsonObject(body) : undefined;
      const rows = Array.isArray(made?.['lines']) ? (made['lines'] as Line[]) : [];
      const isAmount = (value: unknown): boolean =>
        value === undefined || (typeof value === 'number' && value >= 0 && value <= 9_999.99);
      const about = made?.['about'];
      const isSound =
        rows.length >= 2 &&
        rows.length <= 9 &&
        rows.every((one) => one !== null && typeof one === 'object' && !Array.isArray(one)) &&
        rows.every((one) => isAmount(one['debit']) && isAmount(one['credit'])) &&
        rows.every((one) => valueOf(one, 'debit') > 0 !== valueOf(one, 'credit') > 0) &&
        sumOf(rows, 'debit') === sumOf(rows, 'credit') &&
        (about === undefined || (typeof about === 'string' && /^[\w-]{1,50}$/.test(about))) &&
        ['A', 'B'].includes(String(made?.['book'])) &&
        typeof made?.['book'] === 'string';
      if (!isSound) return { status: 400, json: { reason: 'It does not balance.' } };
      const inBook = kept.filter((one) => one['book'] === made['book']).length;
      const whole = { ...made, entryNumber: inBook + 1, changed: new Date().toISOString() };
      kept.push(whole);
      return { status: 201, json: whole };
    };
  }

  test('are reached entirely, without a finding', async () => {
    expect(alarms(await findingsOf(contract, service()))).toEqual([]);
    expect(await reachOf(contract, service())).toBe(3);
  });

  test('a path that shows the first entry of its book for every number is seen', async () => {
    expect(alarms(await findingsOf(contract, service(true))).join('\n')).toMatch(
      /error [\w-]+ GET \/entries\/\{book\}\/\{entryNumber\}/,
    );
  });
});
