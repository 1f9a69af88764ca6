import { type BrowserContext, expect as plainExpect, test as plainTest } from '@playwright/test';
import type { RunningMock, StartMockOptions } from '../library/start-mock.ts';
import { makeSessionNames, setContract, matchContract } from './match-contract.ts';
import { type MockSession, openSession, startTestMock } from './session.ts';

export { keepText } from './answer/read-test-answer.ts';
export { setContract } from './match-contract.ts';
export type { MatchOptions } from './match-contract.ts';
export type { MockSession, SessionRequest } from './session.ts';

/**
 * Playwright's `expect` with `toMatchContract`, for responses of `request` and of pages. Must be
 * awaited.
 */
export const expect = plainExpect.extend({ toMatchContract: matchContract });

/** The fixtures of each test. */
export interface SessionFixture {
  /** The session of the test; requests of its pages to the mock use it too. */
  readonly session: MockSession;
}

/** The fixtures of each worker. */
export interface MockFixture {
  readonly mock: RunningMock;
}

/**
 * Playwright's `test` with a mock for each worker and a session for each test. Pages of other
 * origins may send requests to the mock; each of them is assigned to the session of the test, so
 * that the page needs no changes.
 */
export function mockTest(options: StartMockOptions = {}): MockTest {
  setContract(options);
  return withMock(options);
}

/** Playwright's `test` with the fixtures `mock` and `session`. */
export type MockTest = ReturnType<typeof withMock>;

// The return type is inferred from Playwright's `extend`.
function withMock(options: StartMockOptions) {
  const nameSession = makeSessionNames();
  return plainTest.extend<SessionFixture, MockFixture>({
    mock: [
      // Playwright parses this destructuring pattern to find the required fixtures.
      async ({}, use) => {
        const mock = await startTestMock({ cors: true, ...options });
        await use(mock);
        await mock.close();
      },
      { scope: 'worker' },
    ],
    session: async ({ mock, context }, use, { title, workerIndex }) => {
      const session = openSession(mock, nameSession(`${title} ${String(workerIndex)}`));
      await joinSession(context, mock, session);
      await use(session);
      await session.reset();
    },
  });
}

async function joinSession(
  context: BrowserContext,
  mock: RunningMock,
  { headers }: MockSession,
): Promise<void> {
  await context.route(
    (url) => url.origin === mock.origin,
    (route, request) => route.continue({ headers: { ...request.headers(), ...headers } }),
  );
}

/** `mockTest()` of the contract in `vouch.config.yaml`, otherwise of the one document here. */
export const test: MockTest = mockTest();
