import { expect, test } from 'vitest';
import { crud, text } from '../../check/fixture/crud/crud.ts';

const states = { type: 'string', enum: ['draft', 'scheduled', 'sent'] };

/** Letters with two actions, each behind the word `actions`. */
const { contract } = crud(
  {
    Letter: {
      fields: { title: text, status: { ...states, readOnly: true } },
      can: 'list create read',
    },
  },
  () => ({}),
  {
    paths: `
      /letters/{letterId}/actions/schedule:
        parameters: [{ name: letterId, in: path, required: true, schema: { type: string } }]
        post: { operationId: scheduleLetter, responses: { '204': { description: done } } }
      /letters/{letterId}/actions/unschedule:
        parameters: [{ name: letterId, in: path, required: true, schema: { type: string } }]
        post:
          operationId: unscheduleLetter
          description: From the status \`scheduled\` back to \`draft\` (otherwise 400).
          responses: { '204': { description: done }, '400': { description: not scheduled } }
    `,
  },
);

test('an action behind the word actions is about the record before it', () => {
  const told = contract.inference.actions.map(({ operation, resource, sets }) => ({
    id: operation.id,
    of: resource.name,
    sets: `${sets?.field ?? ''}=${String(sets?.value)}`,
  }));
  expect(told).toEqual([
    { id: 'scheduleLetter', of: 'letters', sets: 'status=scheduled' },
    { id: 'unscheduleLetter', of: 'letters', sets: 'status=draft' },
  ]);
});
