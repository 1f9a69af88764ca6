import { isRedirect } from '../../http/status.ts';
import type { CensusWatch } from '../census/census-watch.ts';
import { hasSpoken } from '../evidence/has-spoken.ts';
import { isTelling } from '../judge/readings.ts';
import type { Sequence } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Step } from '../model/step.ts';
import { isSecured } from '../secrets/credential.ts';
import { credentialFor } from '../secrets/operation-credential.ts';
import { type Wait, waitFor } from '../transport/wait.ts';
import type { Agenda, AgendaItem } from './agenda.ts';
import { askOthers } from './ask-others.ts';
import { type Attempt, executeSequence, type Sender } from './execute-sequence.ts';
import { Flights, isCutOff } from './flights.ts';
import type { Guard } from './guard.ts';
import type { Ledger } from './ledger.ts';
import { PathWatch } from './path-watch.ts';
import { askAgain, investigateEnd, type Suspect } from './service-end.ts';
import { sideBySide } from './side-by-side.ts';
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
  /**
   * How the run waits for a service that may come back; by the clock of the machine unless told.
   */
  readonly wait?: Wait;
}

/** What is watched while a plan is worked off. */
interface Watches {
  readonly target: Watch;
  readonly paths: PathWatch;
  readonly flights: Flights;
  /** The requests that were cut off, by their exchanges. */
  readonly suspects: Map<Exchange, Suspect>;
}

/** Sends the stages of a plan, one after the other, until the guard says stop. */
export async function executePlan(given: Execution): Promise<void> {
  const { agenda, guard } = given;
  const flights = new Flights();
  const sender = { ...given.sender, send: flights.follow(given.sender.send) };
  const execution = { ...given, sender };
  const target = new Watch(agenda.operations.size);
  const watches: Watches = { target, paths: new PathWatch(), flights, suspects: new Map() };
  const hear = (sequence: Sequence, attempt: Attempt): void => {
    const entry = execution.ledger.open(sequence);
    for (const step of attempt.steps) entry.add(step);
    entry.close(attempt);
  };
  let letIn = false;
  for (const stage of agenda.stages()) {
    if (guard.stop !== undefined) return;
    if (stage.phase !== 'probe' && stage.phase !== 'read' && !letIn) {
      letIn = await isLetIn(execution, watches);
      if (guard.stop !== undefined) return;
    }
    if (stage.phase !== 'probe' && stage.phase !== 'read') await given.census?.begin(sender, hear);
    await executeStage(stage, execution, watches);
  }
  // The last request of the plan may be the one that stopped the service.
  if (guard.stop === undefined && target.answered !== undefined && flights.cutOff.length > 0) {
    await makeSure(execution, watches);
  }
  // What could not be sent for want of a record leaves too few operations to tell earlier.
  const { answered, failed } = target;
  if (guard.stop === undefined && answered === undefined && failed !== undefined) {
    guard.halt(unreachable(failed, false));
  }
}

/**
 * Whether it is known that the target lets the run in; halts the run where it does not, or where
 * the base URL is wrong.
 */
async function isLetIn(execution: Execution, watches: Watches): Promise<boolean> {
  const { guard, url } = execution;
  const { paths } = watches;
  if (paths.isNothingFound) await checkBaseUrl(execution, watches);
  if (guard.stop !== undefined || !isShutOut(execution)) return false;
  if (!execution.ledger.has(({ case: tried }) => guard.refuses(tried.operation))) {
    guard.halt(paths.stop(url));
    return false;
  }
  const letIn = await isLetInElsewhere(execution, watches.target);
  if (!letIn) guard.halt({ code: 'shut-out' });
  return letIn;
}

/**
 * Asks for other operations where nothing was found: only where their paths are missing too, the
 * base URL is wrong.
 */
async function checkBaseUrl(execution: Execution, { paths, target }: Watches): Promise<void> {
  const { agenda, sender, guard, url } = execution;
  const others = agenda.askable.filter(({ operation }) => sender.baseUrl(operation) === url);
  const onStep = (step: Step): void => {
    paths.note(step);
    target.note(step);
    guard.note(step);
  };
  await askOthers(paths.farthestFirst(others), { sender, except: paths.missing, onStep });
  if (paths.isNothingFound && guard.stop === undefined) guard.halt(paths.stop(url));
}

/**
 * Whether another operation takes the credential that the ones before refused: then they refuse it,
 * and not the target.
 */
