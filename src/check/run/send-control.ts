import { isSuccess } from '../../http/status.ts';
import { type Case, controlOf, makeSequence } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import { credentialFor } from '../secrets/credential.ts';
import { executeSequence, type Sender } from './execute-sequence.ts';
import { reMarkRequest } from './re-mark-request.ts';

/** Whether the control request succeeded; `none` if the case has none. */
export type ControlOutcome = 'passed' | 'failed' | 'none';

/**
 * Sends the control of the last step. Only if the server accepts it, the tested difference is the
 * cause of the response.
 */
export async function sendControl(
  steps: readonly Step[],
  sender: Sender,
  { runId, check }: { readonly runId: string; readonly check: string },
): Promise<ControlOutcome> {
  const testCase = steps.at(-1)?.case;
  const control = testCase && controlOf(testCase);
  if (testCase === undefined || control === undefined) return 'none';
  // Without a credential the run cannot show that the right one is accepted; accepting a wrong one
  // is proof enough.
  if (
    testCase.intent.kind === 'credential' &&
    credentialFor(testCase.operation, sender.secrets) === undefined
  )
    return 'none';
  const neighbour: Case = {
    ...testCase,
    title: `${testCase.title} (control)`,
    request: reMarkRequest(control, `${runId}-c`, runId),
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  };
  const attempt = await executeSequence(
    makeSequence(...steps.slice(0, -1).map((step) => step.case), neighbour),
    sender,
    { earlier: steps.slice(0, -1), phase: 'confirm' },
  );
  const status =
    attempt.steps.length === steps.length
      ? attempt.steps.at(-1)?.exchange.response?.status
      : undefined;
  // A read of a made-up record with the right credential finds nothing.
  const passed =
    status !== undefined &&
    (isSuccess(status) || (check === 'credential-required' && (status === 404 || status === 410)));
  return passed ? 'passed' : 'failed';
}
