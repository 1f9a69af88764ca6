import { expect, test as plainTest } from 'vitest';
import type { RunningMock, StartMockOptions } from '../library/start-mock.ts';
import type { MatchOptions } from './match-contract.ts';
import { makeSessionNames, setContract, matchContract } from './match-contract.ts';
import { type MockSession, openSession, startTestMock } from './session.ts';

export { keepText } from './answer/read-test-answer.ts';
export { setContract } from './match-contract.ts';
export type { MatchOptions } from './match-contract.ts';
export type { MockSession, SessionRequest } from './session.ts';
export { expect };

declare module 'vitest' {
  // Vitest merges this with its own; the parameters have to be the same.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * The answer keeps what the contract documents for the operation: by its id, by `GET /path`, or
     * by what the client says was asked for. To be awaited.
     */
    toMatchContract(operation?: string, options?: MatchOptions): Promise<void>;
  }
}

expect.extend({ toMatchContract: matchContract });

/**
 * Vitest's `test` with a mock for each file, started when a test first asks for it and closed after
 * the last one, and a session of its own for each test, so that tests that run at once never meet.
 * `toMatchContract` holds answers against the same contract.
 */
export function mockTest(options: StartMockOptions = {}): MockTest {
  setContract(options);
  return withMock(options);
}

/** `test` as Vitest has it, with `mock` and `session` in what each test is given. */
export type MockTest = ReturnType<typeof withMock>;

// The type is Vitest's own, made by its `extend`.
function withMock(options: StartMockOptions) {
  const nameSession = makeSessionNames();
  return plainTest
    .extend('mock', { scope: 'file' }, async ({}, { onCleanup }): Promise<RunningMock> => {
      const mock = await startTestMock(options);
      onCleanup(() => mock.close());
      return mock;
    })
    .extend('session', async ({ mock, task }, { onCleanup }): Promise<MockSession> => {
      const session = openSession(mock, nameSession(task.name));
      onCleanup(() => session.reset());
      return session;
    });
}

/** `mockTest()` of the contract in `vouch.config.yaml`, otherwise of the one document here. */
export const test: MockTest = mockTest();
