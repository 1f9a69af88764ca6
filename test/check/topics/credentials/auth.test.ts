import { expect, test } from 'vitest';
import { planCheck, type CheckOptions } from '../../../../src/check/engine/check-target.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

/** What an operation is sent to see whether it lets anybody in. */
function asked(operation: string, options: Partial<CheckOptions>): string[] {
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract: libraryContract(),
    seed: 'auth',
    ...options,
  });
  return requests
    .filter(({ phase, operation: { id } }) => phase === 'auth' && id === operation)
    .map(({ title }) => title);
}

const none = 'a request without a credential';
const empty = 'a request with an empty credential';
const wrong = 'a request with a well-formed credential that was never issued';
const changed = [
  'a request with the credential short of its last character',
  'a request with the credential and four characters behind it',
];
const cased = 'a request with the credential, its capitals and small letters exchanged';

test.each<[string, Partial<CheckOptions>, readonly string[]]>([
  ['a run without a token', {}, [none, empty, wrong]],
  ['one with a token', { token: '0123-4567' }, [none, empty, wrong, ...changed]],
  [
    'one whose token has letters',
    { token: 'Ab-Sentinel' },
    [none, empty, wrong, ...changed, cased],
  ],
  [
    'one that may write nothing, which is polite',
    { token: 'Ab-Sentinel', mode: 'read-only' },
    [none, wrong],
  ],
])('the wrong credentials of %s', (_name, options, expected) => {
  expect(asked('listBooks', options).filter((title) => !title.includes('scheme'))).toEqual(
    expected,
  );
});
