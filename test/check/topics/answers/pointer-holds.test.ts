import { describe, expect, test } from 'vitest';
import { crud, text } from '../../fixture/crud/crud.ts';

describe('an error that points into the request', () => {
  const pointing = (pointer: string): Promise<string[]> =>
    crud({ Note: { fields: { title: text, kind: { type: 'integer' } } } }, () => ({
      on: {
        createNote: ({ sound }) =>
          sound().status === 400
            ? { status: 400, json: { errors: [{ source: { pointer } }] } }
            : undefined,
      },
    })).alarms(/pointer-holds/);

  test.each(['', '/'])('may point to the whole document, written "%s"', async (pointer) => {
    expect(await pointing(pointer)).toEqual([]);
  });

  test('may not point to a member that is valid', async () => {
    const lines = await pointing('/title');
    expect(lines.map((line) => line.split(':')[0])).toContain('error pointer-holds createNote');
  });
});
