import { hasSpoken } from '../evidence/has-spoken.ts';
import { type Case, makeCase, type Sequence } from '../model/case.ts';
import type { Exchange, ServiceEnd } from '../model/exchange.ts';
import type { Step } from '../model/step.ts';
import type { ServiceStopped } from '../model/stop.ts';
import type { Wait } from '../transport/wait.ts';
import { executeSequence, type Sender } from './execute-sequence.ts';
import { isCutOff } from './flights.ts';
import { freshenAll } from './freshen.ts';

/** A request that was cut off: its step, and the requests that lead to it. */
export interface Suspect {
  readonly step: Step;
  readonly sequence: Sequence;
}

/** What it takes to find out after which request a service was gone. */
export interface Investigation {
  readonly sender: Sender;
  readonly wait: Wait;
  /** A step that was answered before. */
  readonly answered: Step;
}

/** How long a service is waited for that may be restarted, in milliseconds between the attempts. */
const pauses = [100, 200, 400, 800, 1_600];
const mostRepeated = 16;

/**
 * Names the request after which the service was gone: of those in flight the one that was sent
 * first, or the one that
 * stops the service again when it came back. Marks their exchanges, and answers the stop.
 */
export async function investigateEnd(
  suspects: readonly [Suspect, ...Suspect[]],
  investigation: Investigation,
): Promise<ServiceStopped> {
  let cameBack = await comesBack(investigation);
  const shown = cameBack
    ? await findAgain(suspects.slice(0, mostRepeated), investigation)
    : undefined;
  if (shown !== undefined) cameBack = await comesBack(investigation);
  const cause = shown ?? suspects[0];
  mark(cause, suspects, shown !== undefined ? 'again' : cameBack ? 'not-again' : 'impossible');
  const { exchange, case: tried } = cause.step;
  const { path } = tried.operation;
  return {
    code: 'service-stopped',
    baseUrl: exchange.baseUrl,
    method: exchange.request.method,
    path,
    cameBack,
  };
}

/**
 * Asks once more for what was answered before; undefined where the budget has no room for it, or
 * the run is over.
 */
export async function askAgain(answered: Step, sender: Sender): Promise<Exchange | undefined> {
  const { case: tried, exchange } = answered;
  if (sender.spend(exchange.baseUrl) !== undefined) return undefined;
  const again = makeCase({
    ...tried,
    title: `${tried.title} (is anybody there?)`,
    phase: 'confirm',
  });
  const sending = sender.send(exchange.baseUrl, exchange.request, sender.signals);
  const exchanges = await unlessOver(sending, sender);
  if (exchanges === undefined) return undefined;
  for (const each of exchanges)
    await sender.tell?.({ case: again, phase: 'confirm', exchange: each });
  return exchanges.at(-1);
}

async function comesBack({ sender, wait, answered }: Investigation): Promise<boolean> {
  for (const pause of pauses) {
    const exchange = await askAgain(answered, sender);
    if (exchange === undefined) return false;
    if (hasSpoken(exchange)) return true;
    await unlessOver(wait(pause, sender.signals.stop), sender);
  }
  return false;
}

/** What a promise comes to; undefined where it is rejected because the run is over. */
async function unlessOver<Value>(
  pending: Promise<Value>,
  { signals }: Sender,
): Promise<Value | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (signals.stop.aborted || signals.cut.aborted) return undefined;
    throw error;
  }
}

/** The first suspect whose request is cut off again. */
async function findAgain(
  suspects: readonly Suspect[],
  investigation: Investigation,
): Promise<Suspect | undefined> {
  for (const suspect of suspects) {
    if (await isCutOffAgain(suspect, investigation.sender)) return suspect;
    if (!(await comesBack(investigation))) return undefined;
  }
  return undefined;
}

async function isCutOffAgain({ sequence }: Suspect, sender: Sender): Promise<boolean> {
  const runId = sender.runId ?? 'vouch';
  const repeated = freshenAll(sequence, `${runId}-e`, runId);
  // That nothing of the operation was answered before is no reason not to ask again.
  const asking: Sender = { ...sender, isPointless: () => undefined };
  const { steps } = await executeSequence(repeated, asking, { phase: 'confirm' });
  if (steps.length < sequence.cases.length) return false;
  return steps.findIndex(({ exchange }) => isCutOff(exchange)) === steps.length - 1;
}

function mark(cause: Suspect, suspects: readonly Suspect[], repeat: ServiceEnd['repeat']): void {
  const others = suspects.filter((suspect) => suspect !== cause);
  const named = others.map(({ step }) => nameRequest(step.case));
  note(cause.step.exchange, { role: 'cause', others: named, repeat });
  for (const { step } of others) note(step.exchange, { role: 'beside', others: [], repeat });
}

/**
 * What came of a request is known only when the requests after it failed: it is written into its
 * exchange then.
 */
function note(exchange: { serviceEnd?: ServiceEnd }, end: ServiceEnd): void {
  exchange.serviceEnd = end;
}

function nameRequest({ operation: { method, path }, request }: Case): string {
  return `${request.method ?? method} ${path}`;
}
