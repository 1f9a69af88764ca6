import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { faultTold } from '../../../src/contract/words/read-faulty.ts';

interface Written {
  readonly api?: string;
  readonly operation?: string;
  readonly refusal?: string;
}

/** What a contract with such texts says of a faulty `page_token`. */
function told({ api, operation, refusal }: Written): string | undefined {
  const parameters = ['page_token', 'filter'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }));
  const responses = {
    200: { description: 'The items.' },
    400: { description: refusal ?? 'Bad request' },
  };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Items', version: '1', description: api },
      paths: { '/items': { get: { description: operation, parameters, responses } } },
    }),
    'items.json',
  );
  const [list] = contract.operations;
  const [token] = list?.parameters ?? [];
  if (list === undefined || token === undefined) throw new Error('The contract has no list.');
  return faultTold(contract, list, token);
}

describe('a faulty value of a parameter is refused', () => {
  test.each<[string, Written]>([
    ['by a code of the operation', { operation: 'Errors: invalid_page_token.' }],
    ['by a code of the API', { api: 'Errors: NOT_FOUND, INVALID_PAGE_TOKEN.' }],
    ['by a code with the name before', { operation: 'Errors: page_token_not_valid.' }],
    ['by a sentence with a status', { api: 'A page_token of another list is 400.' }],
    ['by the description of a refusal', { refusal: 'The `page_token` is invalid.' }],
  ])('%s', (_how, written) => {
    expect(told(written)).toBeDefined();
  });

  test.each<[string, Written]>([
    ['no text', {}],
    ['a code for another value', { operation: 'Errors: invalid_filter, invalid_token.' }],
    ['a code for the end of its time', { operation: 'Errors: expired_page_token.' }],
    ['a sentence that names two', { api: 'A page_token beside a filter is 400.' }],
    ['a sentence with another status', { api: 'A page_token is 410 after a day.' }],
    ['a part of another word', { refusal: 'The next_page_token_id is invalid.' }],
  ])('not by %s', (_what, written) => {
    expect(told(written)).toBeUndefined();
  });
});
