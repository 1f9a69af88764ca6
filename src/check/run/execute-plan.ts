import { isSecured } from '../credential.ts';
import { makeCase } from '../case.ts';
import type { Plan, Stage } from '../plan/make-plan.ts';
import { executeSequence, type RecordedExchange, type Sender } from './execute-sequence.ts';
import type { Guard } from './guard.ts';
import type { Ledger } from './ledger.ts';
import { mergeConcurrent } from './merge-concurrent.ts';
import { describeUnreachable, Watch } from './watch.ts';

/** What it takes to work a plan off. */
export interface Execution {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly guard: Guard;
  readonly ledger: Ledger;
  readonly concurrency: number;
  /** The main base URL: when nobody answers there, the run is over. */
  readonly url: string;
}

/** Sends the stages of a plan, one after the other, until the guard says stop. Yields every exchange as it comes. */
export async function* executePlan(execution: Execution): AsyncGenerator<RecordedExchange, void> {
  const { plan, guard } = execution;
  const operations = new Set(plan.stages.flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases.map(({ operation }) => operation.id))));
  const watch = new Watch(operations.size);
  for (const stage of plan.stages) {
    if (guard.stop !== undefined) return;
    if (stage.phase !== 'probe' && stage.phase !== 'read' && isRefusedEverywhere(execution)) return guard.halt({ kind: 'refused' });
    try {
      yield* executeStage(stage, execution, watch);
    } catch (error) {
      // A halt cuts short what is under way; anything else is a fault of vouch's own.
      if (!guard.signal.aborted) throw error;
    }
  }
}

async function* executeStage({ sequences }: Stage, execution: Execution, watch: Watch): AsyncGenerator<RecordedExchange, void> {
  const { sender, guard, ledger, concurrency } = execution;
  const sources = sequences.map((sequence) => {
    const add = ledger.open(sequence);
    return async function* (): AsyncGenerator<RecordedExchange, void> {
      const attempt = yield* executeSequence(sequence, sender, {
        onStep: (step) => {
          add(step);
          watch.note(step);
          guard.note(step);
        },
      });
      ledger.close(attempt);
    };
  });
  for await (const recorded of mergeConcurrent(sources, concurrency, () => guard.abandon())) {
    yield recorded;
    if (watch.isSuspicious()) yield* makeSure(execution, watch);
    if (guard.signal.aborted) return;
  }
}

/** Asks once more for what was answered before: a target that answers nobody ends the run, one dead operation does not. */
async function* makeSure({ sender, guard, url }: Execution, watch: Watch): AsyncGenerator<RecordedExchange, void> {
  const { failed, answered } = watch;
  if (failed === undefined) return;
  watch.calm();
  if (failed.baseUrl !== url) return guard.giveUp(failed.baseUrl, `its server does not answer (${failed.fault?.message ?? failed.baseUrl})`);
  if (answered === undefined) return guard.halt({ kind: 'unreachable', sentence: describeUnreachable(failed, false) });
  const { case: tried, exchange } = answered;
  const again = makeCase({ ...tried, title: `${tried.title} (is anybody there?)`, phase: 'confirm' });
  const [last] = await sender.send(exchange.baseUrl, exchange.request, sender.signal);
  yield { case: again, phase: 'confirm', exchange: last };
  if (last.fault !== undefined) guard.halt({ kind: 'unreachable', sentence: describeUnreachable(last, true) });
}

/** Whether every secured operation that was asked so far refused the credential, and there is no other kind to go on with. */
function isRefusedEverywhere({ plan, sender, ledger }: Execution): boolean {
  if (sender.secrets.given === undefined) return false;
  const asked = ledger.steps.filter(({ case: tried }) => tried.intent.kind === 'valid');
  const open = plan.stages.some(({ sequences }) => sequences.some(({ cases }) => cases.some(({ operation }) => !isSecured(operation))));
  return !open && asked.length > 0 && asked.every(({ case: tried }) => sender.refuses(tried.operation));
}
