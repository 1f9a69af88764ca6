import { expect, test } from 'vitest';
import { writeExpression } from '../../../../src/check/engine/memory/write-expression.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const tool = {
  type: 'object',
  properties: { ID: { type: 'integer' }, Name: { type: 'string' } },
} as const;

const contract = makeContract({
  paths: {
    '/Tools': {
      get: {
        operationId: 'listTools',
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: tool }) } },
      },
    },
  },
});

test.each(['starts', 'ends', 'contains'] as const)(
  'the part of a text that %s cuts no character in two',
  (op) => {
    const [resource] = contract.resources;
    if (resource === undefined) throw new Error('There are no tools.');
    const text = writeExpression(
      {
        kind: 'expression',
        resource: resource.name,
        language: 'odata-filter',
        condition: { field: 'Name', op, takes: 'part' },
      },
      {
        resource,
        seen: [
          { ID: 1, Name: 'a😀🚀😀🚀b' },
          { ID: 2, Name: 'Saw' },
        ],
        earlier: [],
      },
    );
    expect(text).toContain('😀');
    expect(text?.isWellFormed()).toBe(true);
  },
);
