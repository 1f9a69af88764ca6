import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/check/engine/check-target.ts';
import { makeCase, makeSequence } from '../../../src/check/model/case.ts';
import type { RequestTemplate } from '../../../src/check/model/request-template.ts';
import { obstacleTo } from '../../../src/check/replay/replay-findings.ts';
import type { Sender } from '../../../src/check/engine/send/execute-sequence.ts';
import { makeSecrets } from '../../../src/check/secrets/secrets.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import { libraryContract } from '../fixture/library-contract.ts';

const contract = libraryContract();

/** What stands in the way of a request, after a plain read. */
function obstacle(
  id: string,
  request: Partial<RequestTemplate>,
  { token, ...options }: Partial<CheckOptions> = { token: 'key' },
): string | undefined {
  const [read, asked] = ['listBooks', id].map((name) =>
    contract.operations.find((operation) => operation.id === name),
  );
  if (read === undefined || asked === undefined)
    throw new Error('the contract has no such operation');
  const cases = [read, asked].map((operation, step) =>
    makeCase({
      title: 't',
      phase: 'sequence',
      operation,
      intent: { kind: 'valid', rigour: 'plain', at: '' },
      request: {
        arguments: [],
        credential: step === 0 ? 'none' : 'given',
        ...(step === 0 ? {} : request),
      },
    }),
  );
  // Nothing else of a sender is looked at.
  const sender = {
    secrets: makeSecrets(token === undefined ? {} : { token, tokenFor: ['bearer'] }, 'seed'),
  } as Sender;
  return obstacleTo(
    makeSequence(...cases),
    resolveSettings({
      url: 'http://127.0.0.1:1',
      contract,
      ...(token === undefined ? {} : { token }),
      ...options,
    }),
    sender,
  );
}

const readOnly = { token: 'key', mode: 'read-only' } as const;

test.each<[string, string, Partial<RequestTemplate>, Partial<CheckOptions>, string | undefined]>([
  ['a read', 'getBook', {}, readOnly, undefined],
  ['a HEAD', 'getBook', { method: 'HEAD' }, readOnly, undefined],
  [
    'a write',
    'createBook',
    {},
    readOnly,
    'it needs a POST, but the replay is read-only; allow it with --mode read-write',
  ],
  [
    'a read by a method that writes',
    'getBook',
    { method: 'DELETE' },
    readOnly,
    'it needs a DELETE, but the replay is read-only; allow it with --mode read-write',
  ],
  ['a write, where that is allowed', 'createBook', {}, { token: 'key' }, undefined],
  [
    'a server that nobody gave',
    'sendNote',
    {},
    { token: 'key' },
    expect.stringContaining('notes') as string,
  ],
  [
    'no credential',
    'getBook',
    {},
    {},
    'the operation getBook requires a credential for bearer, and none is given; give one ' +
      'with --auth bearer=env:NAME',
  ],
  [
    'no credential that could be cut short',
    'getBook',
    { credential: 'prefix' },
    {},
    'the operation getBook requires a credential for bearer, and none is given; give one ' +
      'with --auth bearer=env:NAME',
  ],
  ['no credential, where a wrong one is shown', 'getBook', { credential: 'wrong' }, {}, undefined],
  ['no credential, where none is shown', 'getBook', { credential: 'none' }, {}, undefined],
])('what stands in the way of a replay: %s', (_name, id, request, options, expected) => {
  expect(obstacle(id, request, options)).toEqual(expected);
});
