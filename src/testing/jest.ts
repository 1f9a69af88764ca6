import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { usage } from '../errors.ts';
import type { RunningMock, StartMockOptions } from '../library/start-mock.ts';
import type { MatchOptions } from './match-contract.ts';
import { makeSessionNames, setContract, matchContract } from './match-contract.ts';
import { type MockSession, openSession, startTestMock } from './session.ts';

export { keepText } from './answer/read-test-answer.ts';
export { setContract } from './match-contract.ts';
export type { MatchOptions } from './match-contract.ts';
export type { MockSession, SessionRequest } from './session.ts';
export { expect };

/** The matcher that is added to `expect`. */
interface ContractMatchers {
  /**
   * Asserts that a response conforms to the documentation of an operation: given as operation id or
   * `GET /path`, otherwise found by the request. Must be awaited.
   */
  toMatchContract(operation?: string, options?: MatchOptions): Promise<void>;
}

declare module 'expect' {
  // Jest merges this interface with its own; the type parameters must be the same.
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ContractMatchers {}
}

expect.extend({ toMatchContract: matchContract });

/** The mock of a test file. Its members are available inside tests and hooks. */
export interface MockInUse {
  readonly mock: RunningMock;
  /** The session of the current test. */
  readonly session: MockSession;
}

/**
 * Starts a mock before the tests of a file (or of the surrounding `describe`) and closes it after
 * them. Each test has its own session. `toMatchContract` uses the same contract.
 */
export function useMock(options: StartMockOptions = {}): MockInUse {
  setContract(options);
  const nameSession = makeSessionNames();
  let mock: RunningMock | undefined;
  let session: MockSession | undefined;
  beforeAll(async () => {
    mock = await startTestMock(options);
  });
  beforeEach(() => {
    session = openSession(
      present(mock, 'mock'),
      nameSession(expect.getState().currentTestName ?? ''),
    );
  });
  afterEach(() => session?.reset());
  afterAll(() => mock?.close());
  return {
    get mock() {
      return present(mock, 'mock');
    },
    get session() {
      return present(session, 'session');
    },
  };
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined)
    throw usage(`The ${name} is not there yet: it is started before the first test.`, {
      hint: `Read .${name} inside of a test or a hook.`,
    });
  return value;
}
