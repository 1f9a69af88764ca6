import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

interface Input {
  readonly description: string;
  readonly default?: string;
  readonly required?: boolean;
}
interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, Input>>;
  readonly outputs: Readonly<
    Record<string, { readonly description: string; readonly value: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

/**
 * The action is run as far as that can be without GitHub: its shell step, with what GitHub would
 * hand over, and a node and an npx that write down their arguments.
 */
const action = parse(readFileSync(join(packageFolder, 'action.yml'), 'utf8')) as Action;
const guide = readFileSync(join(packageFolder, 'docs/guides/ci-github.md'), 'utf8');
const check = action.runs.steps.find(({ id }) => id === 'check');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-action-'));
  for (const program of ['node', 'npx'])
    writeFileSync(
      join(folder, program),
      `#!/bin/sh\nprintf "%s\\n" ${program} "$@" > asked\nexit "\${FAKE_EXIT:-0}"\n`,
      { mode: 0o755 },
    );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the shell step with these inputs; GitHub runs bash in the same way. */
function run(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const given = Object.entries(check?.env ?? {}).map(([name, text]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '';
    return [name, inputs[input] ?? action.inputs[input]?.default ?? ''] as const;
  });
  rmSync(join(folder, 'asked'), { force: true });
  writeFileSync(join(folder, 'output'), '');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', check?.run ?? 'exit 99'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        GITHUB_ACTION_PATH: '/action',
        GITHUB_OUTPUT: join(folder, 'output'),
        ...Object.fromEntries(given),
        ...env,
      },
    },
  );
  const asked = existsSync(join(folder, 'asked'))
    ? readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n')
    : [];
  return {
    status,
    said: stdout + stderr,
    asked,
    output: readFileSync(join(folder, 'output'), 'utf8'),
  };
}

const url = 'http://127.0.0.1:4010/v1';

