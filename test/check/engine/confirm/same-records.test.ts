import { expect, test } from 'vitest';
import { ofSameRecords } from '../../../../src/check/engine/confirm/confirm.ts';
import { makeCase } from '../../../../src/check/model/case.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { tokenList } from '../../fixture/paged.ts';

const { contract } = tokenList();
const read = contract.operations.find(({ id }) => id === 'readBook');

test('reads are repeated for the records that the run read', () => {
  const [parameter] = read?.parameters ?? [];
  if (read === undefined || parameter === undefined) throw new Error('The contract has no read.');
  const testCase = makeCase({
    title: 'a book is read',
    phase: 'sequence',
    operation: read,
    request: {
      arguments: [{ parameter, source: { kind: 'known', resource: 'books' } }],
      credential: 'given',
    },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
  const step: Step = {
    case: testCase,
    sent: { arguments: new Map([[parameter, 7]]) },
    exchange: {
      baseUrl: 'http://host',
      request: { method: 'GET', target: '/books/7', headers: [], body: new Uint8Array() },
      response: undefined,
      durationMs: 1,
    },
    answer: { kind: 'empty' },
  };
  const [same] = ofSameRecords([testCase], [step]) ?? [];
  expect(same?.request.arguments).toEqual([{ parameter, source: { kind: 'value', value: 7 } }]);
  expect(ofSameRecords(same === undefined ? [] : [same], [step])).toBeUndefined();
});
