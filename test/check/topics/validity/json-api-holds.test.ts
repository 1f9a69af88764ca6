import { expect, test } from 'vitest';
import { makeContract } from '../../../contract/make-contract.ts';
import { alarms, findingsOf, type Service } from '../../fixture/inline-service.ts';

const media = 'application/vnd.api+json';
const bank = {
  type: 'object',
  required: ['type', 'id', 'attributes'],
  properties: {
    type: { type: 'string', enum: ['banks'] },
    id: { type: 'string' },
    attributes: { type: 'object', properties: { code: { type: 'string' } } },
  },
};
const schema = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: bank } },
};
const code = { name: 'filter[code]', in: 'query', schema: { type: 'string' } };
const contract = makeContract({
  paths: {
    '/banks': {
      get: {
        parameters: [code],
        responses: { 200: { description: 'all', content: { [media]: { schema } } } },
      },
    },
  },
});

const banks = ['a', 'b'].map((id) => ({ type: 'banks', id, attributes: { code: id } }));

/** A list that refuses filters which it does not have, unless it ignores them. */
function serve(ignores: boolean): Service {
  return ({ method, query }) => {
    if (method !== 'GET') return { status: 405, headers: { Allow: 'GET' } };
    const headers = { 'Content-Type': media };
    const isKnown = [...query.keys()].every((name) => name === code.name);
    if (!isKnown && !ignores)
      return { status: 400, json: { errors: [{ status: '400' }] }, headers };
    const asked = query.get(code.name);
    const data = banks.filter(({ id }) => asked === null || asked === id);
    return { status: 200, json: { data }, headers };
  };
}

test('a refusal that JSON:API asks for, and no status documents, is a gap', async () => {
  expect(alarms(await findingsOf(contract, serve(false)))).toEqual([]);
  const ignored = alarms(await findingsOf(contract, serve(true))).join('\n');
  expect(ignored).toMatch(/json-api-holds GET .*filter\[vouchUnknown\] is given/);
});
