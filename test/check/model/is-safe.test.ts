import { expect, test } from 'vitest';
import { isSafe } from '../../../src/check/model/step.ts';

test.each(['GET', 'HEAD', 'OPTIONS'] as const)('%s changes nothing', (method) => {
  expect(isSafe({ method })).toBe(true);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'LOCK'])(
  '%s has unknown effects',
  (method) => {
    expect(isSafe({ method })).toBe(false);
  },
);
