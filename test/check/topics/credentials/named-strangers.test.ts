import { expect, test } from 'vitest';
import { alarms, findingsOf, jsonObject, type Service } from '../../fixture/inline-service.ts';
import { contractOf } from '../../fixture/odd-contract.ts';

const box = "content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } }";
const given = "content: { application/json: { schema: { $ref: '#/components/schemas/NewBox' } } }";
const named = "schema: { $ref: '#/components/schemas/Name' }";
const refusals =
  "'400': { description: bad }, '401': { description: no key }, '404': { description: none }";

/** Boxes that are put under names; shelves, which only their list shows. */
const contract = contractOf(`
security: [{ key: [] }]
paths:
  /boxes/{box}:
    parameters: [{ name: box, in: path, required: true, ${named} }]
    get: { operationId: getBox, responses: { '200': { description: one, ${box} }, ${refusals} } }
    put: { operationId: putBox, requestBody: { required: true, ${given} }, responses: { '201': {
        description: made }, '204': { description: changed }, ${refusals} } }
    delete: { operationId: dropBox, responses: { '204': { description: gone }, ${refusals} } }
  /shelves:
    get: { operationId: listShelves, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Box' } } } }
        }, ${refusals} } }
  /shelves/{shelf}:
    parameters: [{ name: shelf, in: path, required: true, ${named} }]
    put: { operationId: putShelf, requestBody: { required: true, ${given} }, responses: { '201': {
        description: made }, '204': { description: changed }, ${refusals} } }
    delete: { operationId: dropShelf, responses: { '204': { description: gone }, ${refusals} } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Name: { type: string, pattern: '^[a-z0-9-]{1,40}$' }
    NewBox: { type: object, properties: { note: { type: string, maxLength: 40 } } }
    Box: { type: object, required: [name, note], properties: { name: { type: string },
        note: { type: string, nullable: true } } }`);

/** Whose a record is decides who sees it, unless the service forgets to look at one of them. */
function service(forgets?: 'boxes' | 'shelves'): Service {
  const kept = new Map<string, { owner: string; name: string; note: unknown }>();
  return ({ method, path: [kind = '', name], header, body }) => {
    const owner = header('x-key') ?? '';
    if (!['ours', 'theirs'].includes(owner)) return { status: 401 };
    const isSeen = (of: string): boolean => of === owner || kind === forgets;
    const show = ({ name: own, note }: { name: string; note: unknown }): object => ({
      name: own,
      note: note ?? null,
    });
    if (name === undefined)
      return {
        status: 200,
        json: [...kept]
          .filter(([key, record]) => key.startsWith(`${kind}/`) && isSeen(record.owner))
          .map(([, record]) => show(record)),
      };
    if (!/^[a-z0-9-]{1,40}$/.test(name)) return { status: 400 };
    const key = `${kind}/${name}`;
    const found = kept.get(key);
    if (method === 'PUT') {
      const sent = jsonObject(body);
      if (sent === undefined || (found !== undefined && found.owner !== owner))
        return { status: sent === undefined ? 400 : 404 };
      const { note } = sent;
      if (note !== undefined && (typeof note !== 'string' || note.length > 40))
        return { status: 400 };
      kept.set(key, { owner, name, note });
      return { status: found === undefined ? 201 : 204 };
    }
    if (found === undefined || !isSeen(found.owner)) return { status: 404 };
    if (method === 'GET') return { status: 200, json: show(found) };
    if (found.owner !== owner) return { status: 404 };
    kept.delete(key);
    return { status: 204 };
  };
}

const identities = {
  us: { tokens: { key: 'ours' } },
  them: { tokens: { key: 'theirs' }, sees: { 'nothing-of': 'us' } },
};

const leaksOf = async (forgets?: 'boxes' | 'shelves'): Promise<string[]> =>
  alarms(await findingsOf(contract, service(forgets), { identities })).filter((line) =>
    line.includes('identity'),
  );

test.each([
  ['boxes', 'getBox'],
  ['shelves', 'listShelves'],
] as const)('%s that were put under names are shown to nobody else', async (kind, operation) => {
  const leaks = await leaksOf(kind);
  expect(leaks).toHaveLength(1);
  expect(leaks[0]).toContain(`error identity-sees-nothing ${operation}`);
});

test('a service that looks at whose they are shows nothing', async () => {
  expect(await leaksOf()).toEqual([]);
});
