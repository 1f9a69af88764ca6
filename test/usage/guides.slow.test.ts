import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { readConfig } from '../../src/config/config.ts';
import { VouchError } from '../../src/errors.ts';
import { openFileAppender, openFileWriter, writeWholeFile } from '../../src/files/file-writer.ts';
import { packageFolder } from '../../src/library/package-files.ts';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';

const guides = join(packageFolder, 'docs/guides');
const contract = join(packageFolder, 'openapi/petstore.v1.yaml');
let folder = '';
let mocks: readonly RunningMock[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-guides-'));
  mocks = await Promise.all(
    [0, 1].map(() => startMock({ contract, config: false, keys: ['demo-key'] })),
  );
});
afterAll(async () => {
  await Promise.all(mocks.map((mock) => mock.close()));
  rmSync(folder, { recursive: true });
});

/** A reader of one guide: a folder of their own, and the mock that they started last. */
interface Reader {
  readonly folder: string;
  serving: Serving | undefined;
  origin: string;
}

/** A mock that serves until it is stopped. */
interface Serving {
  stop(): Promise<unknown>;
}

function environmentOf(reader: Reader): NodeJS.ProcessEnv {
  const [ours, theirs] = mocks;
  return {
    ...process.env,
    NO_COLOR: '1',
    GITHUB_STEP_SUMMARY: '',
    URL: ours?.url,
    OTHER: theirs?.url,
    VOUCH_TOKEN: 'demo-key',
    VOUCH_STATE_DIR: join(reader.folder, 'state'),
  };
}

/**
 * Runs one command of a guide as its reader would, and answers its exit code with what it printed.
 * A mock is left to serve. vouch runs in this process, where its code is loaded and compiled
 * already; a proxy that starts a program has a process of its own, whose output it shares.
 */
async function run(line: string, reader: Reader): Promise<string> {
  if (/^npx vouch mock\b(?!.*--explain)/.test(line)) return serve(line, reader);
  const command = line.replaceAll('http://127.0.0.1:4010', reader.origin);
  if (line.startsWith('npx vouch') && !line.includes(' -- ')) {
    let said = '';
    const io = ioOf(reader, (text) => (said += text), new AbortController().signal);
    return `${String(await main(await wordsOf(command, reader), io))}\n${said}`;
  }
  return runShell(
    command
      .replace('npx vouch', `'${process.execPath}' '${join(packageFolder, 'bin/vouch.js')}'`)
      .replace(/^curl /, "curl -sS -w '\\n%{http_code}' "),
    reader,
  );
}

function runShell(command: string, reader: Reader): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', command],
      { cwd: reader.folder, env: environmentOf(reader), maxBuffer: 64 * 1024 * 1024 },
      (_error, out, err) => resolve(`${String(child.exitCode)}\n${out}${err}`),
    );
  });
}

/** The words of a command of vouch, as the shell divides them. */
async function wordsOf(line: string, reader: Reader): Promise<string[]> {
  const printed = await runShell(line.replace('npx vouch', "printf '%s\\n'"), reader);
  return printed.trimEnd().split('\n').slice(1);
}

/** What the command line has of a process in which nothing is a terminal. */
function ioOf(reader: Reader, say: (text: string) => void, signal: AbortSignal): Io {
  return {
    out: say,
    err: say,
    program: 'npx vouch',
    env: environmentOf(reader),
    clock: () => new Date(),
    isTTY: { out: false, err: false },
    width: 80,
    signal,
    readFile: (path) => readFile(path),
    writeFile: async (path, text) => writeWholeFile(path, text),
    openFile: openFileWriter,
    appendFile: openFileAppender,
  };
}

async function serve(line: string, reader: Reader): Promise<string> {
  await reader.serving?.stop();
  const stopping = new AbortController();
  const words = await wordsOf(line, reader);
  return new Promise((resolve) => {
    let said = '';
    const io = ioOf(
      reader,
      (text) => {
        said += text;
        const [, origin] = /^Mocking .* at (http:\/\/127\.0\.0\.1:\d+)/m.exec(said) ?? [];
        if (origin === undefined || !said.includes('Stop with Ctrl-C')) return;
        reader.origin = origin;
        resolve(`0\n${said}`);
      },
      stopping.signal,
    );
    const ended = main([...words, '--port', '0'], io);
    void ended.then((code) => resolve(`${String(code)}\n${said}`));
    reader.serving = { stop: () => (stopping.abort('SIGINT'), ended) };
  });
}

