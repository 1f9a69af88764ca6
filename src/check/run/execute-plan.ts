import { isSecured } from '../secrets/credential.ts';
import { makeCase, type Sequence } from '../case.ts';
import { hasSpoken } from '../evidence/has-spoken.ts';
import type { CensusWatch } from '../census/census-watch.ts';
import { isRedirect } from '../../http/status.ts';
import { credentialFor } from '../secrets/operation-credential.ts';
import type { Step } from '../subject.ts';
import type { Agenda, AgendaItem } from './agenda.ts';
import { executeSequence, type Attempt, type Sender } from './execute-sequence.ts';
import type { Guard } from './guard.ts';
import type { Ledger } from './ledger.ts';
import { sideBySide } from './side-by-side.ts';
import { askOthers } from './ask-others.ts';
import { unreachable, Watch } from './watch.ts';

/** What it takes to work a plan off. */
export interface Execution {
  readonly agenda: Agenda;
  readonly sender: Sender;
  readonly guard: Guard;
  readonly ledger: Ledger;
  readonly concurrency: number;
  /** Watches over the records of others; nobody does where the run changes nothing. */
  readonly census?: CensusWatch;
  /** The main base URL: when nobody answers there, the run is over. */
  readonly url: string;
}

/** Sends the stages of a plan, one after the other, until the guard says stop. */
export async function executePlan(execution: Execution): Promise<void> {
  const { agenda, guard, sender } = execution;
  const watch = new Watch(agenda.operations.size);
  const hear = (sequence: Sequence, attempt: Attempt): void => {
    const entry = execution.ledger.open(sequence);
    for (const step of attempt.steps) entry.add(step);
    entry.close(attempt);
  };
  let letIn = false;
  for (const stage of agenda.stages()) {
    if (guard.stop !== undefined) return;
    if (stage.phase !== 'probe' && stage.phase !== 'read' && !letIn && isShutOut(execution)) {
      letIn = await isLetInElsewhere(execution, watch);
      if (!letIn) return guard.halt({ code: 'shut-out' });
    }
    if (stage.phase !== 'probe' && stage.phase !== 'read') await execution.census?.begin(sender, hear);
    await executeStage(stage, execution, watch);
  }
  // What could not be sent for want of a record leaves too few operations to tell earlier.
  if (guard.stop === undefined && watch.answered === undefined && watch.failed !== undefined) guard.halt(unreachable(watch.failed, false));
}

/** Whether another operation takes the credential that the ones before refused: then they refuse it, and not the target. */
async function isLetInElsewhere({ agenda, sender, guard, ledger }: Execution, watch: Watch): Promise<boolean> {
  const asked = new Set(ledger.steps.filter(({ case: tried }) => guard.refuses(tried.operation)).map(({ case: tried }) => tried.operation));
  // Whoever asks three times with a wrong key may be locked out.
  if (asked.size !== 1) return false;
  const steps = await askOthers(agenda.askable.filter(({ operation }) => isSecured(operation)), { sender, except: asked, onStep: (step) => { watch.note(step); guard.note(step); } });
  return steps.some(({ exchange: { response } }) => response !== undefined && response.status !== 401 && response.status !== 403);
}

/** The sequences of a stage are begun in order, and so the ledger has them in the order of the plan. */
async function executeStage({ sequences }: AgendaItem, execution: Execution, watch: Watch): Promise<void> {
  const { concurrency, guard, sender, ledger, census } = execution;
  let making: Promise<void> | undefined;
  const work = async (sequence: Sequence): Promise<void> => {
    const entry = ledger.open(sequence);
    const onStep = (step: Step): Promise<void> | undefined => {
      entry.add(step);
      watch.note(step);
      guard.note(step);
      // Nobody goes on before it is known whether the target is there.
      if (making === undefined && watch.isSuspicious() && guard.stop === undefined) making = makeSure(execution, watch).finally(() => (making = undefined));
      return making ?? census?.lookWhenDue(sender);
    };
    entry.close(await executeSequence(sequence, sender, { onStep }));
  };
  await sideBySide(sequences, { concurrency, work, abandon: () => guard.abandon() });
}

/** Asks once more for what was answered before: a target that answers nobody ends the run, one dead operation does not. */
async function makeSure({ agenda, sender, guard, url }: Execution, watch: Watch): Promise<void> {
  const { failed, answered } = watch;
  if (failed === undefined) return;
  const faulty = new Set(watch.faulty);
  watch.calm();
  if (failed.baseUrl !== url) return guard.giveUp(failed.baseUrl, `its server does not answer (${failed.fault?.message ?? failed.baseUrl})`);
  if (answered === undefined) {
    const others = watch.isNobody ? [] : agenda.askable.filter(({ operation }) => sender.baseUrl(operation) === url);
    await askOthers(others, { sender, except: faulty, onStep: (step) => watch.note(step) });
    if (watch.answered === undefined) guard.halt(unreachable(failed, false));
    return;
  }
  const { case: tried, exchange } = answered;
  const again = makeCase({ ...tried, title: `${tried.title} (is anybody there?)`, phase: 'confirm' });
  if (sender.spend(exchange.baseUrl) !== undefined) return;
  const [last] = await sender.send(exchange.baseUrl, exchange.request, sender.signals);
  await sender.tell?.({ case: again, phase: 'confirm', exchange: last });
  if (!hasSpoken(last)) guard.halt(unreachable(last, true));
}

/**
 * Whether every operation that can be asked without knowing a record was asked, and none let the run in or was there: more
 * requests would show no more. Operations that come in a later stage are waited for.
 */
function isShutOut({ agenda, ledger, guard, sender }: Execution): boolean {
  const isShut = ({ exchange, case: tried }: Step): boolean => exchange.response?.status === 404 || isRedirect(exchange.response?.status ?? 0) || guard.refuses(tried.operation);
  const isAsked = ({ case: tried }: Step): boolean => tried.intent.kind === 'valid';
  // The first answer mostly settles it, and every stage asks.
  if (ledger.has((step) => isAsked(step) && !isShut(step))) return false;
  const asked = ledger.steps.filter(isAsked);
  const refused = asked.every(({ case: tried }) => guard.refuses(tried.operation));
  // Without a credential the run goes on: that nobody is let in without one is worth seeing.
  const hasCredential = asked.some(
    ({ case: { operation } }) => credentialFor(operation, sender.secrets) !== undefined,
  );
  if (asked.length === 0 || (refused && !hasCredential)) return false;
  const known = new Set(asked.map(({ case: tried }) => tried.operation));
  return ![...agenda.open].some((operation) => !known.has(operation) && !(refused && isSecured(operation)));
}
