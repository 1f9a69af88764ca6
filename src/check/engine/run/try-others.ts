import type { Operation } from '../../../contract/model.ts';
import { type Case, makeCase, makeSequence } from '../../model/case.ts';
import type { Step } from '../../model/step.ts';
import { isSafe } from '../../plan/draft.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import { reMarkSequence } from '../send/re-mark-request.ts';

/** The sender, the limits and the health of the target. */
export interface Trying {
  readonly sender: Sender;
  /** The operations that were tried before. */
  readonly except: ReadonlySet<Operation>;
  readonly onStep: (step: Step) => void;
}

const maxAsked = 2;

/**
 * Tries a few operations out of turn, at once, to distinguish an unreachable target from one
 * failing operation; preferably those that change nothing. `askable` has a case for each that
 * `mayBeAsked`. Returns the steps.
 */
export async function tryOthers(
  askable: readonly Case[],
  { sender, except, onStep }: Trying,
): Promise<readonly Step[]> {
  const chosen = askable
    .filter(({ operation }) => !except.has(operation))
    .sort((left, right) => Number(isSafe(right.operation)) - Number(isSafe(left.operation)))
    .slice(0, maxAsked);
  if (chosen.length === 0) return [];
  const sequence = makeSequence(
    ...chosen.map((testCase) =>
      makeCase({
        ...testCase,
        title: `${testCase.title} (is the target reachable?)`,
        phase: 'confirm',
      }),
    ),
  );
  const runId = sender.runId ?? 'vouch';
  const attempt = await executeSequence(
    { ...reMarkSequence(sequence, `${runId}-p`, runId), concurrent: true },
    sender,
    {
      phase: 'confirm',
      onStep: (step) => {
        onStep(step);
      },
    },
  );
  return attempt.steps;
}