describe('action.yml', () => {
  test('is a composite action whose inputs and outputs it and the guide describe', () => {
    expect(action.runs.using).toBe('composite');
    const [inputs = '', outputs = ''] = [
      guide.slice(guide.indexOf('| input |'), guide.indexOf('Outputs:')),
      guide.slice(guide.indexOf('Outputs:')),
    ];
    for (const [name, { description }] of Object.entries(action.inputs)) {
      expect(description).toMatch(/\.$/);
      expect(inputs).toContain(`\`${name}\``);
    }
    for (const name of Object.keys(action.outputs)) expect(outputs).toContain(`\`${name}\``);
    const used = [...guide.matchAll(/^ {10}([a-z-]+):/gm)]
      .map((match) => match[1] ?? '')
      .filter((name) => name !== 'STAGING_TOKEN');
    expect(used.filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([]);
  });

  test('inputs reach a shell only as variables, and every step names its shell', () => {
    for (const step of action.runs.steps) {
      expect(step.run === undefined ? step.uses : step.shell).toBeDefined();
      expect(step.run ?? '').not.toContain('${{');
    }
    const expressions = [...JSON.stringify(action).matchAll(/inputs\.([\w-]+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(expressions.filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([]);
    expect(Object.keys(action.inputs).filter((name) => !expressions.includes(name))).toEqual([]);
  });

  test('installs what a check needs, without what only the development needs', () => {
    const install = action.runs.steps.find(({ run: text }) => text?.includes('npm ci') === true);
    expect(install?.run).toContain('--omit=dev');
    const packages = (file: string): Record<string, Record<string, string>> =>
      JSON.parse(readFileSync(join(packageFolder, file), 'utf8')) as never;
    for (const group of ['source', 'commands']) {
      const { dependencies = {} } = packages(`tools/${group}/package.json`);
      const { devDependencies } = packages('package.json');
      expect(devDependencies, group).toMatchObject(dependencies);
    }
  });

  test('checks the URL, and writes the reports and its outputs', () => {
    const { status, asked, output } = run({ url, contract: 'openapi.yaml' });
    expect(status).toBe(0);
    expect(asked).toEqual([
      'node',
      '/action/bin/vouch.js',
      'check',
      url,
      'openapi.yaml',
      '--reporter',
      'github',
      '--reporter',
      'html=vouch-report/report.html',
      '--reporter',
      'sarif=vouch-report/report.sarif',
      '--reporter',
      'junit=vouch-report/report.xml',
    ]);
    expect(output).toBe('verdict=passed\nexit-code=0\nreports=./vouch-report\n');
    expect(existsSync(join(folder, 'vouch-report'))).toBe(true);
  });

  test.each<[string, string]>([
    ['1', 'failed'],
    ['2', 'refused'],
    ['3', 'inconclusive'],
    ['130', 'interrupted'],
    ['70', 'crashed'],
  ])('exit code %s fails the step, and is the verdict %s', (code, verdict) => {
    const { status, output } = run({ url }, { FAKE_EXIT: code });
    expect(status).toBe(Number(code));
    expect(output).toContain(`verdict=${verdict}\nexit-code=${code}\n`);
  });

  test('a token is named, and never an argument', () => {
    const secret = 's3cret-of-mine';
    const { asked } = run(
      { url, 'token-env': 'STAGING_TOKEN', args: '--mode\nread-only\n\n--include\nGET /pets/**' },
      { STAGING_TOKEN: secret },
    );
    expect(asked.slice(3, 6)).toEqual([url, '--auth', 'env:STAGING_TOKEN']);
    expect(asked.slice(-4)).toEqual(['--mode', 'read-only', '--include', 'GET /pets/**']);
    expect(asked.join('\n')).not.toContain(secret);
    expect(run({ url, 'token-env': 'STAGING_TOKEN' }).asked).not.toContain('--auth');
    expect(run({ url }, { VOUCH_TOKEN: secret }).asked).not.toContain('--auth');
  });

  test('a token in place of its variable is an error, and nothing is sent', () => {
    const { status, said, asked } = run({ url, 'token-env': 'eyJhbGciOi.x-y' });
    expect([status, asked]).toEqual([2, []]);
    expect(said).toContain(
      '::error::token-env is the name of an environment variable, and never the token itself.',
    );
    expect(said).not.toContain('eyJhbGciOi');
  });

  test('a value that looks like a command is one word', () => {
    const { asked } = run({
      url: `${url}$(touch broken-in)`,
      contract: '`touch broken-in`',
      args: '; touch broken-in',
      version: 'local',
    });
    expect(asked.slice(0, 6)).toEqual([
      'npx',
      '--no',
      'vouch',
      'check',
      `${url}$(touch broken-in)`,
      '`touch broken-in`',
    ]);
    expect(existsSync(join(folder, 'broken-in'))).toBe(false);
  });

  test('no package of a registry runs: another version than these two is an error', () => {
    const { status, said, asked } = run({ url, version: 'latest' });
    expect([status, asked]).toEqual([2, []]);
    expect(said).toContain('::error::version is "action" or "local".');
  });

  test('actions of others are pinned by commit, in workflows, examples and guides too', () => {
    const files = [
      'action.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/release.yml',
      'examples/ci/github.yml',
      'docs/guides/ci-github.md',
    ];
    const uses = files.flatMap((file) =>
      [...readFileSync(join(packageFolder, file), 'utf8').matchAll(/uses: (\S+)/g)].map(
        (match) => `${file}: ${match[1] ?? ''}`,
      ),
    );
    expect(uses.length).toBeGreaterThan(8);
    const isOfClone = (use: string): boolean => use.endsWith(': ./.vouch');
    expect(uses.filter((use) => !/@[0-9a-f]{40}$/.test(use) && !isOfClone(use))).toEqual([]);
  });

  const hasShellcheck = spawnSync('shellcheck', ['--version']).error === undefined;
  // shellcheck is not everywhere; where it is missing, the steps above have still been run.
  test.skipIf(!hasShellcheck)('shellcheck reports nothing', () => {
    const { stdout } = spawnSync('shellcheck', ['--shell=bash', '-'], {
      input: check?.run ?? '',
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
