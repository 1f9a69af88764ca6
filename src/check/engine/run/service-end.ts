import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Operation } from '../../../contract/model.ts';
import { storeStep } from '../judge/compact-step.ts';
import { hasSpoken } from '../../reading/latency.ts';
import { type Case, makeCase, type Sequence } from '../../model/case.ts';
import { nameRequest, type Step } from '../../model/step.ts';
import type { Exchange, ServiceEnd } from '../../model/exchange.ts';
import type { ServiceStopped } from '../../model/stop.ts';
import type { SendWithRetries } from '../../transport/retry-send.ts';
import type { Wait } from '../../transport/send.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import { reMarkSequence } from '../send/re-mark-request.ts';

/** A request whose connection was closed: its step, and the requests that lead to it. */
export interface Suspect {
  readonly step: Step;
  readonly sequence: Sequence;
}

/** The stop, and whether any of several requests may be the cause. */
export interface EndFound {
  readonly stop: ServiceStopped;
  readonly isOpen: boolean;
  /** The operation that stopped the service again when it was repeated, if any did. */
  readonly operation: Operation | undefined;
}

/** What is needed to find the request after which a service stopped. */
export interface ServiceEndSearch {
  readonly sender: Sender;
  readonly wait: Wait;
  /** A step that had a response before. */
  readonly answered: Step;
}

/** The pauses between attempts to reach a service that may restart, in milliseconds. */
const pauses = [100, 200, 400, 800, 1_600, 3_200, 6_400];
const maxRepeated = 16;

/**
 * Finds the request that stopped the service: the only one in flight, or the one that stops it
 * again after a restart. That one of several was sent first says nothing. Marks their exchanges.
 */
export async function investigateEnd(
  suspects: readonly [Suspect, ...Suspect[]],
  investigation: ServiceEndSearch,
): Promise<EndFound> {
  let cameBack = await comesBack(investigation);
  const shown = cameBack
    ? await findAgain(suspects.slice(0, maxRepeated), investigation)
    : undefined;
  if (shown !== undefined) cameBack = await comesBack(investigation);
  const cause = shown ?? suspects[0];
  const isOpen = shown === undefined && suspects.length > 1;
  mark(cause, suspects, {
    role: isOpen ? 'open' : 'cause',
    repeat: shown !== undefined ? 'again' : cameBack ? 'not-again' : 'impossible',
  });
  const { exchange, case: testCase } = cause.step;
  const stop = {
    code: 'service-stopped',
    baseUrl: exchange.baseUrl,
    method: exchange.request.method,
    path: testCase.operation.path,
    ...(isOpen ? { others: suspects.length - 1 } : {}),
    cameBack,
  } as const;
  return { stop, isOpen, operation: shown?.step.case.operation };
}

/** A case that is sent to see whether the target is reachable. */
export function askedAgain(testCase: Case): Case {
  const title = `${testCase.title} (is the target reachable?)`;
  return makeCase({ ...testCase, title, phase: 'confirm' });
}

/**
 * Sends once more a request that had a response before; undefined if the budget is spent, or the
 * run is over.
 */
export async function repeatRequest(answered: Step, sender: Sender): Promise<Exchange | undefined> {
  const { case: testCase, exchange } = answered;
  if (sender.spend(exchange.baseUrl) !== undefined) return undefined;
  const again = askedAgain(testCase);
  const sending = sender.send(exchange.baseUrl, exchange.request, sender.signals);
  const exchanges = await unlessOver(sending, sender);
  if (exchanges === undefined) return undefined;
  for (const each of exchanges) {
    sender.note?.(storeStep({ ...answered, case: again, exchange: each }), []);
    await sender.report?.({ case: again, phase: 'confirm', exchange: each });
  }
  return exchanges.at(-1);
}

