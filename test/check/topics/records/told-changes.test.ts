import { expect, test } from 'vitest';
import { type Crud, crud, type Fields, text } from '../../fixture/crud/crud.ts';
import { jsonObject } from '../../fixture/inline-service.ts';

const can = 'list create read update delete';

/** Notes that only a service archives: no change may set that state. */
function archived(takes: boolean): Crud {
  const state = { type: 'string', enum: ['open', 'done', 'archived'], default: 'open' };
  const given = 'status: { type: string, enum: [open, done] }';
  return crud(
    { Note: { fields: { title: text, status: state }, optional: ['status'], can } },
    () => ({
      on: {
        updateNote: ({ call, row, sound }) => {
          const status = jsonObject(call.body)?.['status'];
          if (!takes || status !== 'archived' || row === undefined) return sound();
          Object.assign(row, { status });
          return { status: 200, json: row };
        },
      },
    }),
    { schemas: `NoteChange: { type: object, properties: { title: { type: string }, ${given} } }` },
  );
}

test('a word that records have and a body may not is tried', async () => {
  expect(await archived(false).alarms()).toEqual([]);
  const lines = await archived(true).alarms(/^error invalid-refused/);
  expect(lines.join('\n')).toContain('status is "archived"');
});

/** Members of a list, of which no two may have one address. */
function addressed(isRefused: boolean): Crud {
  return crud(
    {
      Member: {
        fields: { email_address: { type: 'string', format: 'email' }, title: text },
        can,
        says: { create: 'An address that the list has already is refused with 400.' },
      },
    },
    () => ({
      refuse: {
        members: (next, beside) =>
          isRefused && beside.some((one) => one['email_address'] === next['email_address'])
            ? 400
            : undefined,
      },
    }),
  );
}

test('a value that may not be taken is known by the last word of its member', async () => {
  expect(await addressed(true).alarms(/^error/)).toEqual([]);
  const lines = await addressed(false).alarms(/^error unique-is-kept/);
  expect(lines.join('\n')).toContain('email_address');
});

/** Notes with an object, within which a change keeps what it leaves out. */
function nested(keeps: boolean): Crud {
  const contact = { type: 'object', properties: { name: text, town: text, country: text } };
  return crud(
    {
      Note: {
        fields: { title: text, contact },
        can,
        says: { update: 'What is left out keeps its value, within `contact` too.' },
      },
    },
    () => {
      const before = new Map<string, Fields>();
      return {
        made: { notes: (note) => before.set(note.id, note['contact'] as Fields) },
        changed: {
          notes: (note) => {
            if (keeps) note['contact'] = { ...before.get(note.id), ...(note['contact'] as Fields) };
            before.set(note.id, note['contact'] as Fields);
          },
        },
      };
    },
  );
}

test('an object within which words keep what is left out is changed in part', async () => {
  expect(await nested(true).alarms()).toEqual([]);
  const lines = await nested(false).alarms(/^error replaced-is-persisted/);
  expect(lines.join('\n')).toContain('it replaced the whole object');
});

/** Notes that are changed in one state alone. */
function closed(isRefused: boolean): Crud {
  const state = { type: 'string', enum: ['draft', 'sent'], default: 'draft' };
  return crud(
    {
      Note: {
        fields: { title: text, status: state },
        optional: ['status'],
        can,
        says: { update: 'Only in the status `draft` (400).' },
      },
    },
    () => ({
      refuse: {
        notes: (_next, _beside, before) =>
          isRefused && before !== undefined && before['status'] !== 'draft' ? 400 : undefined,
      },
    }),
  );
}

test('a state in which words alone allow a change is tried with the others', async () => {
  expect(await closed(true).alarms(/^error/)).toEqual([]);
  const lines = await closed(false).alarms(/^error states-hold/);
  expect(lines.join('\n')).toContain('the status was "sent"');
});

/** Notes to which one subscribes once. */
function followed(isOnce: boolean): Crud {
  const subscribers = new Set<string>();
  return crud(
    { Note: { fields: { title: text }, can } },
    () => ({
      on: {
        followNote: ({ row }) => {
          if (row === undefined) return undefined;
          const isAgain = isOnce && subscribers.has(row.id);
          subscribers.add(row.id);
          return { status: isAgain ? 409 : 204 };
        },
      },
    }),
    {
      paths: `
        /notes/{noteId}/follow:
          parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
          post:
            operationId: followNote
            responses:
              '204': { description: done }
              '404': { description: none }
              '409': { description: You follow it already. }
      `,
    },
  );
}

