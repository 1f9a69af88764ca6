import { afterEach, describe, expect, test } from 'vitest';
import { formatPlace, VouchError } from '../../src/errors.ts';
import { loadHandlers } from '../../src/library/handlers/load-handlers.ts';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { vouch } from '../../src/msw/vite.ts';
import {
  collectReloads,
  makeWorkplace,
  notesContract,
  noteSchema,
  type Workplace,
} from './workplace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function folderOf(files: Readonly<Record<string, string>>): Promise<Workplace> {
  const place = await makeWorkplace({
    'openapi.yaml': notesContract(),
    'note.yaml': noteSchema(''),
    ...files,
  });
  closing.push(() => place.remove());
  return place;
}

const typed = `
import { shout } from './shout.ts';
interface Note { readonly id: number; readonly text: string }
export default async ({ next }: { next(): Promise<{ body: unknown }> }) => {
  const notes = (await next()).body as Note[];
  return { body: notes.map((note): Note => ({ ...note, text: shout(note.text) })) };
};
`;
const files = {
  'fixtures/notes.yaml': 'notes:\n  - { id: 1, text: first }\n',
  'handlers/listNotes.ts': typed,
  'handlers/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();\n',
  'handlers/others.mjs': "export default { 'POST /notes': () => ({ status: 400 }) };\n",
  'handlers/listNotes.test.ts': "throw new Error('a test');\n",
  'handlers/README.md': '# Handlers',
};

async function serve(
  place: Workplace,
  more: Parameters<typeof startMock>[0] = {},
): Promise<RunningMock> {
  const mock = await startMock({
    contract: place.path('openapi.yaml'),
    fixtures: place.path('fixtures'),
    handlers: place.path('handlers'),
    config: false,
    authentication: 'off',
    ...more,
  });
  closing.push(() => mock.close());
  return mock;
}

async function notesOf(mock: RunningMock): Promise<unknown> {
  return (await fetch(`${mock.url}/notes`)).json();
}

describe('a folder of handlers', () => {
  test('answers by files named after operations, and by objects of functions', async () => {
    const mock = await serve(await folderOf(files));
    expect(await notesOf(mock)).toEqual([{ id: 1, text: 'FIRST' }]);
    const made = await fetch(`${mock.url}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"second"}',
    });
    expect(made.status).toBe(400);
  });

  test('is loaded again on save, with what its modules import, and the records stay', async () => {
    const place = await folderOf({ ...files, 'handlers/others.mjs': '' });
    const { next, onReload } = collectReloads();
    const mock = await serve(place, { watch: true, onReload });
    await fetch(`${mock.url}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"second"}',
    });
    await place.write('handlers/shout.ts', 'export const shout = (text: string) => `${text}!`;\n');
    expect(await next()).toMatchObject({ type: 'reloaded', contractChanged: false });
    expect(await notesOf(mock)).toMatchObject([{ text: 'first!' }, { text: 'second!' }]);
    await place.write('handlers/listNotes.ts', 'export default (: string) => 1;\n');
    expect(await next()).toMatchObject({ type: 'failed' });
    expect(await notesOf(mock)).toMatchObject([{ text: 'first!' }, { text: 'second!' }]);
    await place.write('handlers/listNotes.ts', 'export default () => undefined;\n');
    // A busy machine may look at the file while it is written.
    let event = await next();
    while (event.type === 'failed') event = await next();
    expect(event).toMatchObject({ type: 'reloaded', isFixed: true });
    expect(await notesOf(mock)).toMatchObject([{ text: 'first' }, { text: 'second' }]);
  });

  test('is named in the configuration, relative to it', async () => {
    const place = await folderOf({
      ...files,
      'vouch.config.yaml':
        'contract: openapi.yaml\nmock:\n  fixtures: fixtures\n  handlers: handlers\n',
    });
    const mock = await startMock({
      config: place.path('vouch.config.yaml'),
      authentication: 'off',
    });
    closing.push(() => mock.close());
    expect(await notesOf(mock)).toEqual([{ id: 1, text: 'FIRST' }]);
  });

  test('belongs to one of several contracts', async () => {
    const place = await folderOf(files);
    const mock = await startMock({
      contracts: [
        {
          contract: place.path('openapi.yaml'),
          name: 'a',
          base: '/a',
          fixtures: place.path('fixtures'),
          handlers: place.path('handlers'),
        },
        {
          contract: place.path('openapi.yaml'),
          name: 'b',
          base: '/b',
          fixtures: place.path('fixtures'),
        },
      ],
      config: false,
      authentication: 'off',
    });
    closing.push(() => mock.close());
    const { origin } = new URL(mock.url);
    const [own, other] = await Promise.all(
      ['/a', '/b'].map(async (base) => (await fetch(`${origin}${base}/notes`)).json()),
    );
    expect([own, other]).toMatchObject([[{ text: 'FIRST' }], [{ text: 'first' }]]);
  });

  test('cannot be for several contracts at once', async () => {
    const { path } = await folderOf({ 'other.yaml': notesContract() });
    const contracts = [path('openapi.yaml'), path('other.yaml')];
    await expect(startMock({ contracts, handlers: 'handlers', config: false })).rejects.toThrow(
      'handlers cannot be for several contracts at once',
    );
  });

  test('is bundled for the browser by the plugin', async () => {
    const place = await folderOf(files);
    const watched: string[] = [];
    const plugin = vouch({
      contract: place.path('openapi.yaml'),
      handlers: place.path('handlers'),
      config: false,
    });
    const code = await plugin.load.call(
      { addWatchFile: (file) => watched.push(file) },
      '\0virtual:vouch',
    );
    expect(code).toContain(`import * as handler0 from "${place.path('handlers/listNotes.ts')}"`);
    expect(code).toContain('of("listNotes", handler0.default)');
    expect(watched).toContain(place.path('handlers/shout.ts'));
  });
});

describe('handlers that cannot be loaded', () => {
  test.each([
    ['a folder that is not there', {}, /There is no folder .*handlers/, undefined],
    [
      'a module with an error in its syntax',
      { 'handlers/getNote.mjs': '\n\nexport default (;\n' },
      /getNote\.mjs cannot be loaded: Unexpected token/,
      /getNote\.mjs:3:/,
    ],
    [
      'a module that throws',
      { 'handlers/getNote.ts': "\nthrow new Error('no database');\n" },
      /cannot be loaded: no database/,
      /getNote\.ts:2:7/,
    ],
    [
      'two of one name',
      {
        'handlers/getNote.ts': 'export default () => {};',
        'handlers/x.js': 'export default { getNote() {} };',
      },
      /getNote has two handlers/,
      /x\.js:1:1/,
    ],
    [
      'what is none',
      { 'handlers/getNote.ts': 'export default 7;' },
      /is no handler/,
      /getNote\.ts:1:1/,
    ],
  ])('%s', async (_what, given, message, at) => {
    const place = await folderOf(given);
    const error: unknown = await loadHandlers(place.path('handlers')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(VouchError);
    const { code, message: said, place: where } = error as VouchError;
    expect({ code, said }).toEqual({
      code: 'handler-invalid',
      said: expect.stringMatching(message),
    });
    if (at !== undefined) expect(where && formatPlace(where)).toMatch(at);
  });

  test('a file of no operation is named with what may be meant', async () => {
    const place = await folderOf({ ...files, 'handlers/listNote.ts': 'export default () => {};' });
    await expect(serve(place)).rejects.toMatchObject({
      code: 'handler-invalid',
      hint: 'Did you mean listNotes?',
    });
  });
});