async function comesBack({ sender, wait, answered }: ServiceEndSearch): Promise<boolean> {
  let timeouts = 0;
  for (const pause of pauses) {
    const exchange = await repeatRequest(answered, sender);
    if (exchange === undefined) return false;
    if (hasSpoken(exchange)) return true;
    if (exchange.fault?.kind === 'timeout') timeouts += 1;
    // A service that hangs is not asked for long.
    if (timeouts > 1) return false;
    await unlessOver(wait(pause, sender.signals.stop), sender);
  }
  return false;
}

/** The result of a promise; undefined if it is rejected because the run is over. */
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

/** The first suspect whose connection is closed again when it is resent. */
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
  // It is sent even if no request of the operation had a response before.
  const resender: Sender = { ...sender, isPointless: () => undefined };
  const { steps } = await executeSequence(repeated, resender, { phase: 'confirm' });
  if (steps.length < sequence.cases.length) return false;
  return steps.findIndex(({ exchange }) => isUnanswered(exchange)) === steps.length - 1;
}

function mark(
  cause: Suspect,
  suspects: readonly Suspect[],
  { role, repeat }: Pick<ServiceEnd, 'role' | 'repeat'>,
): void {
  const others = suspects
    .filter((suspect) => suspect !== cause)
    .map(({ step: { case: testCase, exchange } }) => ({ name: nameRequest(testCase), exchange }));
  note(cause.step.exchange, { role, others, repeat });
  for (const { exchange } of others) note(exchange, { role: 'beside', others: [], repeat });
}

/**
 * The cause of a closed connection is known only when later requests fail: it is added to the
 * exchange then.
 */
function note(exchange: { serviceEnd?: ServiceEnd }, end: ServiceEnd): void {
  exchange.serviceEnd = end;
}

/** Whether no response came: the connection was closed after the request, or the time was up. */
export function isUnanswered(exchange: Exchange): boolean {
  return exchange.fault?.kind === 'timeout' || isCutOff(exchange);
}

function isCutOff({ fault, resent, response }: Exchange): boolean {
  if (response?.cut === 'broken off') return true;
  if (fault?.kind === 'connection.reset' || fault?.kind === 'connection.truncated') return true;
  // A request that is resent on a new connection is refused if the service is gone.
  return fault?.kind === 'connection.refused' && resent !== undefined;
}

/**
 * Tracks the requests in flight, to find after which of them a service stopped. A request without
 * a response is dropped as soon as one that was sent later gets a response.
 */
export class InFlightRequests {
  readonly #open = new Set<Promise<unknown>>();
  #cutOff: { readonly exchange: Exchange; readonly began: number; readonly ended: number }[] = [];
  #time = 0;

  /** The same send function, tracked. */
  follow(send: SendWithRetries): SendWithRetries {
    return async (...given) => {
      const began = this.#tick();
      const flight = send(...given);
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

  /** The exchanges without a response, and with no later one, in the order in which they were sent. */
  get cutOff(): readonly Exchange[] {
    // What was sent when one had failed already is no cause.
    const end = Math.min(...this.#cutOff.map(({ ended }) => ended));
    return this.#cutOff
      .filter(({ began }) => began < end)
      .toSorted((left, right) => left.began - right.began)
      .map(({ exchange }) => exchange);
  }

  /**
   * Forgets those exchanges: what stopped the service then is known, or remains open. What was sent
   * when it had stopped already shows nothing of its own.
   */
  forget(): void {
    for (const { exchange } of this.#cutOff)
      if (exchange.serviceEnd === undefined)
        note(exchange, { role: 'beside', others: [], repeat: 'impossible' });
    this.#cutOff = [];
  }

  /** Resolves when every request in flight has ended, and its caller has the result. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#open]);
    await nextTurn();
  }

  #land(exchange: Exchange, began: number): void {
    const ended = this.#tick();
    if (isUnanswered(exchange)) this.#cutOff.push({ exchange, began, ended });
    else if (hasSpoken(exchange))
      this.#cutOff = this.#cutOff.filter((other) => other.ended > began);
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }
}
