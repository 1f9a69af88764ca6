import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { bodySchema } from '../../../src/contract/model/operation.ts';
import { isWithin, type RepeatKey, repeatKeys } from '../../../src/contract/words/read-repeats.ts';

interface Written {
  readonly operation?: string;
  readonly field?: string;
  readonly name?: string;
}

/** The members of a body that mark repetitions: one of that name and description, or `note`. */
function told({ operation, field, name = 'request_token' }: Written): RepeatKey[] {
  const properties = { note: { type: 'string' }, [name]: { type: 'string', description: field } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const post = {
    description: operation,
    requestBody: { content },
    responses: { 201: { description: 'Created' } },
  };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Orders', version: '1' },
      paths: { '/orders': { post } },
    }),
    'orders.json',
  );
  const [create] = contract.operations;
  const schema = create && bodySchema(create);
  if (create === undefined || schema === undefined) throw new Error('There is no create.');
  return repeatKeys(create, schema);
}

const naming = 'Repeated requests with the same request_token in the shop get the first answer.';

describe('a member marks repetitions', () => {
  test.each<[string, Written]>([
    ['by its own description', { field: 'A key that ensures the idempotency of the request.' }],
    ['by a sentence of the operation that names it', { operation: naming }],
  ])('%s', (_how, written) => {
    expect(told(written).map(({ name }) => name)).toEqual(['request_token']);
  });

  test.each<[string, Written]>([
    ['a sentence that names none', { operation: 'This operation is idempotent.' }],
    ['a name of something else', { field: 'Idempotent requests have one.', name: 'queue' }],
    ['a refusal', { field: 'A repeated request with the same token is rejected.' }],
  ])('not by %s', (_what, written) => {
    expect(told(written)).toEqual([]);
  });

  test('within the records that the sentence names', () => {
    const [key] = told({ operation: naming });
    expect(key && ['shops', 'orders'].map((noun) => isWithin(key.fact, noun))).toEqual([
      true,
      false,
    ]);
  });
});
