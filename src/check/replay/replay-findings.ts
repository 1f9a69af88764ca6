import type { Check } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import { judgeStep, severityOf } from '../judge/judge.ts';
import { gatherKnowledge } from '../judge/gather-knowledge.ts';
import type { Sequence } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import { cleanUp } from '../run/cleanup.ts';
import { executeSequence, type Sender } from '../run/execute-sequence.ts';
import { reMarkSequence } from '../run/re-mark-request.ts';
import { openRun, type OpenRun } from '../run/open-run.ts';
import { sendControl } from '../run/send-control.ts';
import { type CheckOptions, resolveSettings } from '../settings.ts';
import { lookAround } from './look-around.ts';
import { obstacleTo } from './obstacle.ts';
import { readReplay } from './read-replay.ts';
import type { ReplayForm } from '../model/finding.ts';
import { whyUndecided } from './undecided.ts';

/** A finding to be sent and judged again, by its id. */
export interface ReplayWish {
  readonly id: string;
  readonly replay?: ReplayForm | undefined;
}

/** What became of a finding. The reason is a sentence. */
export interface ReplayResult {
  readonly id: string;
  readonly outcome: 'fixed' | 'still failing' | 'cannot tell';
  readonly reason: string;
}

/**
 * Sends what showed each finding again, one after the other, and holds the same check against it.
 * What is created on the way is deleted in the end. Throws a VouchError where it was asked wrongly.
 */
export async function* replayFindings(
  wishes: readonly ReplayWish[],
  options: CheckOptions,
): AsyncGenerator<ReplayResult, void> {
  const run = openRun(resolveSettings(options));
  try {
    for (const [index, { id, replay }] of wishes.entries()) {
      const { outcome, reason } =
        replay === undefined
          ? cannot('The report does not hold its requests.')
          : await replayOne(replay, run, index);
      yield { id, outcome, reason: run.redactor.text(reason) };
    }
  } finally {
    await tidy(run);
    await run.close();
  }
}

type Outcome = Omit<ReplayResult, 'id'>;

function cannot(reason: string): Outcome {
  return { outcome: 'cannot tell', reason };
}

async function replayOne(form: ReplayForm, run: OpenRun, index: number): Promise<Outcome> {
  const { settings, sender } = run;
  const check = checks.find(({ id }) => id === form.check);
  if (check === undefined) return cannot(`This release of vouch has no check ${form.check}.`);
  const reading = readReplay(form, settings.contract);
  if (!reading.ok) return cannot(`${capital(reading.reason)}.`);
  const obstacle = obstacleTo(reading.sequence, settings, sender);
  if (obstacle !== undefined) return cannot(`${capital(obstacle)}.`);
  const around = await lookAround(reading.sequence, form.alone, run);
  let last: readonly Step[] = [];
  for (let attempt = 0; attempt < Math.min(20, Math.max(1, form.times)); attempt += 1) {
    const tried = await attemptOnce(
      {
        form,
        check,
        around,
        sequence: reading.sequence,
        mark: `${settings.runId}-r${String(index)}-${String(attempt)}`,
      },
      run,
    );
    if ('outcome' in tried) return tried;
    last = tried.steps;
  }
  if (!form.alone)
    return cannot(
      'Its requests did not show it again, but without the rest of the run that proves nothing; vouch check looks at it all.',
    );
  const control =
    check.proof === 'control'
      ? await sendControl(last, sender, { runId: settings.runId, check: check.id })
      : 'none';
  if (control === 'failed')
    return cannot(
      'The nearest request that has to be accepted is refused too, so that this refusal shows nothing.',
    );
  return { outcome: 'fixed', reason: `${lastAnswer(last)}, as the contract has it.` };
}

interface Try {
  readonly form: ReplayForm;
  readonly check: Check;
  readonly sequence: Sequence;
  readonly around: readonly Step[];
  /** Told apart from every other one, for servers that keep texts unique. */
  readonly mark: string;
}

async function attemptOnce(
  { form, check, around, sequence, mark }: Try,
  { settings, sender }: OpenRun,
): Promise<Outcome | { readonly steps: readonly Step[] }> {
  const { contract, runId } = settings;
  const fresh = reMarkSequence(sequence, mark, form.mark);
  const { steps, unsent } = await executeSequence(fresh, sender, { phase: 'confirm' });
  if (unsent !== undefined)
    return cannot(
      `${capital(unsent.reason)}${steps.length === 0 ? '' : ` (${lastAnswer(steps)})`}.`,
    );
  const judged = judgeStep(
    {
      contract,
      checks: [check],
      knowledge: gatherKnowledge(contract, [...around, ...steps], runId),
    },
    fresh,
    steps,
  );
  const [crash] = judged.crashes;
  if (crash !== undefined) return cannot(`The check itself failed: ${crash.message}`);
  const shown =
    judged.suspicions.find(
      ({ violation }) => violation.at === form.at && (violation.cause ?? '') === form.cause,
    ) ??
    judged.suspicions.find(
      (other) => other.violation.at === form.at && severityOf(other) === 'error',
    );
  if (shown !== undefined) return { outcome: 'still failing', reason: shown.violation.message };
  const why = whyUndecided(form, steps, { ...judged, contract });
  return why === undefined ? { steps } : cannot(why);
}

async function tidy({ settings, sender }: OpenRun): Promise<void> {
  const never = new AbortController().signal;
  const unbounded: Sender = {
    ...sender,
    signals: { stop: never, cut: never },
    spend: () => undefined,
    isPointless: () => undefined,
  };
  await cleanUp({
    contract: settings.contract,
    seed: settings.seed,
    sender: unbounded,
    concurrency: settings.concurrency,
    mayDelete: () => settings.mode !== 'read-only',
  });
}

function lastAnswer(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const { response, fault } = last?.exchange ?? {};
  const asked =
    last === undefined ? 'It' : `${last.exchange.request.method} ${last.case.operation.path}`;
  return `${asked} was answered ${response === undefined ? `with nothing: ${fault?.message ?? 'no answer came'}` : String(response.status)}`;
}

function capital(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}
