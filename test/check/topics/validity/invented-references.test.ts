import { expect, test } from 'vitest';
import { crud, text } from '../../fixture/crud/crud.ts';

test.each([
  ['storageId', 'a reference', false],
  ['storageCode', 'another field', true],
])('an edge value that names nothing, in %s, %s, is refused', async (name, _what, isFound) => {
  const lines = await crud(
    {
      Deployment: {
        fields: { title: text, [name]: { type: 'string', format: 'uuid' } },
        optional: [name],
      },
    },
    () => ({
      on: {
        createDeployment: ({ sent }) => {
          const value: unknown = Object(sent)[name];
          const isEdge = typeof value === 'string' && /^(.)\1{7}-/.test(value);
          return isEdge
            ? { status: 404, json: { detail: 'There is no such storage.' } }
            : undefined;
        },
      },
    }),
  ).alarms(/valid-accepted/);
  expect(lines.length > 0).toBe(isFound);
});
