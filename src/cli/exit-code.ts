import type { Verdict } from '../check/model/run-summary.ts';
import type { ErrorCode } from '../errors.ts';

/** The exit codes of the process. */
export const exitCodes = {
  passed: 0,
  failed: 1,
  usageError: 2,
  inconclusive: 3,
  internalError: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of a run's verdict. */
export function exitCodeOfVerdict(verdict: Verdict): ExitCode {
  if (verdict === 'crashed') return exitCodes.internalError;
  return exitCodes[verdict];
}

/** The exit code of an error: a usage error or an internal error. */
export function exitCodeOfError(code: ErrorCode): ExitCode {
  if (code === 'internal' || code === 'value-impossible') return exitCodes.internalError;
  return code === 'target-unreachable' ? exitCodes.inconclusive : exitCodes.usageError;
}
