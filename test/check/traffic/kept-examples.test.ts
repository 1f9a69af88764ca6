import { expect, test } from 'vitest';
import { statusDocumented } from '../../../src/check/topics/answers/status-documented.ts';
import type { Suspicion } from '../../../src/check/engine/judge/judge.ts';
import { makeCase, makeSequence } from '../../../src/check/model/case.ts';
import { KeptExamples } from '../../../src/check/traffic/kept-examples.ts';
import { loadContract } from '../../../src/index.ts';
import { things } from '../../proxy/workshop.ts';

const { operations } = await loadContract(things);

/** A suspicion about one response of so many bytes. */
function suspicionOf(cause: string, bytes = 0): Suspicion {
  const operation = operations[0]!;
  const one = makeCase({
    title: 'a request',
    phase: 'read',
    operation,
    request: { arguments: [], credential: 'none' },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
  const body = new Uint8Array(bytes);
  const step = {
    case: one,
    sent: { arguments: new Map() },
    exchange: {
      baseUrl: 'http://x',
      request: { method: 'GET', target: '/', headers: [], body: new Uint8Array() },
      response: { status: 200, headers: [], body },
      durationMs: 1,
    },
    answer: { kind: 'empty' } as const,
  };
  const violation = { at: '/paths', message: '', expected: '', actual: '', cause };
  return { check: statusDocumented, violation, sequence: makeSequence(one), steps: [step] };
}

const mebibyte = 1024 * 1024;

test('of one cause a hundred examples are kept, and the others counted', () => {
  const examples = new KeptExamples();
  const one = suspicionOf('one');
  const kept = Array.from({ length: 150 }, () => examples.limit([one])).flat();
  expect(kept).toHaveLength(100);
  expect(examples.moreThan(kept)).toBe(50);
  expect(examples.limit([suspicionOf('another')])).toHaveLength(1);
});

test('all examples together keep at most 128 MiB, and of half of that only first ones', () => {
  const examples = new KeptExamples();
  const large = (cause: string): number =>
    examples.limit([suspicionOf(cause, 8 * mebibyte)]).length;
  const first = Array.from({ length: 20 }, () => large('one')).filter((kept) => kept === 1);
  expect(first).toHaveLength(7);
  const others = Array.from({ length: 20 }, (_, index) => large(`cause ${String(index)}`));
  expect(others.filter((kept) => kept === 1)).toHaveLength(8);
  expect(examples.moreThan([suspicionOf('one')])).toBe(13);
});

test('at most ten thousand causes are told apart', () => {
  const examples = new KeptExamples();
  const kept = Array.from({ length: 12_000 }, (_, index) =>
    examples.limit([suspicionOf(String(index))]),
  );
  expect(kept.flat()).toHaveLength(10_000);
});
