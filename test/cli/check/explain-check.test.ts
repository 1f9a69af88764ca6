import { expect, test } from 'vitest';
import type { Check } from '../../../src/check/topics/check.ts';
import { checks } from '../../../src/check/topics/index.ts';
import { explainCheck } from '../../../src/cli/commands/explain.ts';

test('explains a check with its rule, confirmation, an example and how to disable it', () => {
  expect(explainCheck(checks, 'method-refused', 80)).toMatchInlineSnapshot(`
    "method-refused
      Rule       A method that the contract does not declare for a path gets 405,
                 404 or 501, and no success.
      Why        An undocumented method is neither reviewed nor tested, and may
                 allow what should be forbidden.
      Basis      protocol: an RFC requires it.
      Severity   warning: does not fail the run unless --fail-on warning is given.
      Evidence   must be reproduced, or seen more than once; otherwise it is at most
                 a warning.

      Example violation
        > PATCH /items/1999999999   (the path has GET and PUT)
        < 200 OK

      Skip it in one run
        vouch check URL --skip method-refused
      Lower its severity, or skip it until a date, in vouch.config.yaml
        check:
          checks: { method-refused: note }   # or off, warning, error
          skip:
            - { check: method-refused, operation: OPERATION, until: 2026-12-31, reason:
      ↳ why }
    "
  `);
});

test.each<Check>(checks)('$id shows an exchange that violates it', ({ example: lines }) => {
  expect(lines.some((line) => line.startsWith('> '))).toBe(true);
  expect(lines.some((line) => line.startsWith('< '))).toBe(true);
  expect(lines.filter((line) => !/^[<>] /.test(line) || line.length > 90)).toEqual([]);
});

test('an unknown name gets the nearest known one', () => {
  expect(() => explainCheck(checks, 'method-refuse', 80)).toThrow('Unknown check: method-refuse.');
});
