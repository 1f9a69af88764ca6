import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  findingsOf,
  jsonObject,
  type Service,
} from './fixture/inline-service.ts';

// What a person writes in an afternoon: numbered tools and their rentals, and one bug or two.
const text = { type: 'string', minLength: 1, maxLength: 40 };
const number = { type: 'integer', minimum: 1 };
const kinds = {
  tools: { fields: { label: text, watts: number, shelf: text }, required: ['label', 'watts'] },
  rentals: { fields: { toolId: number, renter: text }, required: ['toolId', 'renter'] },
} as const;
type List = keyof typeof kinds;

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const problem = json({ type: 'object', required: ['reason'], properties: { reason: text } });
const answers = (status: string, schema: object): object => ({
  [status]: { description: 'Done', ...schema },
  ...Object.fromEntries(['400', '404'].map((one) => [one, { description: 'Not', ...problem }])),
});

function pathsOf(list: List): [string, object][] {
  const { fields, required } = kinds[list];
  const one = list.slice(0, -1);
  const record = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: number, ...fields },
  };
  const body = (needed: readonly string[]): object => ({
    requestBody: {
      required: true,
      ...json({ type: 'object', required: needed, properties: fields }),
    },
  });
  const id = { name: 'id', in: 'path', required: true, schema: number };
  return [
    [
      `/${list}`,
      {
        get: {
          operationId: `list-${one}`,
          responses: answers('200', json({ type: 'array', items: record })),
        },
        post: {
          operationId: `add-${one}`,
          ...body(required),
          responses: answers('201', json(record)),
        },
      },
    ],
    [
      `/${list}/{id}`,
      {
        parameters: [id],
        get: { operationId: `get-${one}`, responses: answers('200', json(record)) },
        patch: { operationId: `set-${one}`, ...body([]), responses: answers('200', json(record)) },
        delete: { operationId: `drop-${one}`, responses: answers('204', {}) },
      },
    ],
  ];
}

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tools', version: '1' },
    paths: Object.fromEntries([...pathsOf('tools'), ...pathsOf('rentals')]),
  }),
  'tools.json',
);

type Bug = 'takes all' | 'loses shelf' | 'rents nothing' | 'moves to nothing' | 'answers null';
type Row = Record<string, unknown> & { readonly id: number };

function service(...bugs: readonly Bug[]): Service {
  const rows: Record<List, Row[]> = { tools: [], rentals: [] };
  let last = 20;
  const refused = (status: number, reason: string): Answered => ({ status, json: { reason } });
  const fault = (
    list: List,
    sent: Record<string, unknown>,
    isPart: boolean,
  ): string | undefined => {
    const { fields, required } = kinds[list];
    if (list === 'tools' && !isPart && bugs.includes('takes all'))
      return typeof sent['label'] === 'string' ? undefined : 'label';
    const isBad = ([name, { type, ...rule }]: [string, typeof text | typeof number]): boolean => {
      const value = sent[name];
      if (value === undefined) return !isPart && required.includes(name as never);
      return type === 'integer'
        ? !Number.isInteger(value) || (value as number) < 1
        : typeof value !== 'string' ||
            value === '' ||
            [...value].length > (rule as typeof text).maxLength;
    };
    const [bad] = Object.entries(fields).find(isBad) ?? [];
    const isFree = bugs.includes(isPart ? 'moves to nothing' : 'rents nothing');
    const isKnown = rows.tools.some(({ id }) => id === sent['toolId']);
    return bad ?? (sent['toolId'] === undefined || isKnown || isFree ? undefined : 'no such tool');
  };
  return ({ method, path: [list = '', id], body, header }) => {
    if (list !== 'tools' && list !== 'rentals') return refused(404, 'no such path');
    const own = rows[list];
    if (id === undefined && method === 'GET') return { status: 200, json: own };
    const row = own.find((one) => String(one.id) === id);
    const isNone = row === undefined && id !== undefined;
    const isNull = list === 'tools' && method === 'GET' && bugs.includes('answers null');
    if (isNone && isNull) return { status: 200, json: null };
    if (isNone) return refused(404, 'no such record');
    if (method === 'GET') return { status: 200, json: row };
    if (method === 'DELETE') {
      rows[list] = own.filter((one) => one !== row);
      return { status: 204 };
    }
    const isJson = header('content-type')?.startsWith('application/json') === true;
    const sent = isJson ? jsonObject(body) : undefined;
    const wrong = sent === undefined ? 'no object' : fault(list, sent, row !== undefined);
    if (sent === undefined || wrong !== undefined) return refused(400, String(wrong));
    const known = Object.keys(kinds[list].fields).filter((name) => sent[name] !== undefined);
    const given = Object.fromEntries(known.map((name) => [name, sent[name]]));
    if (row === undefined) {
      const made: Row = { ...given, id: (last += 1) };
      own.push(made);
      return { status: 201, json: made };
    }
    Object.assign(row, given);
    if (bugs.includes('loses shelf')) delete row['shelf'];
    return { status: 200, json: row };
  };
}

async function linesOf(...bugs: readonly Bug[]): Promise<string[]> {
  return alarms(await findingsOf(contract, service(...bugs)));
}

const unvalidated = expect.stringMatching(
  /^error invalid-refused add-tool: .* watts is missing\.$/,
);
const lost = expect.stringMatching(
  /^error replaced-is-persisted set-tool: .*without shelf removed it/,
);

test('a sound service has no finding', async () => {
  expect(await linesOf()).toEqual([]);
});

test('a create that validates next to nothing is one finding', async () => {
  expect(await linesOf('takes all')).toEqual([unvalidated]);
});

test('what a change loses is no symptom of a create that validates nothing', async () => {
  const lines = await linesOf('takes all', 'loses shelf');
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(expect.arrayContaining([unvalidated, lost]));
});

test('a finding names the change that lost a field, not the read that shows it', async () => {
  expect(await linesOf('loses shelf')).toEqual([lost]);
});

test('a reference to no record is seen of a create and of a change, and both are one', async () => {
  const named = /^warning parent-holds add-rental: .* a POST whose toolId names no record\.$/;
  expect(await linesOf('rents nothing', 'moves to nothing')).toEqual([
    expect.stringMatching(named),
  ]);
  const moved = /^warning parent-holds set-rental: .* a PATCH whose toolId names no record\.$/;
  expect(await linesOf('moves to nothing')).toEqual([expect.stringMatching(moved)]);
});

test('null for any record accuses the read, and no deletion', async () => {
  const lines = await linesOf('answers null');
  expect(lines).toEqual([expect.stringMatching(/^error missing-refused get-tool: /)]);
});
