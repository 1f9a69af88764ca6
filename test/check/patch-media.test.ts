import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { alarms, type Answered, findingsOf, type Service } from './fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const shelf = `{ $ref: '#/components/schemas/Shelf' }`;

/** Shelves that are patched in two media types; `also` is what the contract documents besides. */
function shelves(also = ''): Contract {
  return parseContract(
    `openapi: 3.1.0
info: { title: Shelves, version: '1' }
paths:
  /shelves:
    post: { operationId: addShelf, requestBody: { required: true, ${json(shelf)} }, responses: {
      '201': { description: made, ${json(shelf)} }, '400': { description: bad } } }
  /shelves/{shelfId}:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getShelf, responses: { '200': { description: ok, ${json(shelf)} },
      '404': { description: none } } }
    patch: { operationId: changeShelf, requestBody: { required: true, content: {
      application/merge-patch+json: { schema: { type: object, minProperties: 1, properties: {
        label: { type: string, minLength: 1 } } }, example: { label: New } },
      application/json-patch+json: { schema: { type: array, minItems: 1, items: { type: object,
        required: [op, path] } }, example: [{ op: replace, path: /label, value: New }] } } },
      responses: { '200': { description: ok, ${json(shelf)} }, '400': { description: bad },
      '404': { description: none }, '422': { description: bad }${also} } }
components:
  schemas:
    Shelf: { type: object, required: [label], properties: { id: { type: string, readOnly: true },
      label: { type: string, minLength: 1, maxLength: 90, example: Old } } }`,
    'shelves.yaml',
  );
}

type Quirk = 'guesses types' | 'fails on odd places';

/** Shelves whose label clients patch. */
function serviceOf(quirk?: Quirk): Service {
  const labels = new Map<string, string>();
  const show = (id: string): Answered => ({ status: 200, json: { id, label: labels.get(id) } });
  return ({ method, path: [area, id], body, header }): Answered => {
    if (area !== 'shelves') return { status: 404 };
    const value = read(body);
    if (id === undefined) {
      if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
      const label = labelIn(value);
      if (label === undefined || !is(header, 'application/json')) return { status: 400 };
      const made = `shelf-${String(100 + labels.size)}`;
      labels.set(made, label);
      return { ...show(made), status: 201 };
    }
    if (!labels.has(id)) return { status: 404 };
    if (method === 'GET') return show(id);
    if (method !== 'PATCH') return { status: 405, headers: { Allow: 'GET, HEAD, PATCH' } };
    const isPlain = quirk === 'guesses types' && is(header, 'application/json');
    if (value === undefined) return { status: 400 };
    if (is(header, 'application/json-patch+json')) return patch(id, value);
    if (!isPlain && !is(header, 'application/merge-patch+json')) return { status: 415 };
    const label = labelIn(value);
    if (label === undefined) return { status: 400 };
    labels.set(id, label);
    return show(id);
  };

  function patch(id: string, steps: unknown): Answered {
    if (!Array.isArray(steps) || steps.length === 0) return { status: 400 };
    let label = labels.get(id);
    for (const step of steps as readonly unknown[]) {
      const { op, path, value } = (step ?? {}) as Record<string, unknown>;
      if (typeof op !== 'string' || typeof path !== 'string') return { status: 400 };
      if (path !== '/label') return { status: quirk === 'fails on odd places' ? 500 : 422 };
      if (op === 'test' && value !== label) return { status: 422 };
      if (op !== 'test' && (op !== 'replace' || typeof value !== 'string' || value === ''))
        return { status: 422 };
      if (op === 'replace') label = value as string;
    }
    labels.set(id, label ?? '');
    return show(id);
  }
}

function is(header: (name: string) => string | undefined, type: string): boolean {
  return header('Content-Type')?.split(';')[0] === type;
}

function read(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function labelIn(value: unknown): string | undefined {
  const { label } = (value ?? {}) as { label?: unknown };
  return typeof label === 'string' && label !== '' && label.length <= 90 ? label : undefined;
}

const documented = `, '415': { description: Another media type }`;

/** The alarms about media types and failures of the patch. */
async function alarmsOf(contract: Contract, quirk?: Quirk): Promise<string[]> {
  return alarms(await findingsOf(contract, serviceOf(quirk))).filter((line) =>
    / changeShelf: .*(labelled application\/json|answered 500)/.test(line),
  );
}

describe('a patch in another media type, or of another place', () => {
  test('is no finding of a service that refuses it', async () => {
    expect(await alarmsOf(shelves(documented))).toEqual([]);
  });

  test('is no finding of a service that reads plain JSON, and documents no 415', async () => {
    expect(await alarmsOf(shelves(), 'guesses types')).toEqual([]);
  });

  test('is a finding if the contract documents 415, and plain JSON is read', async () => {
    const [first] = await alarmsOf(shelves(documented), 'guesses types');
    expect(first).toMatch(/^error invalid-refused changeShelf: .*labelled application\/json/);
  });

  test('is a finding if the service fails on a member that no record has', async () => {
    const [first] = await alarmsOf(shelves(documented), 'fails on odd places');
    expect(first).toMatch(/^error no-server-error changeShelf: .*JSON Patch of a member/);
  });
});
