import { expect, test } from 'vitest';
import { jsonOf } from '../../../src/check/reading/read-answer.ts';
import { withoutOthers } from '../../../src/check/reading/without-others.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import { talk } from '../fixture/talk.ts';

const book = (title: string): JsonValue => ({ id: 1, title });
const [own, others, old] = [book('run-a-1'), book('run-a-2'), book('Dune')];

/**
 * What a list shows without the records that other requests of the run made; this sequence made
 * `run-a-1`.
 */
function left(answer: JsonValue): JsonValue | undefined {
  const { earlier, ...last } = talk(libraryContract(), [
    { ask: 'POST /books', body: { title: 'run-a-1', shelfId: 1 }, status: 201, answer: own },
    { ask: 'GET /books', answer },
  ]);
  const sent = { arguments: new Map(), body: { title: 'run-a-1', shelfId: 1 } };
  const steps = [...earlier.map((step) => ({ ...step, sent })), last];
  const bare = withoutOthers(steps, 'run-a');
  const shown = bare.at(-1);
  return bare === steps ? 'the same steps' : shown && jsonOf(shown.answer);
}

test.each<[string, JsonValue, JsonValue]>([
  ['a list', [old, others, own], [old, own]],
  ['a list in an envelope', { total: 3, data: [others, own] }, { total: 3, data: [own] }],
  ['a list of others alone', [others], []],
  ['a list that has none of them', [old, own], 'the same steps'],
  ['an envelope that has none of them', { total: 1, data: [own] }, 'the same steps'],
  ['one record', others, 'the same steps'],
])('%s', (_, answer, expected) => {
  expect(left(answer)).toEqual(expected);
});
