import request from 'supertest';
import { afterEach, describe, expect, test } from 'vitest';
import { createMockApp } from '../../src/library/start-mock.ts';
import { utimes } from 'node:fs/promises';
import { makeWorkplace, notesContract, noteSchema, type Workplace } from './workplace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A place whose files are old enough to be remembered. */
async function makeOldPlace(): Promise<Workplace> {
  const files = {
    'openapi.yaml': notesContract(),
    'note.yaml': noteSchema(''),
    'fixtures/notes.yaml': 'notes:\n  - { id: 1, text: first }\n',
  };
  const place = await makeWorkplace(files);
  closing.push(() => place.remove());
  for (const name of [...Object.keys(files), 'fixtures', '.'])
    await utimes(place.path(name), 1_000, 1_000);
  return place;
}

const open = (place: Workplace): ReturnType<typeof createMockApp> =>
  createMockApp({
    contract: place.path('openapi.yaml'),
    fixtures: place.path('fixtures'),
    config: false,
    authentication: 'off',
  });

describe('the mock as an application', () => {
  test.each([
    ['records', { records: 50 }, 50],
    ['seedRecords, the old name,', { seedRecords: 7 }, 7],
    ['no option', {}, 3],
    ['no fixtures', { records: 50, fixtures: false as const }, 0],
  ])('%s decides how many records are generated', async (_name, options, count) => {
    const place = await makeWorkplace({
      'openapi.yaml': notesContract(),
      'note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const app = await createMockApp({
      contract: place.path('openapi.yaml'),
      config: false,
      authentication: 'off',
      ...options,
    });
    expect((await request(app).get('/v1/notes')).body).toHaveLength(count);
  });

  test('refuses a number of records that is none', async () => {
    const place = await makeOldPlace();
    await expect(
      createMockApp({ contract: place.path('openapi.yaml'), config: false, records: -1 }),
    ).rejects.toThrow('-1 is not a number of records to start with.');
  });

  test('works without a port, and each one has separate records', async () => {
    const place = await makeOldPlace();
    const [one, other] = [await open(place), await open(place)];
    expect((await request(one).post('/v1/notes').send({ text: 'mine' })).status).toBe(201);
    expect((await request(one).get('/v1/notes')).body).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: 'mine' },
    ]);
    expect((await request(other).get('/v1/notes')).body).toEqual([{ id: 1, text: 'first' }]);
  });

  test(
    'reads its files again when one of them has changed, a file that the ' +
      'contract refers to among them',
    async () => {
      const place = await makeOldPlace();
      await open(place);
      await place.write('note.yaml', noteSchema(', maxLength: 5'));
      expect(
        (
          await request(await open(place))
            .post('/v1/notes')
            .send({ text: 'far too long' })
        ).status,
      ).toBe(400);
      await place.write('fixtures/more.yaml', 'notes:\n  - { id: 2, text: more }\n');
      expect((await request(await open(place)).get('/v1/notes')).body).toHaveLength(2);
    },
  );

  test('releases its file when it is closed, and can be closed twice', async () => {
    const place = await makeOldPlace();
    const openKept = (): ReturnType<typeof createMockApp> =>
      createMockApp({
        contract: place.path('openapi.yaml'),
        fixtures: place.path('fixtures'),
        config: false,
        authentication: 'off',
        persist: place.path('notes.db'),
      });
    const first = await openKept();
    expect((await request(first).post('/v1/notes').send({ text: 'mine' })).status).toBe(201);
    await expect(openKept()).rejects.toThrow('another process has it open');
    await first.close();
    await first.close();
    const second = await openKept();
    expect((await request(second).get('/v1/notes')).body).toHaveLength(2);
    await second.close();
  });
});
