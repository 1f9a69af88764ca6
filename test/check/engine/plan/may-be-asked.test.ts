import { expect, test } from 'vitest';
import { type Case, type Intent, makeCase } from '../../../../src/check/model/case.ts';
import type { Argument, RequestTemplate } from '../../../../src/check/model/request-template.ts';
import { mayBeAsked } from '../../../../src/check/engine/plan/plan-queue.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const { operations } = libraryContract();
const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const missing: Intent = { kind: 'missing', rigour: 'plain', at: '' };
const invalid: Intent = {
  kind: 'invalid',
  at: '',
  rule: 'r',
  part: 'query',
  subject: 's',
  accepted: 'error',
};

function caseOf(id: string, intent: Intent = valid, request: Partial<RequestTemplate> = {}): Case {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error('the contract has no such operation');
  return makeCase({
    title: 't',
    phase: 'read',
    operation,
    intent,
    request: { arguments: [], credential: 'given', ...request },
  });
}

function argumentOf(source: Argument['source']): Partial<RequestTemplate> {
  const [parameter] = operations.find(({ id }) => id === 'getBook')?.parameters ?? [];
  if (parameter === undefined) throw new Error('the operation has no parameter');
  return { arguments: [{ parameter, source }] };
}

test.each<[string, Case, boolean]>([
  ['a plain read', caseOf('listBooks'), true],
  ['a read of a record that nobody has', caseOf('getBook', missing), true],
  ['a create', caseOf('createBook'), true],
  [
    'a read by a value that is known now',
    caseOf('getBook', valid, argumentOf({ kind: 'value', value: 1 })),
    true,
  ],
  ['a read by a text', caseOf('getBook', valid, argumentOf({ kind: 'text', text: '1' })), true],
  [
    'not a read of a record that is still to be found',
    caseOf('getBook', valid, argumentOf({ kind: 'known', resource: 'books' })),
    false,
  ],
  ['not a replacement', caseOf('replaceBook'), false],
  ['not a deletion', caseOf('deleteBook'), false],
  ['not what is to be refused', caseOf('listBooks', invalid), false],
  ['not with a wrong credential', caseOf('listBooks', valid, { credential: 'wrong' }), false],
])('%s may be sent to see if the target responds', (_name, tried, expected) => {
  expect(mayBeAsked(tried)).toBe(expected);
});
