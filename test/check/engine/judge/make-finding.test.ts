import { expect, test } from 'vitest';
import { makeSequence } from '../../../../src/check/model/case.ts';
import { statusDocumented } from '../../../../src/check/topics/answers/status-documented.ts';
import type { Violation } from '../../../../src/check/model/knowledge.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import { makeFinding } from '../../../../src/check/engine/judge/make-finding.ts';
import { makeRedactor } from '../../../../src/check/secrets/redact.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

const contract = libraryContract();
const step = talk(contract, [{ ask: 'GET /books', status: 418, answer: [] }]);
const press = {
  contract,
  redactor: makeRedactor({ secrets: [], invented: [], headerNames: [] }),
  shellSecrets: [],
};

/** A finding about the status of one answer, which is seen here, or everywhere. */
function found(at: string, everywhere: boolean): Finding | undefined {
  const violation: Violation = {
    at,
    message: 'GET /books answered 418.',
    expected: '200',
    actual: '418',
  };
  const suspicion = {
    check: statusDocumented,
    violation,
    sequence: makeSequence(step.case),
    steps: [step],
  };
  const group = {
    suspicions: [suspicion] as const,
    violation,
    ...(everywhere ? { everywhere: true as const } : {}),
  };
  return makeFinding(
    group,
    {
      severity: 'error',
      violation,
      sequence: suspicion.sequence,
      steps: [step],
      repeated: true,
      evidence: ' in the run.',
    },
    press,
  );
}

const [list, add] = ['/paths/~1books/get/responses', '/paths/~1books/post/responses'];

test('a finding of all operations is one finding for any first operation', () => {
  expect(found(list, true)?.id).toBe(found(add, true)?.id);
  expect(found(list, false)?.id).not.toBe(found(add, false)?.id);
  expect(found(list, true)?.id).not.toBe(found(list, false)?.id);
});

test('a finding has its place, its count and its exchanges', () => {
  expect(found(list, false)).toMatchObject({
    check: 'status-documented',
    basis: 'contract',
    severity: 'error',
    blame: 'server',
    operation: { id: 'listBooks', method: 'GET', path: '/books' },
    count: 1,
    pointer: list,
    evidence: 'Seen once in the run.',
    trying: 'GET /books',
    operations: ['listBooks'],
    replay: { times: 1, status: 418 },
  });
});