/** Statuses that are no success: what the guide says will happen. */
const unhappy = ['Prefer: code=404', 'Prefer: scenario=sold-out'];

/**
 * Files that a guide has its reader write: `<!-- file: NAME -->`, and `<!-- config -->` for
 * vouch.config.yaml.
 */
function filesOf(text: string): (readonly [name: string, content: string])[] {
  const files = [
    ...text.matchAll(/<!-- (?:file: (\S+)|config) -->\n```(?:yaml|ts)\n([\s\S]*?)```/g),
  ];
  return files.map(([, name = 'vouch.config.yaml', content = '']) => [name, content]);
}

/** As `wc -w` counts them. */
const wordCount = (text: string): number => text.trim().split(/\s+/).length;

test('the guides have at most 15,000 words', () => {
  const words = readdirSync(guides).map((name) =>
    wordCount(readFileSync(join(guides, name), 'utf8')),
  );
  expect(words.reduce((total, count) => total + count)).toBeLessThanOrEqual(15_000);
});

describe.each(readdirSync(guides))('docs/guides/%s', (name) => {
  const text = readFileSync(join(guides, name), 'utf8');
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((match) =>
    (match[1] ?? '').trim().split('\n'),
  );

  test.runIf(commands.length > 0)(
    'its commands have the printed result, one after the other',
    async () => {
      const reader: Reader = {
        folder: join(folder, name),
        serving: undefined,
        origin: 'http://127.0.0.1:4010',
      };
      mkdirSync(reader.folder);
      copyFileSync(contract, join(reader.folder, 'openapi.yaml'));
      for (const [file, content] of filesOf(text)) {
        mkdirSync(dirname(join(reader.folder, file)), { recursive: true });
        writeFileSync(join(reader.folder, file), content);
      }
      const home = process.cwd();
      process.chdir(reader.folder);
      try {
        for (const command of commands) {
          const said = await run(command, reader);
          expect(said.split('\n')[0], `${command}\n${said}`).toBe('0');
          if (command.startsWith('curl ') && !unhappy.some((words) => command.includes(words)))
            expect(said, command).toMatch(/\n20[01]$/);
        }
      } finally {
        await reader.serving?.stop();
        process.chdir(home);
      }
    },
    240_000,
  );

  test('has at most a page of words, and its links exist', () => {
    expect(wordCount(text)).toBeLessThanOrEqual(600);
    const links = [...text.matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(guides, path)))).toEqual([]);
  });
});

describe('the configuration that README shows', () => {
  const file = join(packageFolder, 'test/usage/targets.yaml');

  test('conforms to the schema for editors', () => {
    const schema: object = JSON.parse(
      readFileSync(join(packageFolder, 'schemas/config.schema.json'), 'utf8'),
    );
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    const config: unknown = parse(readFileSync(file, 'utf8'));
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ targets: { staging: { url: 'https://a.example', mod: 'fuzz' } } })).toBe(
      false,
    );
  });

  test('contains no token, and none is shown', async () => {
    const wrong = join(folder, 'vouch.config.yaml');
    writeFileSync(wrong, 'targets:\n  staging: { url: https://a.example, auth: s3cret-of-mine }\n');
    const said = await readConfig(folder, wrong).catch((error: unknown) => error);
    expect(said).toBeInstanceOf(VouchError);
    expect(JSON.stringify([said, String(said)])).not.toContain('s3cret-of-mine');
    expect(String(said)).toContain(
      'targets.staging.auth names the environment variable that holds the token, as env:NAME',
    );
  });

  test('is read', async () => {
    const { targets, check } = await readConfig(packageFolder, file);
    expect(Object.keys(targets)).toEqual(['staging', 'production']);
    expect(check?.checks).toEqual({ 'answers-in-time': 'off', 'deprecation-announced': 'error' });
  });
});
