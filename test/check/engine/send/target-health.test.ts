import { describe, expect, test } from 'vitest';
import type { TransportFault } from '../../../../src/check/model/exchange.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { TargetHealth } from '../../../../src/check/engine/send/target-health.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

const contract = libraryContract();
const asks: Readonly<Record<string, Step>> = Object.fromEntries(
  ['GET /books', 'GET /books/1', 'DELETE /books/1', 'GET /reports'].map((ask) => [
    ask,
    talk(contract, [{ ask, answer: [] }]),
  ]),
);

/** `GET /books` is answered; `GET /books timeout` is not. */
function stepOf(words: string): Step {
  const [method = '', target = '', kind] = words.split(' ');
  const step = asks[`${method} ${target}`];
  if (step === undefined) throw new Error(`Nobody asks for ${words}.`);
  const { response: _response, ...unanswered } = step.exchange;
  // The tables below name faults.
  return kind === undefined
    ? step
    : {
        ...step,
        exchange: { ...unanswered, fault: { kind: kind as TransportFault, message: kind } },
      };
}

function watched(...steps: readonly string[]): TargetHealth {
  const watch = new TargetHealth(4);
  for (const words of steps) watch.note(stepOf(words));
  return watch;
}

describe('a target may be unreachable', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['where nothing failed', false, ['GET /books']],
    [
      'where one operation fails and others do not',
      false,
      [
        'GET /books',
        'GET /reports timeout',
        'GET /reports timeout',
        'GET /reports timeout',
        'GET /reports timeout',
        'GET /reports timeout',
      ],
    ],
    [
      'where each fails, one after the other',
      true,
      [
        'GET /books',
        'GET /reports timeout',
        'GET /books timeout',
        'GET /books/1 timeout',
        'DELETE /books/1 timeout',
      ],
    ],
    [
      'where an answer came between',
      false,
      [
        'GET /reports timeout',
        'GET /books timeout',
        'GET /books',
        'GET /books/1 timeout',
        'DELETE /books/1 timeout',
      ],
    ],
    ['where nobody is there', true, ['GET /books', 'GET /reports connection.refused']],
    ['where what came could not be read', false, ['GET /books protocol.not-http']],
  ])('%s: %s', (_what, expected, steps) => {
    expect(watched(...steps).isSuspicious()).toBe(expected);
  });
});

test('failures since the last response are known, and a successful request can be repeated', () => {
  const watch = watched(
    'GET /reports timeout',
    'GET /books',
    'DELETE /books/1',
    'GET /books/1 timeout',
    'DELETE /books/1 timeout',
    'GET /books/1 timeout',
  );
  expect([...watch.faulty].map(({ id }) => id)).toEqual(['getBook', 'deleteBook']);
  expect(watch.answered?.case.operation.id).toBe('listBooks');
  expect(watch.failed?.fault?.kind).toBe('timeout');
  watch.calm();
  expect(watch.faulty.size).toBe(0);
});
