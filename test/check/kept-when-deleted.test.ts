import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { jsonOf, mockOf, send } from '../mock/workshop.ts';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { notes, notesContract, type NotesQuirk, unmarkedContract } from './fixture/kept-notes.ts';

const about = /deleted-is-gone|soft-delete-holds/;

describe('records that are kept when they are deleted, and shown with a flag', () => {
  test('are no alarm', async () => {
    expect(alarms(await findingsOf(notesContract, notes()))).toEqual([]);
  });

  test.each<[NotesQuirk, RegExp]>([
    ['lists-deleted', /error (?:deleted-is-gone|soft-delete-holds) listNotes.*still has it/],
    ['reads-deleted', /error deleted-is-gone readNote.*marked as deleted/],
    ['forgets-deleted', /error soft-delete-holds readNote.*answered 404 for it/],
    ['ignores-flag', /error soft-delete-holds listNotes.*lacks it/],
    ['marks-none', /error soft-delete-holds readNote.*shows nothing of that/],
  ])('%s is an error', async (quirk, expected) => {
    const lines = alarms(await findingsOf(notesContract, notes(quirk)));
    expect(lines.filter((line) => about.test(line)).join('\n')).toMatch(expected);
  });
});

test('a record that nothing can mark is shown as it was, by the mock too', async () => {
  expect(alarms(await findingsOf(unmarkedContract, notes('marks-none')))).toEqual([]);
  const mock = await mockOf({ contract: unmarkedContract });
  const { id } = jsonOf(await send(mock, 'POST /notes', { body: { text: 'Milk' } })) as JsonObject;
  await send(mock, `DELETE /notes/${String(id)}`);
  const shown = await send(mock, `GET /notes/${String(id)}?includeDeleted=true`);
  expect(jsonOf(shown)).toEqual({ id, text: 'Milk' });
});

test('the mock marks what is deleted, and shows it to who asks', async () => {
  const mock = await mockOf({ contract: notesContract });
  const made = jsonOf(await send(mock, 'POST /notes', { body: { text: 'Milk' } }));
  const { id } = made as { id: string };
  const read = async (query: string): Promise<unknown> =>
    jsonOf(await send(mock, `GET /notes/${id}${query}`));
  const listed = async (query: string): Promise<number> =>
    (jsonOf(await send(mock, `GET /notes${query}`)) as JsonValue[]).length;
  const before = await listed('?includeDeleted=true');
  expect((await send(mock, `DELETE /notes/${id}`)).status).toBe(204);
  expect((await send(mock, `GET /notes/${id}`)).status).toBe(404);
  expect(await read('?includeDeleted=true')).toEqual({
    id,
    text: 'Milk',
    deletedAt: '2030-01-02T03:04:05.000Z',
  });
  expect([await listed(''), await listed('?includeDeleted=true')]).toEqual([before - 1, before]);
});
