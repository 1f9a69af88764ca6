import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { alarms, findingsOf, type Answered, type Service } from '../fixture/inline-service.ts';

const rule: JsonObject = {
  type: 'object',
  required: ['kind', 'level'],
  properties: {
    kind: { type: 'string', description: 'The kind of the rule' },
    level: { type: 'string', enum: ['low', 'high'] },
    code: { type: 'string', minLength: 3, maxLength: 12 },
  },
};
const refusal = { description: 'refused', ...jsonContent({ type: 'object' }) };
const refusals = { 404: { description: 'none' }, 422: refusal };
const identifier = { name: 'kind', in: 'path', required: true, schema: { type: 'string' } };

/** Rules whose kinds stand in a list that only the service knows. */
const contract = makeContract({
  paths: {
    '/rules': {
      get: {
        operationId: 'listRules',
        parameters: [{ name: 'zone', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: { description: 'ok', ...jsonContent({ type: 'array', items: rule }) },
          422: refusal,
        },
      },
      post: {
        operationId: 'addRule',
        requestBody: { required: true, ...jsonContent(rule) },
        responses: { 201: { description: 'made', ...jsonContent(rule) }, 422: refusal },
      },
    },
    '/rules/{kind}': {
      parameters: [identifier],
      get: {
        operationId: 'getRule',
        responses: { 200: { description: 'ok', ...jsonContent(rule) }, ...refusals },
      },
    },
    '/rules/{kind}/fetch': {
      parameters: [identifier],
      post: { operationId: 'fetchRule', responses: { 200: { description: 'ok' }, ...refusals } },
    },
  },
});

type Body = Readonly<Record<string, unknown>>;

/** What the service answers in place of an ordinary answer. */
interface Ways {
  readonly add?: (sent: Body) => Answered | undefined;
  readonly read?: (kind: string) => Answered | undefined;
  readonly list?: (zone: string) => Answered | undefined;
  readonly act?: (kind: string) => Answered;
}

const refuse = (why: string): Answered => ({ status: 422, json: { error: why } });

function rules({ add, read, list, act }: Ways): Service {
  const held = new Map<string, unknown>([['soa', { kind: 'soa', level: 'low' }]]);
  const schema = contract.operations.find(({ id }) => id === 'addRule')?.requestBody?.content[0];
  return ({ method, path: [first = '', kind, action], body, query, header }) => {
    if (first !== 'rules') return { status: 404 };
    if (action === 'fetch')
      return method === 'POST'
        ? held.has(kind ?? '')
          ? (act?.(kind ?? '') ?? { status: 200 })
          : { status: 404 }
        : { status: 405, headers: { Allow: 'POST' } };
    if (kind !== undefined) {
      if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET' } };
      const one = held.get(decodeOr(kind));
      return one === undefined ? (read?.(decodeOr(kind)) ?? { status: 404 }) : ok(one);
    }
    if (method === 'GET' || method === 'HEAD') {
      const zone = query.get('zone');
      return (zone === null ? undefined : list?.(zone)) ?? ok([...held.values()]);
    }
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
    if (!/^application\/json\b/i.test(header('content-type') ?? '')) return refuse('no JSON');
    const sent = parse(body);
    if (sent === undefined || schema?.schema?.accepts(sent as JsonObject, 'request') !== true)
      return refuse('not a rule');
    const other = add?.(sent);
    if (other !== undefined) return other;
    held.set(String(sent['kind']), sent);
    return { status: 201, json: sent };
  };
}

const ok = (json: unknown): Answered => ({ status: 200, json });

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

async function accusations(ways: Ways): Promise<string[]> {
  return alarms(await findingsOf(contract, rules(ways))).filter((line) =>
    /valid-accepted|missing-refused|status-documented/.test(line),
  );
}

describe('an operation that refuses all that a run can make up', () => {
  test('is one note, with what the service says', async () => {
    const service = rules({ add: ({ kind }) => refuse(`Unsupported kind '${String(kind)}'`) });
    const found = await findingsOf(contract, service);
    const notes = found.filter(
      ({ check, operation }) => check === 'valid-accepted' && operation.id === 'addRule',
    );
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({ severity: 'note', blame: 'contract' });
    expect(notes[0]?.message).toMatch(
      /^The server refused every valid request, with 422: "Unsupported kind .*; the contract does/,
    );
  });

  test('is no such note where the run found what it takes', async () => {
    const service = rules({ add: ({ code }) => (code === undefined ? undefined : refuse('no')) });
    const found = await findingsOf(contract, service);
    expect(found.map(({ message }) => message).join()).not.toContain('refused every valid');
  });
});

describe('a documented refusal of a text that the run made up', () => {
  test.each<[string, Ways]>([
    [
      'a create names a kind that the service does not know',
      { add: ({ kind }) => refuse(`Unsupported kind '${String(kind)}'`) },
    ],
    [
      'a filter takes the names of zones only',
      { list: (zone) => refuse(`Name '${zone}' contains unsupported characters`) },
    ],
    [
      'an identifier is no word of a list',
      { read: (kind) => refuse(`Unsupported kind '${kind}'`) },
    ],
    ['no create is accepted at all', { add: () => refuse('The rule is not valid') }],
    [
      'an action needs a record in another state',
      { act: () => refuse('The rule is not a copy, and cannot be fetched') },
    ],
  ])('is no accusation: %s', async (_name, ways) => {
    expect(await accusations(ways)).toEqual([]);
  });

  test.each<[string, Ways, RegExp]>([
    [
      'a value that the contract lists',
      { add: ({ level }) => (level === 'high' ? refuse('Unsupported level "high"') : undefined) },
      /valid-accepted addRule: .*high/,
    ],
    [
      'a text as long as the contract allows',
      {
        add: ({ code }) =>
          typeof code === 'string' && code.length === 12
            ? refuse(`The code '${code}' is too long`)
            : undefined,
      },
      /valid-accepted addRule: .*12/,
    ],
    [
      'a value that stands in the accepted request too',
      {
        add: ({ kind, code }) =>
          code === undefined ? refuse(`Cannot store ${String(kind)}`) : undefined,
      },
      /valid-accepted addRule: .*(required members|left out)/,
    ],
    [
      'a missing record, with a status for other faults',
      { read: () => refuse('The request is not valid') },
      /missing-refused getRule/,
    ],
    [
      'a made-up text, with a status that is not documented',
      { list: (zone) => ({ status: 400, json: { error: `Name '${zone}'` } }) },
      /status-documented listRules/,
    ],
  ])('is found where it refuses %s', async (_name, ways, expected) => {
    expect((await accusations(ways)).join('\n')).toMatch(expected);
  });
});