test('what a status says to be done already is sent twice', async () => {
  expect(await followed(true).alarms()).toEqual([]);
  const lines = await followed(false).alarms(/^error states-hold/);
  expect(lines.join('\n')).toContain('followNote succeeded twice in a row, which is 409');
});

test('a status that tells of another action says nothing of a repetition', async () => {
  const parameters = '[{ name: orderId, in: path, required: true, schema: { type: string } }]';
  const shop = crud(
    { Order: { fields: { title: text }, can } },
    () => ({ on: { cancelOrder: ({ row }) => (row === undefined ? undefined : { status: 204 }) } }),
    {
      paths: `
        /orders/{orderId}/cancel:
          parameters: ${parameters}
          post:
            operationId: cancelOrder
            responses:
              '204': { description: done }
              '404': { description: none }
              '409': { description: The order has already been shipped. }
      `,
    },
  );
  expect(await shop.alarms(/^error/)).toEqual([]);
});

/** Letters to readers; what is sent is noted. */
function letters(sent: string[], others: boolean): Crud {
  const made: Crud = crud(
    {
      Reader: { fields: { name: text }, can: others ? 'list read' : can },
      Letter: { fields: { title: text, reader_id: text }, can },
    },
    (rows) => ({
      refuse: {
        letters: ({ reader_id: to }) =>
          rows('readers').some(({ id }) => id === to) ? undefined : 400,
      },
      on: {
        sendLetter: ({ row }) => {
          if (row === undefined) return undefined;
          sent.push(String(row['reader_id']));
          return { status: 204 };
        },
      },
    }),
    {
      paths: `
        /letters/{letterId}/send:
          parameters: [{ name: letterId, in: path, required: true, schema: { type: string } }]
          post:
            operationId: sendLetter
            responses: { '204': { description: done }, '404': { description: none } }
      `,
    },
  );
  made.rows('readers').push({ id: 'ada', name: 'Ada' });
  return made;
}

test('what is sent goes to records of the run alone', async () => {
  const [own, others]: [string[], string[]] = [[], []];
  expect(await letters(own, false).alarms()).toEqual([]);
  expect(own.length).toBeGreaterThan(0);
  expect(own).not.toContain('ada');
  expect(await letters(others, true).alarms()).toEqual([]);
  expect(others).toEqual([]);
});

/** Errors with the identifier of their request. */
function traced(isSame: boolean): Crud {
  let count = 0;
  return crud(
    { Note: { fields: { title: text }, can: 'list create' } },
    () => ({
      on: {
        traceNote: ({ row, sound }) => {
          if (row !== undefined) return sound();
          const id = `request-${String((count += 1))}`;
          const json = { request: isSame ? id : 'request-0' };
          return { status: 404, json, headers: { 'X-Request-Id': id } };
        },
      },
    }),
    {
      paths: `
        /notes/{noteId}:
          parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
          get:
            operationId: traceNote
            responses:
              '200':
                description: one
                content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
              '404':
                description: none
                content: { application/json: { schema: { $ref: '#/components/schemas/Trace' } } }
      `,
      schemas: `
        Trace:
          type: object
          properties: { request: { type: string, description: as X-Request-Id } }
      `,
    },
  );
}

test('a member of an error that repeats a header is compared with it', async () => {
  expect(await traced(true).alarms(/error-repeats-status/)).toEqual([]);
  const lines = await traced(false).alarms(/^error/);
  expect(lines.join('\n')).toContain('the header X-Request-Id is request-');
});

/** Tasks with a day that null takes away, in a replacement that changes what it has. */
function dated(clears: boolean): Crud {
  const due = { type: ['string', 'null'], format: 'date' };
  const replaces = 'Changes what is sent; what is left out stays as it is.';
  return crud(
    {
      Task: {
        fields: { title: text, due },
        optional: ['due'],
        can: 'list create read replace delete',
        says: { replace: replaces },
      },
    },
    () => {
      const before = new Map<string, unknown>();
      const keep = (task: Fields & { readonly id: string }): void => {
        task['due'] ??= clears ? null : (before.get(task.id) ?? null);
        before.set(task.id, task['due']);
      };
      return { made: { tasks: keep }, changed: { tasks: keep } };
    },
  );
}

test('null empties a member that the schema of a change lets be null', async () => {
  expect(await dated(true).alarms(/^error/)).toEqual([]);
  const lines = await dated(false).alarms(/^error replaced-is-persisted/);
  expect(lines.join('\n')).toContain('instead of null');
});
