import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { makeFakeIo } from '../fake-io.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vouch-changed-test-')));
afterAll(() => rmSync(folder, { recursive: true }));

const repository = join(folder, 'repository');

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function git(...args: string[]): void {
  execFileSync(
    'git',
    [
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@example.com',
      '-c',
      'commit.gpgsign=false',
      ...args,
    ],
    {
      cwd: repository,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    },
  );
}

function one(max: number): string {
  return `openapi: 3.1.0
info: { title: One, version: '1' }
paths:
  /a: { get: { operationId: getA, parameters: [{ name: n, in: query, schema: { type: integer,
      maximum: ${String(max)} } }], responses: { '200': { description: ok } } } }
  /b: { get: { operationId: getB, responses: { '200': { description: ok } } } }
`;
}

const many = `openapi: 3.1.0
info: { title: Many, version: '1' }
paths:
  /a: { get: { operationId: getA, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: 'schemas/a.yaml' } } } } } } }
  /b: { get: { operationId: getB, responses: { '200': { description: ok } } } }
`;

beforeAll(() => {
  write('repository/one.yaml', one(5));
  write('repository/deep/many.yaml', many);
  write('repository/deep/schemas/a.yaml', 'type: string\n');
  git('init', '--initial-branch=main');
  git('add', '.');
  git('commit', '-m', 'first');
  git('tag', 'v1');
  write('repository/one.yaml', one(9));
  write('repository/deep/schemas/a.yaml', 'type: string\nminLength: 1\n');
  write('repository/new.yaml', one(5));
  write('elsewhere/one.yaml', one(5));
});

interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function plan(file: string, ref: string): Promise<Told> {
  const io = makeFakeIo();
  const code = await main(
    [
      'check',
      'http://127.0.0.1:1',
      join(folder, file),
      '--seed',
      's',
      '--changed-since',
      ref,
      '--plan',
    ],
    io,
  );
  return { code, out: io.written.out, err: io.written.err.replaceAll(folder, '…') };
}

/** The operations that get requests, and those that do not. */
async function chosen(file: string, ref: string): Promise<{ asked: string[]; skipped: string[] }> {
  const { out } = await plan(file, ref);
  const lines = out.split('\n');
  const asked = lines.flatMap((line) => /GET http:\/\/127\.0\.0\.1:1\/(\w)/.exec(line)?.[1] ?? []);
  return {
    asked: [...new Set(asked)].sort(),
    skipped: lines.filter((line) => line.startsWith('skipped')),
  };
}

describe('--changed-since takes only operations whose contract changed', () => {
  test('in the document itself', async () => {
    expect(await chosen('repository/one.yaml', 'v1')).toEqual({
      asked: ['a'],
      skipped: ['skipped GET /b: its contract has not changed since v1.'],
    });
  });

  test('in another file that it refers to', async () => {
    expect(await chosen('repository/deep/many.yaml', 'HEAD')).toEqual({
      asked: ['a'],
      skipped: ['skipped GET /b: its contract has not changed since HEAD.'],
    });
  });

  test('all of them, if the document did not exist', async () => {
    expect(await chosen('repository/new.yaml', 'main')).toEqual({ asked: ['a', 'b'], skipped: [] });
  });

  test('none is not a failure, and is reported', async () => {
    git('add', '.');
    git('commit', '-m', 'second');
    const io = makeFakeIo();
    const code = await main(
      ['check', 'http://127.0.0.1:1', join(repository, 'one.yaml'), '--changed-since', 'HEAD'],
      io,
    );
    expect(code).toBe(0);
    expect(io.written.out.replaceAll(/\s+/g, ' ')).toContain(
      'No operation of the contract has changed since HEAD: there was nothing to check.',
    );
  });
});

describe('and reports why it cannot', () => {
  test.each<[string, string, string]>([
    ['elsewhere/one.yaml', 'main', '/elsewhere, is not in a Git repository.'],
    ['repository/one.yaml', 'nowhere', 'Git does not know the commit nowhere.'],
    ['repository/one.yaml', '--output=/tmp/x', '--output=/tmp/x is not a valid commit name.'],
    ['repository/one.yaml', 'main..v1', 'main..v1 is not a valid commit name.'],
    ['repository/one.yaml', 'main:one.yaml', 'main:one.yaml is not a valid commit name.'],
  ])('%s since %s', async (file, ref, message) => {
    const { code, out, err } = await plan(file, ref);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});
