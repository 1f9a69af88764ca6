import { VouchError } from '../../errors.ts';
import { withoutHeader } from '../../http/message.ts';
import { axiosAnswer } from './read-axios.ts';
import { fetchAnswer } from './read-fetch.ts';
import { plainAnswer } from './read-plain.ts';
import { playwrightAnswer } from './read-playwright.ts';
import { supertestAnswer } from './read-supertest.ts';
import type { AnswerKind, TestAnswer } from './test-answer.ts';

/** Every client whose answers are known, the most particular first. */
export const answerKinds: readonly AnswerKind[] = [
  fetchAnswer,
  playwrightAnswer,
  supertestAnswer,
  axiosAnswer,
  plainAnswer,
];

/**
 * An answer out of what a client handed to a test. Throws a VouchError ('usage') for what is none,
 * or whose body is lost.
 */
export async function readTestAnswer(value: unknown): Promise<TestAnswer> {
  if (value instanceof Promise)
    throw new VouchError('usage', 'This is the promise of an answer, not an answer.', {
      hint: 'Await it first: expect(await …).',
    });
  for (const kind of typeof value === 'object' && value !== null ? answerKinds : []) {
    const answer = await kind.read(value as object);
    // Every client undoes content codings, and some leave the header that names them.
    if (answer !== undefined)
      return { ...answer, headers: withoutHeader(answer.headers, 'content-encoding') };
  }
  const names = answerKinds.slice(0, -1).map(({ name }) => name);
  throw new VouchError(
    'usage',
    `This is no answer that vouch can read: ${value === null ? 'null' : typeof value}.`,
    { hint: `It reads answers of ${names.join(', ')}, and any object { status, headers, body }.` },
  );
}
