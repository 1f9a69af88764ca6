import { describe, expect, test } from 'vitest';
import { readLargeAnswer } from '../../../../src/check/reading/read-answer.ts';
import { isLarge, keptSteps, storeStep } from '../../../../src/check/engine/judge/compact-step.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import type { HttpResponse } from '../../../../src/http/message.ts';
import { makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const contract = makeContract({
  paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } },
});

function stepWith(items: number): Step {
  const answer = Array.from({ length: items }, (_, index) => ({ id: index, text: 'some text' }));
  const {
    case: testCase,
    sent,
    exchange,
    answer: read,
  } = talk(contract, [{ ask: 'GET /a', answer }]);
  return { case: testCase, sent, exchange, answer: read };
}

describe('a step with a large response', () => {
  test('is kept as bytes, and gives the same answer again', () => {
    const large = stepWith(10_000);
    const [kept] = keptSteps([large]);
    expect(isLarge(large)).toBe(true);
    expect(kept).not.toBe(large);
    expect(Object.getOwnPropertyDescriptor(kept, 'answer')?.get).toBeTypeOf('function');
    expect(kept?.answer).toEqual(large.answer);
    // A copy has the answer, too.
    expect({ ...storeStep(large) }.answer).toEqual(large.answer);
  });

  test('is kept as it is if no response is large', () => {
    const steps = [stepWith(3)];
    expect(keptSteps(steps)).toBe(steps);
  });

  test('is parsed once for the same bytes, and anew for others', () => {
    const response = (step: Step): HttpResponse => {
      if (step.exchange.response === undefined) throw new Error('there is a response');
      return step.exchange.response;
    };
    const one = readLargeAnswer(response(stepWith(9_000)));
    expect(readLargeAnswer(response(stepWith(9_000)))).toBe(one);
    expect(readLargeAnswer(response(stepWith(9_001)))).not.toBe(one);
    const plain = {
      ...response(stepWith(9_000)),
      headers: [['content-type', 'text/plain']],
    } as const;
    expect(readLargeAnswer(plain)).not.toBe(one);
  });
});
