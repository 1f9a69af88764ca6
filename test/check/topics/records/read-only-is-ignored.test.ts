import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { readOnlyIsIgnored } from '../../../../src/check/topics/records/read-only-is-ignored.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { type Crud, crud, type Row, text } from '../../fixture/crud/crud.ts';
import { talk } from '../../fixture/talk.ts';

const message = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    appId: { type: 'integer', readOnly: true, examples: [5] },
  },
};
const contractTaking = (body: JsonObject): Contract =>
  makeContract({
    paths: {
      '/messages': {
        post: {
          requestBody: jsonContent(body),
          responses: { 201: { description: 'made', ...jsonContent(message) } },
        },
      },
      '/messages/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: 'one', ...jsonContent(message) } } },
      },
    },
  });
const contract = contractTaking(message);

function isAccused(appId: number, of = contract): boolean {
  const found = readOnlyIsIgnored.inspect(
    talk(of, [
      { ask: 'POST /messages', status: 201, body: {}, answer: { id: 'a', appId: 1 } },
      { ask: 'POST /messages', status: 201, body: { appId }, answer: { id: 'b', appId } },
    ]),
  );
  return (found ?? []).length > 0;
}

test('a read-only value that the contract shows may be the own one of the service', () => {
  expect(isAccused(5)).toBe(false);
  expect(isAccused(987_654)).toBe(true);
});

test('what a body declares for itself is of the client, whatever answers say of theirs', () => {
  const { appId: _read, ...others } = message.properties;
  const body = { ...message, properties: { ...others, appId: { type: 'integer' } } };
  const declaring = contractTaking(body);
  expect(isAccused(987_654, declaring)).toBe(false);
});

describe('a service that says that it ignores unknown fields', () => {
  const owner = { type: 'string' };
  const taking = (isTaken: boolean): Crud =>
    crud(
      { Note: { fields: { text, owner }, changeable: ['text'], can: 'create read update' } },
      () => ({
        changed: {
          notes: (row, sent) => {
            if (isTaken && 'owner' in sent) Object.assign(row, { owner: sent['owner'] });
          },
        },
      }),
      { description: 'Unknown fields in a body are ignored.' },
    );

  test('ignores what records show and the body does not declare', async () => {
    expect(await taking(false).alarms(/read-only/)).toEqual([]);
  });

  test('takes such a field: an error', async () => {
    const lines = await taking(true).alarms(/read-only/);
    expect(lines.join('\n')).toMatch(/^error read-only-is-ignored updateNote: .*took owner/);
  });

  test('takes it where only a read shows that', async () => {
    const lines = await tickets(true).alarms(/read-only/);
    expect(lines.join('\n')).toMatch(/^error read-only-is-ignored getTicket: .*took creator/);
    expect(await tickets(false).alarms(/read-only/)).toEqual([]);
  });
});

/** Tickets whose create answers their identifier alone. */
function tickets(isTaken: boolean): Crud {
  const form = '{ type: object, required: [text], properties: { text: { type: string } } }';
  const made = '{ type: object, required: [id], properties: { id: { type: string } } }';
  return crud(
    { Ticket: { fields: { text, creator: { type: 'string' } }, can: 'read' } },
    () => ({
      made: {
        tickets: (row, sent) => {
          const taken = isTaken ? sent['creator'] : undefined;
          Object.assign(row, { creator: taken ?? 'the desk' });
        },
      },
      on: {
        createTicket: ({ sound }) => {
          const { status, json } = sound();
          return status === 201 ? { status, json: { id: (json as Row).id } } : { status };
        },
      },
    }),
    {
      description: 'Unknown fields in a body are ignored.',
      paths: `
/tickets:
  post:
    operationId: createTicket
    requestBody: { required: true, content: { application/json: { schema: ${form} } } }
    responses:
      '201': { description: Made, content: { application/json: { schema: ${made} } } }
      '400': { description: Bad }`,
    },
  );
}
