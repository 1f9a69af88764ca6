import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { whyParameterActs } from '../../../src/contract/words/acting-parameters.ts';
import { type Answered, type Call, findingsOf, jsonObject } from '../fixture/inline-service.ts';

const thing =
  '{ type: object, required: [name], properties: { id: { type: integer, readOnly: true }, ' +
  'name: { type: string } } }';
const shows = (schema: string): string =>
  `'200': { description: ok, content: { application/json: { schema: ${schema} } } }`;
const flag = (name: string, description: string): string =>
  `{ name: ${name}, in: query, description: '${description}', schema: { type: boolean } }`;
const query = [
  flag('rescan_all', 'force rescan of all things'),
  flag('silenced', 'Set the silenced state'),
  flag('reset', ''),
  flag('archived', 'Only archived things'),
].join(', ');
const document = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get: { operationId: listThings, parameters: [${query}],
      responses: { ${shows(`{ type: array, items: ${thing} }`)} } }
    post: { operationId: addThing,
      requestBody: { content: { application/json: { schema: ${thing} } } },
      responses: { ${shows(thing).replace('200', '201')} } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getThing, parameters: [${query}],
      responses: { ${shows(thing)}, '404': { description: none } } }
    delete: { operationId: removeThing, responses: { '204': { description: gone } } }`;

/** What a service of things is asked for with the parameters that act, and for which record. */
async function actingRequests(mode: 'read-only' | 'read-write'): Promise<{
  readonly acted: readonly string[];
  readonly asked: readonly string[];
}> {
  const things = new Map([[1, { id: 1, name: 'of others' }]]);
  const asked: string[] = [];
  const service = ({ method, path, target, body }: Call): Answered => {
    const id = Number(path[1]);
    asked.push(`${method} ${target}`);
    if (path.length === 1 && method === 'GET') return { status: 200, json: [...things.values()] };
    if (path.length === 1 && method === 'POST') {
      const made = { name: '', ...jsonObject(body), id: things.size + 100 };
      things.set(made.id, made);
      return { status: 201, json: made };
    }
    const found = things.get(id);
    if (found === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: found };
    return method === 'DELETE' && things.delete(id) ? { status: 204 } : { status: 405 };
  };
  await findingsOf(parseContract(document, 'things.yaml'), service, { mode, seed: 'acts' });
  const acted = asked.filter((line) => /[?&](rescan_all|silenced|reset)=/.test(line));
  return { acted, asked };
}

describe('a parameter that acts', () => {
  test('is never sent in a read-only run, and the operation is', async () => {
    const { acted, asked } = await actingRequests('read-only');
    expect(acted).toEqual([]);
    expect(asked).toContain('GET /things');
    expect(asked.some((line) => line.includes('archived=true'))).toBe(true);
  });

  test('is sent for a record of the run only', async () => {
    const { acted } = await actingRequests('read-write');
    expect(acted.filter((line) => !/^GET \/things\/1\d\d[?]/.test(line))).toEqual([]);
  });

  test.each([
    ['turn', 'Turn the lamp on or off', true],
    ['view', 'View the parts as a tree', false],
    ['spin', 'Direction of the spin', false],
  ])('of three choices, %s, "%s": %s', (name, description, acts) => {
    const text = document.replaceAll(
      query,
      `{ name: ${name}, in: query, description: '${description}', schema: { enum: [a, b, c] } }`,
    );
    const [list] = parseContract(text, 'things.yaml').operations;
    expect(list?.parameters.some((one) => whyParameterActs(one) !== undefined)).toBe(acts);
  });

  test.each([
    ['rescan_all', 'Force rescan of all things.', true],
    ['paused', 'Set pause state', true],
    ['rescan', 'Rescan this thing', true],
    ['deep', 'Set this to show parts too', false],
    ['silent', 'If true, mutes the device', false],
    ['fresh', 'Set to true to clear the cache first.', true],
    ['refresh', 'Refresh the cache before it answers', true],
    ['clear_cache', '', true],
    ['delete', '', true],
    ['include_deleted', 'Include deleted things', false],
    ['archived', 'Set to true to show archived things', false],
    ['timestamps', 'If true, add a timestamp to each line', false],
    ['closed', 'Return closed things only', false],
    ['expand', 'Expand the parts', false],
  ])('%s, "%s": %s', (name, description, acts) => {
    const text = document.replaceAll(
      query,
      `{ name: ${name}, in: query, description: '${description}', schema: { type: boolean } }`,
    );
    const contract = parseContract(text, 'things.yaml');
    const [list] = contract.operations;
    expect(list?.parameters.some((one) => whyParameterActs(one) !== undefined)).toBe(acts);
    expect(list && contract.effects.get(list)?.acting?.has(name)).toBe(acts ? true : undefined);
  });
});
