import { describe, expect, test } from 'vitest';
import { creatorKey } from '../../../../src/check/reading/created-record.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import { alarms, findingsOf, type Service } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const crate = '{ $ref: "#/components/schemas/Crate" }';
const inPath = 'in: path, required: true, schema: { type: string }';
const at = (...names: string[]): string =>
  `parameters: [${names.map((name) => `{ name: ${name}, ${inPath} }`).join(', ')}]`;

const all = `
  /crates: { get: { operationId: allCrates, responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${crate} }`)} } } } }`;

/** Crates below a deck, which no operation makes; `more` are further paths. */
const contractWith = (more: string): ReturnType<typeof contractOf> =>
  contractOf(`
paths: ${more}
  /decks/{deck}/crates:
    ${at('deck')}
    post: { operationId: addCrate, requestBody: { required: true, ${json(crate)} }, responses: {
        '201': { description: made, ${json(crate)} } } }
  /decks/{deck}/crates/{id}:
    ${at('deck', 'id')}
    get: { operationId: getCrate, responses: { '200': { description: ok, ${json(crate)} }, '404': {
        description: none } } }
components: { schemas: { Crate: { type: object, required: [id, deck], properties: {
    id: { type: string }, deck: { type: string } } } } }`);

const listing =
  (...shown: object[]): Service =>
  ({ method, path: [first, ...rest] }) => {
    if (first !== 'crates' || rest.length > 0) return { status: 404 };
    return method === 'GET' ? { status: 200, json: shown } : { status: 405 };
  };

describe('a key is what is unique below its parents', () => {
  test('a list over several parents may show one key twice', async () => {
    const service = listing({ id: 'c1', deck: 'fore' }, { id: 'c1', deck: 'aft' });
    const found = alarms(
      await findingsOf(contractWith(all), service, { only: ['ids-are-unique'] }),
    );
    expect(found).toEqual([]);
  });

  test('what is created below two parents is two, although no operation makes those', () => {
    const contract = contractWith('');
    const operation = contract.operations.find(({ id }) => id === 'addCrate')!;
    const resource = contract.resources.find(({ operations }) => operations.create === operation)!;
    const [deck] = operation.parameters;
    const key = (name: string): string =>
      creatorKey(resource, 'c1', { operation, sent: { arguments: new Map([[deck!, name]]) } });
    expect(key('fore')).not.toBe(key('aft'));
    expect(key('fore')).toBe(key('fore'));
  });
});
