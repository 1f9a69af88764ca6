import { expect, test } from 'vitest';
import { makeContract } from '../make-contract.ts';

const securitySchemes = {
  inHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
  inQuery: { type: 'apiKey', in: 'query', name: 'key' },
};

test.each<[string, string, string, string[]]>([
  ['a header that is the credential', 'header', 'X-Key', []],
  ['the same in another case', 'header', 'x-key', []],
  ['a query parameter that is the credential', 'query', 'key', []],
  ['another case in the query, where it counts', 'query', 'Key', ['Key']],
  ['the name of the credential in another place', 'query', 'X-Key', ['X-Key']],
])('%s is described by its scheme alone', (_name, place, name, expected) => {
  const operation = {
    parameters: [{ name, in: place, schema: { type: 'string' } }],
    security: [{ inHeader: [], inQuery: [] }],
    responses: {},
  };
  const [read, open] = makeContract({
    components: { securitySchemes },
    paths: { '/a': { get: operation, put: { ...operation, security: [] } } },
  }).operations;
  expect(read?.parameters.map((parameter) => parameter.name)).toEqual(expected);
  expect(open?.parameters.map((parameter) => parameter.name)).toEqual([name]);
});
