import { describe, expect, test } from 'vitest';
import { contractOf } from '../../check/fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

const plain = { required: '[badge]', answer: 'description: made', parameter: 'warden' };

/** Badges, which nothing but the body of their create names. */
function identifierOf({ required, answer, parameter }: typeof plain): string | undefined {
  const contract = contractOf(`
paths:
  /wardens:
    post: { operationId: addWarden, requestBody: { required: true, ${json(
      '{ $ref: "#/components/schemas/Warden" }',
    )} }, responses: { '201': { ${answer} } } }
  /wardens/{${parameter}}:
    get: { operationId: getWarden, parameters: [{ name: ${parameter}, in: path, required: true,
        schema: { type: string } }], responses: { '200': { description: ok, ${json(
          '{ $ref: "#/components/schemas/Warden" }',
        )} } } }
components: { schemas: { Warden: { type: object, required: ${required}, properties: {
    badge: { type: string }, post: { type: string }, shift: { type: string, enum: [day, night] } }
    } } }`);
  return contract.resources[0]?.identifier.field;
}

describe('a record whose create answers nothing', () => {
  test('is identified by the only text that the create requires', () => {
    expect(identifierOf(plain)).toBe('badge');
    expect(identifierOf({ ...plain, required: '[badge, shift]' })).toBe('badge');
  });

  test.each<[string, typeof plain]>([
    ['two texts are required', { ...plain, required: '[badge, post]' }],
    ['the path names an id', { ...plain, parameter: 'wardenId' }],
    ['none is', { ...plain, required: '[shift]' }],
    [
      'Location names the record',
      {
        ...plain,
        answer: 'description: made, headers: { Location: { schema: { type: string } } }',
      },
    ],
    [
      'the answer names the record',
      { ...plain, answer: `description: made, ${json('{ properties: { id: {} } }')}` },
    ],
  ])('is not where %s', (_, given) => {
    expect(identifierOf(given)).not.toBe('badge');
  });
});
