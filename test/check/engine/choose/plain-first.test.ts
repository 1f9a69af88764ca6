import { describe, expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import { takePlain } from '../../../../src/check/engine/choose/plain-first.ts';
import { type Case, makeCase, makeSequence } from '../../../../src/check/model/case.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const contract = libraryContract();

function caseOf(id: string, rigour: 'plain' | 'exotic' = 'plain'): Case {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  return makeCase({
    title: `${id} ${rigour}`,
    phase: 'sequence',
    operation,
    request: { arguments: [], credential: 'given' },
    intent: { kind: 'valid', rigour, at: '' },
  });
}

const list = makeSequence(caseOf('listBooks'));
const create = makeSequence(caseOf('createBook'));
const edge = makeSequence(caseOf('createBook', 'exotic'));
const story = makeSequence(caseOf('createBook'), caseOf('replaceBook'), caseOf('deleteBook'));
const shorter = makeSequence(caseOf('createBook'), caseOf('deleteBook'));

describe('the plain request of each operation comes first', () => {
  test('in the shortest sequence that has one, in the order of the plan', () => {
    expect(
      takePlain(
        [
          [edge, create],
          [story, shorter],
        ],
        [],
      ),
    ).toEqual({
      plain: [create, story, shorter],
      left: [[edge], []],
    });
  });

  test('unless an earlier request was plain already', () => {
    expect(takePlain([[list, create], [shorter]], [list, create])).toEqual({
      plain: [shorter],
      left: [[list, create], []],
    });
  });

  test('but not among requests at once, which need each other', () => {
    const atOnce = { ...story, concurrent: true as const };
    expect(takePlain([[atOnce]], [])).toEqual({ plain: [], left: [[atOnce]] });
  });

  test('in the plan of a run, before any value at an edge and any request to be refused', () => {
    const url = 'http://127.0.0.1:1';
    const { requests } = planCheck({ url, contract, seed: 'breadth', token: 'token' });
    const firsts = Map.groupBy(requests, ({ operation }) => operation.id);
    const refusal = requests.findIndex(({ phase }) => phase === 'negative');
    for (const [id, [first]] of firsts) {
      if (first === undefined) continue;
      expect(requests.indexOf(first), id).toBeLessThan(refusal);
    }
    expect(firsts.has('deleteBook')).toBe(true);
  });
});
