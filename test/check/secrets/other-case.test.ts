import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeSecrets, secretFor, shellSecrets } from '../../../src/check/secrets/secrets.ts';
import { inOtherCase } from '../../../src/redact/other-case.ts';

test.each([
  ['shelf-key-4711', 'SHELF-KEY-4711'],
  ['sk_Live_9Zz', 'SK_lIVE_9zZ'],
  ['Robin:Secret', 'Robin:sECRET'],
])('%s with inverted case is %s', (token, expected) => {
  expect(inOtherCase(token)).toBe(expected);
});

test.each(['4711', 'deadbeef', '3F2504E0-4f89-11d3-9a0c-0305e82c3301', 'robin:4711', ''])(
  '%j is the same in any letters',
  (token) => {
    expect(inOtherCase(token)).toBeUndefined();
  },
);

test.each(['shelf-key-4711', 'Robin:Secret'])(
  'what a shell makes of %s is what was sent',
  (token) => {
    const secrets = makeSecrets({ token, tokenFor: ['key'] }, 'test');
    const cased = secretFor(secrets, 'other-case', 'key');
    expect(shellSecrets(secrets)).toContain(cased);
    expect(cased?.value).toBe(inOtherCase(token));
    expect(
      execFileSync('sh', ['-c', `printf %s "${cased?.shell ?? ''}"`], {
        env: { ...process.env, VOUCH_TOKEN: token },
        encoding: 'utf8',
      }),
    ).toBe(cased?.value);
  },
);
