import { judgeAnswer, type AnswerFault } from '../check/traffic/judge-answer.ts';
import type { Operation } from '../contract/model.ts';
import type { ContractChoice } from '../library/choose-contract.ts';
import { VouchError } from '../errors.ts';
import { readTestAnswer } from './answer/read-test-answer.ts';
import type { TestAnswer } from './answer/test-answer.ts';
import { currentContract } from './current-contract.ts';
import { describeFaults } from './describe-faults.ts';
import { findOperation, toExchange } from './find-operation.ts';

/** What a matcher is told besides the answer. */
export interface MatchOptions {
  /**
   * Another contract than the one of the file of tests: a path, a document, or a contract that is
   * loaded.
   */
  readonly contract?: ContractChoice['contract'];
}

/** What Vitest, Jest and Playwright want of a matcher. */
export interface MatchResult {
  readonly pass: boolean;
  message(): string;
}

/**
 * Whether an answer keeps what its contract documents for the operation: status, media type,
 * headers, and the body exactly, 64-bit integers among it. The operation goes by its id, by `GET
 * /path`, or, left out, by what the client says that was asked for. Rejects with a VouchError where
 * it is asked wrongly.
 */
export async function matchContract(
  received: unknown,
  name?: string,
  { contract: named }: MatchOptions = {},
): Promise<MatchResult> {
  try {
    const answer = await readTestAnswer(received);
    const contract = await currentContract(named);
    const operation = findOperation(contract, name, answer);
    return toResult(judgeAnswer(contract, operation, toExchange(answer, operation)), {
      answer,
      operation,
    });
  } catch (error) {
    throw error instanceof VouchError ? withHint(error) : error;
  }
}

function toResult(
  faults: readonly AnswerFault[],
  asked: { readonly answer: TestAnswer; readonly operation: Operation },
): MatchResult {
  return { pass: faults.length === 0, message: () => describeFaults(faults, asked) };
}

/** A test runner shows the message alone. */
function withHint(error: VouchError): Error {
  return error.hint === undefined
    ? error
    : new VouchError(error.code, `${error.message} ${error.hint}`, { cause: error });
}
