import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasSpoken } from '../evidence/latency.ts';
import { type Case, makeCase, type Sequence } from '../model/case.ts';
import type { Exchange, ServiceEnd } from '../model/exchange.ts';
import type { Step } from '../model/step.ts';
import type { ServiceStopped } from '../model/stop.ts';
import type { SendPolitely } from '../transport/polite-send.ts';
import type { Wait } from '../transport/send.ts';
import { executeSequence, type Sender } from './execute-sequence.ts';
import { reMarkSequence } from './re-mark-request.ts';

/** A request that was cut off: its step, and the requests that lead to it. */
export interface Suspect {
  readonly step: Step;
  readonly sequence: Sequence;
}

/** What it takes to find out after which request a service was gone. */
export interface ServiceEndSearch {
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
  investigation: ServiceEndSearch,
): Promise<ServiceStopped> {
  let cameBack = await comesBack(investigation);
  const shown = cameBack
    ? await findAgain(suspects.slice(0, mostRepeated), investigation)
    : undefined;
  if (shown !== undefined) cameBack = await comesBack(investigation);
  const cause = shown ?? suspects[0];
  mark(cause, suspects, shown !== undefined ? 'again' : cameBack ? 'not-again' : 'impossible');
  const { exchange, case: testCase } = cause.step;
  const { path } = testCase.operation;
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
  const { case: testCase, exchange } = answered;
  if (sender.spend(exchange.baseUrl) !== undefined) return undefined;
  const again = makeCase({
    ...testCase,
    title: `${testCase.title} (is anybody there?)`,
    phase: 'confirm',
  });
  const sending = sender.send(exchange.baseUrl, exchange.request, sender.signals);
  const exchanges = await unlessOver(sending, sender);
  if (exchanges === undefined) return undefined;
  for (const each of exchanges)
    await sender.tell?.({ case: again, phase: 'confirm', exchange: each });
  return exchanges.at(-1);
}

async function comesBack({ sender, wait, answered }: ServiceEndSearch): Promise<boolean> {
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
  investigation: ServiceEndSearch,
): Promise<Suspect | undefined> {
  for (const suspect of suspects) {
    if (await isCutOffAgain(suspect, investigation.sender)) return suspect;
    if (!(await comesBack(investigation))) return undefined;
  }
  return undefined;
}

async function isCutOffAgain({ sequence }: Suspect, sender: Sender): Promise<boolean> {
  const runId = sender.runId ?? 'vouch';
  const repeated = reMarkSequence(sequence, `${runId}-e`, runId);
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

/** An exchange whose connection was closed without an answer, and when it began and ended. */
interface CutOff {
  readonly exchange: Exchange;
  readonly began: number;
  readonly ended: number;
}

/** Whether the connection was closed under a request that was sent, and no answer came. */
export function isCutOff({ fault, resent }: Exchange): boolean {
  if (fault?.kind === 'connection.reset' || fault?.kind === 'connection.truncated') return true;
  // A request that is sent again on a new connection meets the refusal of a service that is gone.
  return fault?.kind === 'connection.refused' && resent !== undefined;
}

/**
 * Follows the requests in flight, to tell after which of them a service was gone. A request that
 * was cut off is forgotten
 * as soon as one is answered that was sent later.
 */
export class InFlightRequests {
  readonly #open = new Set<Promise<unknown>>();
  #cutOff: CutOff[] = [];
  #time = 0;

  /** The same way to send, followed. */
  follow(send: SendPolitely): SendPolitely {
    return async (baseUrl, request, signals) => {
      const began = this.#tick();
      const flight = send(baseUrl, request, signals);
      this.#open.add(flight);
      try {
        const exchanges = await flight;
        this.#land(exchanges.at(-1) ?? exchanges[0], began);
        return exchanges;
      } finally {
        this.#open.delete(flight);
      }
    };
  }

  /**
   * The exchanges that were cut off and followed by no answer, in the order in which they were
   * sent.
   */
  get cutOff(): readonly Exchange[] {
    return this.#cutOff
      .toSorted((left, right) => left.began - right.began)
      .map(({ exchange }) => exchange);
  }

  /** Resolves when every request in flight has ended, and whoever waits for it was told. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#open]);
    await nextTurn();
  }

  #land(exchange: Exchange, began: number): void {
    const ended = this.#tick();
    if (isCutOff(exchange)) this.#cutOff.push({ exchange, began, ended });
    else if (hasSpoken(exchange))
      this.#cutOff = this.#cutOff.filter((other) => other.ended > began);
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }
}
