import { isSuccess } from '../../http/status.ts';
import { type Case, controlOf, makeSequence } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import { credentialFor } from '../secrets/credential.ts';
import { executeSequence, type Sender } from './execute-sequence.ts';
import { reMarkRequest } from './re-mark-request.ts';

/** Whether the control fared as it has to; `none` where the case has none. */
export type ControlOutcome = 'passed' | 'failed' | 'none';

/**
 * Sends the control of the last of some steps. It has to be accepted: only then is it the one
 * difference that the server judged.
 */
export async function sendControl(
  steps: readonly Step[],
  sender: Sender,
  { runId, check }: { readonly runId: string; readonly check: string },
): Promise<ControlOutcome> {
  const testCase = steps.at(-1)?.case;
  const control = testCase && controlOf(testCase);
  if (testCase === undefined || control === undefined) return 'none';
  // Without a credential of its own the run cannot show that the right one is let in; that a wrong
  // one is, is enough.
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
  // A secured read of a made-up record is let in, and finds nothing.
  const passed =
    status !== undefined &&
    (isSuccess(status) || (check === 'credential-required' && (status === 404 || status === 410)));
  return passed ? 'passed' : 'failed';
}
