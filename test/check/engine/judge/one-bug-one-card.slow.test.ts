import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import { parseJson } from '../../../../src/json/parse-json.ts';
import { isJsonObject, type JsonObject } from '../../../../src/json/value.ts';
import { pretty } from '../../../../src/report/pretty.ts';
import { reportOf } from '../../../report/report-of.ts';
import { type Answered, type Service, targetOf } from '../../fixture/inline-service.ts';

const json = (schema: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});
const refused = { description: 'Refused', content: json('Problem') };
const crate = { description: 'The crate', content: json('Crate') };
const body = { required: true, content: json('NewCrate') };
const number = { name: 'crateNumber', in: 'path', required: true, schema: { type: 'integer' } };

const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Crates', version: '1' },
    paths: {
      '/crates': {
        get: {
          operationId: 'listCrates',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
          ],
          responses: {
            200: {
              description: 'The crates',
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Crate' } },
                },
              },
            },
            400: refused,
          },
        },
        post: {
          operationId: 'addCrate',
          requestBody: body,
          responses: { 201: crate, 400: refused },
        },
      },
      '/crates/{crateNumber}': {
        parameters: [number],
        get: { operationId: 'readCrate', responses: { 200: crate, 404: refused } },
        put: {
          operationId: 'setCrate',
          requestBody: body,
          responses: { 200: crate, 400: refused, 404: refused },
        },
        delete: {
          operationId: 'dropCrate',
          responses: { 204: { description: 'Gone' }, 404: refused },
        },
      },
    },
    components: {
      schemas: {
        NewCrate: {
          type: 'object',
          required: ['label'],
          properties: {
            label: { type: 'string', minLength: 1, maxLength: 60 },
            wood: { type: 'string', enum: ['oak', 'pine'] },
            weight: { type: 'integer', minimum: 0, maximum: 900 },
          },
        },
        Crate: {
          allOf: [
            { $ref: '#/components/schemas/NewCrate' },
            { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } },
          ],
        },
        Problem: {
          type: 'object',
          required: ['status', 'reason'],
          properties: { status: { type: 'integer' }, reason: { type: 'string' } },
        },
      },
    },
  }),
  'crates.yaml',
);

/** What is wrong with a service. */
interface Bugs {
  readonly ignoresLimit?: true;
  readonly takesAnything?: true;
  readonly barsErrors?: true;
  /** Shows the weight of each crate as a text. */
  readonly weighsInWords?: true;
}

function crates(bugs: Bugs): Service {
  const stored = new Map<number, object>([
    [1, { number: 1, label: 'First', weight: 4 }],
    [2, { number: 2, label: 'Second', wood: 'oak' }],
    [3, { number: 3, label: 'Third' }],
  ]);
  let next = 4;
  const problem = (status: number): Answered => ({
    status,
    json: bugs.barsErrors === true ? { error: 'no' } : { status, reason: 'It is not to be.' },
  });
  const shown = (one: object): object =>
    bugs.weighsInWords === true && 'weight' in one ? { ...one, weight: 'heavy' } : one;
  const isValid = (sent: unknown): boolean =>
    bugs.takesAnything === true ||
    contract.operations
      .find(({ id }) => id === 'addCrate')
      ?.requestBody?.content[0]?.schema?.validate(sent as JsonObject, 'request').length === 0;
  return ({ method, path, query, bytes }) => {
    const parsed = parseJson(bytes);
    const sent = parsed.ok ? parsed.value : undefined;
    const isJson = parsed.ok || bytes.length === 0;
    const [, name] = path;
    const methods = name === undefined ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD', 'PUT', 'DELETE'];
    if (!methods.includes(method)) return problem(405);
    if (name === undefined && method !== 'POST') {
      const limit = query.get('limit');
      if (limit !== null && !/^([1-9]|[1-4]\d|50)$/.test(limit)) return problem(400);
      const all = [...stored.values()].map(shown);
      const count = limit === null || bugs.ignoresLimit === true ? all.length : Number(limit);
      return { status: 200, json: all.slice(0, count) };
    }
    const isWrite = ['POST', 'PUT'].includes(method);
    if (name !== undefined && !stored.has(Number(name))) return problem(404);
    if (isWrite && (!isJson || !isValid(sent))) return problem(400);
    const fields = isJsonObject(sent) ? sent : {};
    if (method === 'POST') {
      const one = { ...fields, number: next++ };
      stored.set(one.number, one);
      return { status: 201, json: shown(one) };
    }
    const key = Number(name);
    if (method === 'PUT') stored.set(key, { ...fields, number: key });
    if (method !== 'DELETE') return { status: 200, json: shown(stored.get(key) ?? {}) };
    stored.delete(key);
    return { status: 204 };
  };
}

async function check(bugs: Bugs): Promise<{ errors: readonly Finding[]; lines: number }> {
  const { findings, events } = await checkTarget({
    ...targetOf(crates(bugs)),
    contract,
    seed: 'crates',
    mode: 'read-write',
    wait: async () => {},
  });
  return {
    errors: findings.filter(({ severity }) => severity === 'error'),
    lines: reportOf(pretty, events).split('\n').length,
  };
}

const checksOf = (findings: readonly Finding[]): string[] => findings.map(({ check: id }) => id);

describe('one bug, one card', () => {
  test('a sound service has none', async () => {
    expect((await check({})).errors).toEqual([]);
  });

  test('three bugs are three, in the order of what a client suffers', async () => {
    const bugs = { ignoresLimit: true, takesAnything: true, barsErrors: true } as const;
    const { errors, lines } = await check(bugs);
    expect(checksOf(errors)).toEqual(['limit-holds', 'body-matches-schema', 'invalid-refused']);
    expect(lines).toBeLessThanOrEqual(42);
    const totals = errors.map(({ score }) => score?.total ?? 0);
    expect(totals).toEqual(totals.toSorted((left, right) => right - left));
    for (const { score } of errors)
      expect(score?.total).toBe(
        (score?.severity ?? 0) +
          (score?.harm ?? 0) +
          (score?.certainty ?? 0) +
          (score?.breadth ?? 0),
      );
  });

  test('what a list shows of the bodies that were taken is told with the request', async () => {
    const { errors } = await check({ takesAnything: true });
    expect(checksOf(errors)).toEqual(['invalid-refused']);
    const symptoms = errors[0]?.alsoSeenAs ?? [];
    expect(new Set(checksOf(symptoms))).toEqual(
      new Set(['body-matches-schema', 'invalid-refused']),
    );
    expect(symptoms.flatMap(({ storedBy = [] }) => storedBy)).toContain('addCrate');
  });

  test('what is wrong with other records too is a bug of its own', async () => {
    const { errors } = await check({ takesAnything: true, weighsInWords: true });
    expect(checksOf(errors).sort()).toEqual(['body-matches-schema', 'invalid-refused']);
    const own = errors.find(({ check: id }) => id === 'body-matches-schema');
    expect(own?.message).toContain('weight must be an integer');
    expect(own?.storedBy).toBeUndefined();
  });

  test('the parts of a wrong error are one bug, on all operations', async () => {
    const { errors } = await check({ barsErrors: true });
    expect(checksOf(errors)).toEqual(['body-matches-schema']);
    expect(new Set(errors[0]?.operations).size).toBeGreaterThan(2);
  });
});
