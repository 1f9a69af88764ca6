import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../../src/check/topics/index.ts';
import { commands } from '../../../src/cli/commands/index.ts';
import { shells } from '../../../src/cli/completion/shells.ts';
import { main } from '../../../src/cli/main.ts';
import { reporters } from '../../../src/report/reporters.ts';
import { makeFakeIo } from '../fake-io.ts';

async function scriptOf(shell: string): Promise<string> {
  const io = makeFakeIo();
  expect(await main(['completion', shell], io)).toBe(0);
  return io.written.out;
}

const isThere = (program: string): boolean =>
  spawnSync(program, ['-c', 'true']).error === undefined;

describe('completion in a real bash', () => {
  let script = '';
  beforeAll(async () => {
    script = await scriptOf('bash');
  });

  /** What bash offers behind these words; the last one is being typed. */
  function offered(...words: readonly string[]): string[] {
    const quoted = ['vouch', ...words].map((word) => `'${word}'`).join(' ');
    const asking =
      `COMP_WORDS=(${quoted}); COMP_CWORD=${String(words.length)}; _vouch; ` +
      `printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', `${script}\n${asking}`], { encoding: 'utf8' })
      .split('\n')
      .filter((word) => word !== '');
  }

  test.skipIf(!isThere('bash'))('commands, flags and values', () => {
    expect(offered('')).toEqual(commands.map(({ name }) => name));
    expect(offered('ch')).toEqual(['check']);
    expect(offered('check', '--ag')).toEqual(['--against', '--against-auth']);
    expect(offered('check', 'http://127.0.0.1:4010', '--mode', '')).toEqual([
      'read-only',
      'read-write',
      'fuzz',
    ]);
    expect(offered('check', '-r', '')).toEqual(reporters.map(({ id }) => id));
    expect(offered('check', '--only', 'filter')).toEqual(['filter-holds']);
    expect(offered('explain', '')).toEqual(checks.map(({ id }) => id));
    expect(offered('report', '')).toEqual(['merge', 'show', 'open']);
    expect(offered('report', 'merge', '--rep')).toEqual(['--reporter']);
    expect(offered('completion', '')).toEqual(shells.map(({ name }) => name));
    expect(offered('lint', '--format', '')).toContain('github');
  });

  test.skipIf(!isThere('bash'))('files where a file is expected', () => {
    expect(offered('check', '--har', '')).toEqual([]);
    expect(offered('mock', '')).toEqual([]);
    expect(script).toMatch(/^complete -o default -F _vouch vouch$/m);
  });

  test('every flag of every command is included', () => {
    for (const word of ['--persist', '--min-score', '--forget', '--help-all', '--tls-client-ca'])
      expect(script).toContain(word);
  });
});

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  // Where the shell is not installed the text alone is held.
  test.skipIf(!isThere(shell))('the shell accepts the script', async () => {
    const { status, stderr } = spawnSync(shell, ['-n'], {
      input: await scriptOf(shell),
      encoding: 'utf8',
    });
    expect(`${String(status)} ${stderr}`).toBe('0 ');
  });

  test('quotes are escaped, and every command is included', async () => {
    const script = await scriptOf(shell);
    for (const { name } of commands) expect(script).toContain(name);
    expect(script).toContain(shell === 'fish' ? "\\'X-Tenant: acme\\'" : "'mock')");
  });
});

// No PowerShell runs where these tests do: what holds it are its text, and that every bracket and
// quote of it is closed.
describe('completion for PowerShell', () => {
  test('every command has its flags, values and words', async () => {
    const script = await scriptOf('powershell');
    expect(script).toContain("if (@('start', 'mock', 'proxy', ");
    expect(script).toContain(
      "    'report' {\n      if ($word.StartsWith('-')) { @('--help-all', '--help', '-h') } " +
        "else { @('merge', 'show', 'open') }\n    }",
    );
    const check = script.slice(script.indexOf("    'check' {\n"));
    expect(check.slice(0, check.indexOf('\n    }\n'))).toContain(
      "(@('--mode') -ccontains $previous) { @('read-only', 'read-write', 'fuzz') }",
    );
    expect(check).toContain("else { if ($word.StartsWith('-')) { @('--config'");
    for (const { name } of commands) expect(script).toContain(`\n    '${name}' {\n`);
  });

  test('its quotes and brackets are closed, in this order', async () => {
    const bare = (await scriptOf('powershell'))
      .replaceAll(/^#.*$/gm, '')
      .replaceAll(/'(?:[^']|'')*'/g, '')
      .replaceAll(/"[^"]*"/g, '');
    expect(bare).not.toContain("'");
    const open: string[] = [];
    for (const [bracket] of bare.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(bracket)) open.push(bracket);
      else expect(`${open.pop() ?? ''}${bracket}`).toMatch(/^(\(\)|\[\]|\{\})$/);
    }
    expect(open).toEqual([]);
  });
});

test('an unsupported shell gets the nearest supported one', async () => {
  const io = makeFakeIo();
  expect(await main(['completion', 'zhs'], io)).toBe(2);
  expect(io.written.err).toContain('Did you mean zsh?');
});
