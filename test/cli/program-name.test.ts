import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { main } from '../../src/cli/main.ts';
import { asCalled, programName, type Start } from '../../src/cli/io.ts';
import { makeFakeIo } from './fake-io.ts';

const npm = {
  npm_config_user_agent: 'npm/11.6.1 node/v24.21.0 linux x64 workspaces/false',
  npm_command: 'exec',
  PATH: '/home/me/todo/node_modules/.bin:/usr/bin',
};
const start = (given: Partial<Start>): Start => ({
  env: { PATH: '/usr/bin:/usr/local/bin' },
  script: '/home/me/todo/node_modules/.bin/vouch',
  folder: '/home/me/todo',
  isFile: () => false,
  ...given,
});

describe('the program name in suggested commands', () => {
  test.each<[string, Partial<Start>, string]>([
    [
      'by npx, or by a script of npm',
      { env: npm, isFile: (path) => path.startsWith('/home/me/todo/node_modules/.bin/') },
      'npx vouch',
    ],
    [
      'by a script of pnpm',
      { env: { npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.21.0 linux x64' } },
      'pnpm exec vouch',
    ],
    [
      'by yarn',
      { env: { npm_config_user_agent: 'yarn/4.5.0 npm/? node/v24.21.0 linux x64' } },
      'yarn vouch',
    ],
    [
      'by bun',
      { env: { npm_config_user_agent: 'bun/1.3.0 npm/? node/v24.3.0 linux x64' } },
      'bunx vouch',
    ],
    [
      'by a package manager that does not say which',
      { env: { npm_execpath: '/usr/lib/npm-cli.js' } },
      'npx vouch',
    ],
    [
      'by its name, which the shell finds',
      { script: '/usr/local/bin/vouch', isFile: (path) => path === '/usr/local/bin/vouch' },
      'vouch',
    ],
    ['by its path in the project', {}, 'npx vouch'],
    [
      'by its path in the project, from a folder below',
      { folder: '/home/me/todo/api' },
      'npx vouch',
    ],
    [
      'in a clone',
      { script: '/home/me/vouch/bin/vouch.js', folder: '/home/me/vouch' },
      'npx vouch',
    ],
    [
      'by the path of a clone elsewhere',
      { script: '/home/me/vouch/bin/vouch.js' },
      'node ../vouch/bin/vouch.js',
    ],
    [
      'by a path with a space in it',
      { script: '/home/me/my vouch/bin/vouch.js' },
      "node '../my vouch/bin/vouch.js'",
    ],
    ['by nobody knows what', { script: undefined }, 'vouch'],
  ])('%s: %j', (_how, given, words) => {
    expect(programName(start(given))).toBe(words);
  });
});

describe('a displayed text', () => {
  test.each(commands.map(({ name }) => name))(
    'has vouch %s with the current program name',
    (name) => {
      expect(asCalled(`Run vouch ${name} next.`, 'npx vouch')).toBe(`Run npx vouch ${name} next.`);
    },
  );

  test.each([
    'npx vouch check URL',
    'pnpm exec vouch check URL',
    'vouch is sound, and vouch-7f3a9c is a run',
    'node bin/vouch check',
    'vouch.config.yaml',
    'me@vouch check',
  ])('is left as it is where no command begins: %s', (text) => {
    expect(asCalled(text, 'npx vouch')).toBe(text);
  });

  test('is every hint of every folder, and the examples of the help', async () => {
    const io = { ...makeFakeIo(), program: 'npx vouch' };
    await main(['check'], io);
    expect(io.written.err).toContain('(npx vouch check http://127.0.0.1:4010/v1)');
    await main(['-h'], io);
    expect(io.written.out).toContain(
      'shows files and variables; npx vouch check -h the options of a command.',
    );
    await main(['chek'], io);
    expect(io.written.err).toContain('All commands: npx vouch -h');
    await main(['check', '-h'], io);
    expect(io.written.out).toContain(
      '  VOUCH_TOKEN=demo-key npx vouch check http://127.0.0.1:4010/v1\n',
    );
    expect(io.written.out.match(/(?<!npx )\bvouch (check|replay)\b/g)).toEqual(['vouch check']);
    const explained = { ...makeFakeIo(), program: 'npx vouch' };
    await main(['explain', 'filter-holds'], explained);
    expect(explained.written.out).toContain('    npx vouch check URL --skip filter-holds');
  });
});
