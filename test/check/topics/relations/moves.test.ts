import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** The moves of a task, by the state that it leaves. */
const moves: Readonly<Record<string, readonly string[]>> = {
  draft: ['in review'],
  'in review': ['draft', 'published'],
  published: ['withdrawn'],
};

const says =
  'A text moves from draft to in review, in review to draft or published, published to ' +
  'withdrawn. Anything else is a 409.';

/** Texts with states that follow each other; `skips` are moves that a service takes besides. */
function texts(skips: readonly string[] = []): Crud {
  const states = { type: 'string', enum: ['draft', 'in review', 'published', 'withdrawn'] };
  return crud(
    {
      Text: {
        fields: { title: text, status: { ...states, default: 'draft' } },
        optional: ['status'],
        can: 'create read update',
        says: { update: says },
        refuses: { update: { 409: 'It cannot move so.' } },
      },
    },
    () => ({
      refuse: {
        texts: (next, _beside, before) => {
          const [from, to] = [before?.['status'], next['status']].map(String);
          const isMove =
            before === undefined || from === to || moves[from ?? '']?.includes(to ?? '');
          return isMove || skips.includes(`${from} to ${to}`) ? undefined : 409;
        },
      },
    }),
  );
}

test('a service that takes the stated moves alone has no finding', async () => {
  expect(await texts().alarms()).toEqual([]);
});

test.each(['draft to published', 'withdrawn to published'])(
  'a service that moves from %s is found',
  async (skip) => {
    const lines = await texts([skip]).alarms(/states-hold/);
    const [from, to] = skip.split(' to ');
    expect(lines.join('\n')).toContain(`a PATCH to ${to} that is to be refused`);
    expect(lines.join('\n')).toContain(`the status was "${from}"`);
  },
);

/** Loans that are closed; `also` are the states in which a service does so besides. */
function loans(also: readonly string[] = []): Crud {
  const status = { type: 'string', enum: ['open', 'lost', 'closed'], default: 'open' };
  return crud(
    {
      Loan: {
        fields: { title: text, status },
        optional: ['status'],
        can: 'list create read update',
      },
    },
    () => ({
      on: {
        closeLoan: ({ row }) => {
          if (row === undefined) return { status: 404 };
          const isFit = ['open', 'closed', ...also].includes(String(row['status']));
          if (!isFit) return { status: 422 };
          row['status'] = 'closed';
          return { status: 200, json: row };
        },
      },
    }),
    {
      paths: `
        /loans/{loanId}/close:
          parameters: [{ name: loanId, in: path, required: true, schema: { type: string } }]
          post:
            operationId: closeLoan
            summary: Close a loan
            description: >-
              Closes a loan that is open. One that is closed already is answered as it is, with 200.
              One in another state is a 422.
            responses:
              '200': { description: closed, content: { application/json: { schema: {
                $ref: '#/components/schemas/Loan' } } } }
              '404': { description: none }
              '422': { description: lost }`,
    },
  );
}

test('an action that may be repeated has no finding', async () => {
  expect(await loans().alarms()).toEqual([]);
});

test('an action in another state than its description names is found', async () => {
  const lines = await loans(['lost']).alarms(/states-hold/);
  expect(lines.join('\n')).toContain('the status was "lost"');
});
