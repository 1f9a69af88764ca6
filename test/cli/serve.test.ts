import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { makeWorkplace, notesContract, noteSchema } from '../library/workplace.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Told {
  readonly io: FakeIo;
  /** Resolves with the whole text once it holds this. */
  until(pattern: RegExp): Promise<string>;
}

/** A command that runs until the test is over, and what it tells. */
function run(words: readonly string[]): Told {
  const io = makeFakeIo();
  const waiting = new Set<() => void>();
  const told: FakeIo = {
    ...io,
    err: (text) => {
      io.err(text);
      for (const wake of waiting) wake();
    },
  };
  const ended = main(words, told);
  closing.push(async () => {
    io.stop();
    await ended;
  });
  return {
    io,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(io.written.err)) return;
          waiting.delete(look);
          resolve(io.written.err);
        };
        waiting.add(look);
        look();
        // A command that has ended tells no more; the test then says what it did tell.
        void ended.then(() => resolve(io.written.err));
      }),
  };
}

/** A port that something else listens on. */
async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  closing.push(async () => other.close());
  return String((other.address() as AddressInfo).port);
}

describe('a port that is taken', () => {
  test.each([
    ['mock', ['mock', '--demo']],
    ['proxy', ['proxy', 'http://127.0.0.1:9', '--demo']],
  ])('and was named is an error of vouch %s', async (_name, words) => {
    const io = makeFakeIo();
    const port = await takenPort();
    expect(await main([...words, '-p', port], io)).toBe(2);
    expect(io.written.err).toBe(
      `error Port ${port} is taken.\n` +
        'Stop what runs there, or take another port; 0 takes any that is free.\n',
    );
  });
});

describe('vouch mock', () => {
  test('serves several documents on one port, each under its base path', async () => {
    const place = await makeWorkplace({
      'red/openapi.yaml': notesContract(),
      'red/note.yaml': noteSchema(''),
      'blue/openapi.yaml': notesContract(),
      'blue/note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const { until } = run([
      'mock',
      place.path('red/openapi.yaml'),
      place.path('blue/openapi.yaml'),
      '--base',
      'blue=/blue',
      '--port',
      '0',
      '--auth',
      'off',
      '--quiet',
    ]);
    const banner = await until(/Stop with Ctrl-C/);
    const [, origin = ''] = / at (http:\/\/127\.0\.0\.1:\d+)\/v1\n/.exec(banner) ?? [];
    expect(banner).toContain(`${origin}/blue (Notes 1, from`);
    expect(
      await Promise.all(
        ['/v1/notes', '/blue/notes', '/notes'].map(
          async (path) => (await fetch(origin + path)).status,
        ),
      ),
    ).toEqual([200, 200, 404]);
  });

  test('without a document, the one of the folder is served, or the demo', async () => {
    const place = await makeWorkplace({
      'openapi.yaml': notesContract(),
      'note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const folder = process.cwd();
    process.chdir(place.folder);
    closing.push(async () => process.chdir(folder));
    expect(await run(['mock', '--port', '0', '--quiet']).until(/Stop with Ctrl-C/)).toContain(
      'contract  openapi.yaml',
    );
    const demo = await run(['mock', '--demo', '--port', '0', '--quiet']).until(/Stop with Ctrl-C/);
    expect(demo).toMatch(/^Mocking Pet Store Service Interface at http/);
    expect(demo).toContain('the bundled example; to serve yours');
    const io = makeFakeIo();
    expect(await main(['mock', 'openapi.yaml', '--demo'], io)).toBe(2);
    expect(io.written.err).toContain('--demo uses the bundled contract and takes no document.');
  });

  test('reports the paths that two documents share', async () => {
    const place = await makeWorkplace({
      'red.yaml': notesContract(),
      'blue.yaml': notesContract(),
      'note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const io = makeFakeIo();
    expect(
      await main(['mock', place.path('red.yaml'), place.path('blue.yaml'), '--port', '0'], io),
    ).toBe(2);
    expect(io.written.err).toMatch(
      /red and blue both have GET \/v1\/notes: at .*red\.yaml:6:5 and at .*blue\.yaml:6:5\./,
    );
    expect(io.written.err).toContain('--base blue=/blue');
  });

  test('follows its files with --watch', async () => {
    const place = await makeWorkplace({
      'openapi.yaml': notesContract(),
      'note.yaml': noteSchema(''),
    });
    closing.push(() => place.remove());
    const { until } = run([
      'mock',
      place.path('openapi.yaml'),
      '--watch',
      '--port',
      '0',
      '--auth',
      'off',
    ]);
    await until(/Stop with Ctrl-C/);
    await place.swap('note.yaml', 'type: {');
    expect(await until(/until this is fixed/)).toMatch(
      /error .*note\.yaml is not readable[\s\S]*note\.yaml:1:\d/,
    );
    await place.swap('note.yaml', noteSchema(', maxLength: 9'));
    expect(await until(/reloaded/)).toMatch(/reloaded .*note\.yaml, fixed: 4 operations\n/);
  });
});