async function isLetInElsewhere(
  { agenda, sender, guard, ledger }: Execution,
  watch: Watch,
): Promise<boolean> {
  const asked = new Set(
    ledger.steps
      .filter(({ case: tried }) => guard.refuses(tried.operation))
      .map(({ case: tried }) => tried.operation),
  );
  // Whoever asks three times with a wrong key may be locked out.
  if (asked.size !== 1) return false;
  const steps = await askOthers(
    agenda.askable.filter(({ operation }) => isSecured(operation)),
    {
      sender,
      except: asked,
      onStep: (step) => {
        watch.note(step);
        guard.note(step);
      },
    },
  );
  return steps.some(
    ({ exchange: { response } }) =>
      response !== undefined && response.status !== 401 && response.status !== 403,
  );
}

/**
 * The sequences of a stage are begun in order, and so the ledger has them in the order of the plan.
 */
async function executeStage(
  { sequences }: AgendaItem,
  execution: Execution,
  watches: Watches,
): Promise<void> {
  const { concurrency, guard, sender, ledger, census } = execution;
  let making: Promise<void> | undefined;
  const noteStep = (step: Step, sequence: Sequence): void => {
    watches.target.note(step);
    guard.note(step);
    if (step.exchange.baseUrl === execution.url) noteTarget(step, sequence, watches);
  };
  const work = async (sequence: Sequence): Promise<void> => {
    const entry = ledger.open(sequence);
    const onStep = (step: Step): Promise<void> | undefined => {
      entry.add(step);
      noteStep(step, sequence);
      // Nobody goes on before it is known whether the target is there.
      if (making === undefined && guard.stop === undefined) {
        making = lookInto(execution, watches)?.finally(() => (making = undefined));
      }
      return making ?? census?.lookWhenDue(sender);
    };
    entry.close(await executeSequence(sequence, sender, { onStep }));
  };
  await sideBySide(sequences, { concurrency, work, abandon: () => guard.abandon() });
}

function noteTarget(step: Step, sequence: Sequence, { paths, suspects }: Watches): void {
  paths.note(step);
  if (!isCutOff(step.exchange)) return;
  const cases = sequence.cases.slice(0, sequence.cases.indexOf(step.case) + 1);
  suspects.set(step.exchange, { step, sequence: { ...sequence, cases } });
}

/** What has to be found out before anything else is sent; undefined where nothing has. */
function lookInto(execution: Execution, watches: Watches): Promise<void> | undefined {
  if (watches.target.isSuspicious()) return makeSure(execution, watches);
  return watches.paths.isSuspicious ? checkBaseUrl(execution, watches) : undefined;
}

/**
 * Asks once more for what was answered before: a target that answers nobody ends the run, one dead
 * operation does not.
 */
async function makeSure(execution: Execution, watches: Watches): Promise<void> {
  const { agenda, sender, guard, url } = execution;
  const { target } = watches;
  const { failed, answered } = target;
  if (failed === undefined) return;
  const faulty = new Set(target.faulty);
  target.calm();
  if (failed.baseUrl !== url)
    return guard.giveUp(
      failed.baseUrl,
      `its server does not answer (${failed.fault?.message ?? failed.baseUrl})`,
    );
  if (answered === undefined) {
    const ofTarget = agenda.askable.filter(({ operation }) => sender.baseUrl(operation) === url);
    const others = target.isNobody ? [] : ofTarget;
    await askOthers(others, { sender, except: faulty, onStep: (step) => target.note(step) });
    if (target.answered === undefined) guard.halt(unreachable(failed, false));
    return;
  }
  const last = await askAgain(answered, sender);
  const isGone = [failed, last].some((each) => each?.fault?.kind === 'connection.refused');
  if (isGone && (await haltAfterEnd(execution, watches, answered))) return;
  if (last !== undefined && !hasSpoken(last)) guard.halt(unreachable(last, true));
}

/**
 * Halts the run where requests were in flight when the service went away, and answers whether there
 * were any.
 */
async function haltAfterEnd(
  { sender, guard, wait = waitFor }: Execution,
  { flights, suspects }: Watches,
  answered: Step,
): Promise<boolean> {
  await flights.settled();
  const [first, ...rest] = flights.cutOff.flatMap((exchange) => suspects.get(exchange) ?? []);
  if (first === undefined) return false;
  guard.halt(await investigateEnd([first, ...rest], { sender, wait, answered }));
  return true;
}

/**
 * Whether every operation that can be asked without knowing a record was asked, and none let the
 * run in or was there: more requests would show no more. Operations that come in a later stage are
 * waited for.
 */
function isShutOut({ agenda, ledger, guard, sender }: Execution): boolean {
  const isShut = (step: Step): boolean => isMissing(step) || guard.refuses(step.case.operation);
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
  return ![...agenda.open].some(
    (operation) => !known.has(operation) && !(refused && isSecured(operation)),
  );
}

function isMissing(step: Step): boolean {
  const { status = 0 } = step.exchange.response ?? {};
  return status === 404 || (isRedirect(status) && !isTelling(step));
}
