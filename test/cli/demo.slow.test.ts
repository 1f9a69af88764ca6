import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { makeFakeIo } from './fake-io.ts';

test('vouch demo shows a service that fails its check, and that passes it then', async () => {
  const io = makeFakeIo();
  expect(await main(['demo'], io)).toBe(0);
  const { out, err } = io.written;
  expect(err).toBe('');
  expect(out.match(/^\d {2}.+$/gm)).toEqual([
    '1  A contract is served',
    '2  A frontend is built on it today',
    '3  A team builds the service',
    '4  The check knows better',
    '5  The service is fixed',
    '6  The check passes',
  ]);
  const [, failed = '', passed = ''] = out.split(/^[46] {2}.+$/m);
  expect(failed).toContain('error filter-holds');
  expect(failed).toMatch(/Failed\. .*1\s+finding of severity error\./s);
  expect(failed).not.toContain('vouch replay');
  expect(passed).toContain('Passed.');
});

test.each([
  ['q', 1],
  ['enter', 6],
])('on a terminal it waits between the steps: %s', async (key, steps) => {
  const io = makeFakeIo();
  let listeners = 0;
  const keyboard = {
    listen: (onKey: (pressed: string) => void): (() => void) => {
      listeners += 1;
      const timer = setTimeout(() => onKey(key), 1);
      return () => {
        listeners -= 1;
        clearTimeout(timer);
      };
    },
  };
  expect(await main(['demo'], { ...io, keyboard })).toBe(0);
  expect(io.written.out.match(/^\d {2}.+$/gm)).toHaveLength(steps);
  expect(listeners).toBe(0);
});
