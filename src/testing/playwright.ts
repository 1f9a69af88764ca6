import { type BrowserContext, expect as plainExpect, test as plainTest } from '@playwright/test';
import { type RunningMock, startMock, type StartMockOptions } from '../library/start-mock.ts';
import { makeSessionNames, setContract } from './current-contract.ts';
import { matchContract } from './match-contract.ts';
import { type MockSession, openSession } from './session.ts';

export { keepText } from './answer/read-test-answer.ts';
export { setContract } from './current-contract.ts';
export type { MatchOptions } from './match-contract.ts';
export type { MockSession, SessionRequest } from './session.ts';

/**
 * Playwright's `expect`, which also knows `toMatchContract`: for answers of `request` and of pages.
 * To be awaited.
 */
export const expect = plainExpect.extend({ toMatchContract: matchContract });

/** What each test is given. */
export interface SessionFixture {
  /** Its own session of the mock; what its pages ask of the mock is in it too. */
  readonly session: MockSession;
}

/** What each worker is given. */
export interface MockFixture {
  readonly mock: RunningMock;
}

/**
 * Playwright's `test` with a mock for each worker and a session for each test. Pages of other
 * origins may ask the mock, and each of their requests to it is put into the session of the test,
 * so that the page under test needs to know nothing of sessions.
 */
export function mockTest(options: StartMockOptions = {}): MockTest {
  setContract(options);
  return withMock(options);
}

/** `test` as Playwright has it, with `mock` and `session` in what each test is given. */
export type MockTest = ReturnType<typeof withMock>;

// The type is Playwright's own, made by its `extend`.
function withMock(options: StartMockOptions) {
  const nameSession = makeSessionNames();
  return plainTest.extend<SessionFixture, MockFixture>({
    mock: [
      // Playwright reads what a fixture needs out of this pattern.
      async ({}, use) => {
        const mock = await startMock({ cors: true, ...options });
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

/** `mockTest()` of the contract that `vouch.config.yaml` names, or else of the bundled one. */
export const test: MockTest = mockTest();
