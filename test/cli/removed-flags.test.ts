import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { main } from '../../src/cli/main.ts';
import { removedFlags } from '../../src/cli/removed-flags.ts';
import { makeFakeIo } from './fake-io.ts';

const uses = removedFlags.flatMap(({ flag, commands: names, instead }) =>
  names.map((name) => ({ name, flag, instead })),
);

test.each(uses)('vouch $name refuses $flag and says: $instead', async ({ name, flag, instead }) => {
  for (const word of [flag, `${flag}=5`]) {
    const io = makeFakeIo();
    expect(await main([name, 'x', word], io)).toBe(2);
    expect(io.written).toEqual({
      out: '',
      err: `error vouch ${name} has no ${flag}.\n${instead}\n`,
    });
  }
});

test('what stands behind -- is the command of somebody else', async () => {
  const io = makeFakeIo();
  await main(['proxy', 'http://127.0.0.1:1', 'x.yaml', '--', 'tests', '--host-header'], io);
  expect(io.written.err).not.toContain('has no');
});

test('a removed flag is no flag of today, and what replaces it is one', async () => {
  for (const { name, flag, instead } of uses) {
    expect(commands.map((command) => command.name)).toContain(name);
    const io = makeFakeIo();
    await main([name, '--help-all'], io);
    const flags = new Set(io.written.out.match(/--[a-z][a-z-]+/g));
    expect(flags).not.toContain(flag);
    for (const [named] of instead.matchAll(/--[a-z-]+/g)) expect(flags).toContain(named);
  }
});
