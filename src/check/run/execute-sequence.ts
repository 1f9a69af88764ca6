import type { Operation } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { defined } from '../../json/defined.ts';
import { readAnswer } from '../evidence/answer/read-answer.ts';
import type { Memory } from '../memory/memory.ts';
import { type Case, type CaseParts, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Phase } from '../model/phase.ts';
import type { RecordChanges, RecordName } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import { writeRequest, type Writing, type WrittenRequest } from '../request/write-request.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SendPolitely, SendSignals } from '../transport/polite-send.ts';
import { UnsendableRequest } from '../transport/send.ts';
import type { ChosenName, RecordGuard } from './record-guard.ts';
import { runOver, type Withheld } from './run-limits.ts';

/** What it takes to send cases. */
export interface Sender {
  readonly send: SendPolitely;
  readonly secrets: Secrets;
  readonly memory: Memory;
  readonly userAgent: string;
  /** Told to the server with each request. */
  readonly runId?: string;
  readonly signals: SendSignals;
  baseUrl(operation: Operation): string;
  /** Takes one request out of the budget; the reason where none may be sent. */
  spend(baseUrl: string): Withheld | undefined;
  /** Why it shows nothing more to send a case; undefined where it may go. */
  isPointless(testCase: Case): Withheld | undefined;
  /** Keeps changes away from records that the run did not create. */
  readonly records?: RecordGuard;
  /** The plain read of a record, where the run may send one. */
  readonly readOf?: (record: RecordName) => CaseParts | undefined;
  /** Notes which records a step made or deleted, where somebody keeps such notes. */
  readonly noteRecords?: (step: Step, changes: RecordChanges) => void;
  /**
   * Told of every exchange as it comes, where somebody wants to know; the next request waits for
   * what it answers.
   */
  readonly tell?: (recorded: RecordedExchange) => Promise<void> | undefined;
}

/** An exchange as the run records it. */
export interface RecordedExchange {
  readonly case: Case;
  readonly phase: Phase;
  readonly exchange: Exchange;
}

/**
 * What came of a sequence: the steps that were sent, and why the next one was not. `sequence` is
 * without what was passed over.
 */
export interface Attempt {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly unsent?: Withheld & { readonly case: Case };
}

/** Where a sequence is taken up: the steps that count as done, and the phase to record under. */
export interface Resumption {
  readonly earlier?: readonly Step[];
  readonly phase?: Phase;
  /** Told of each step as it is done; the next one waits for what it answers. */
  readonly onStep?: (step: Step) => Promise<void> | undefined;
}

/**
 * Sends the cases of a sequence in turn, as far as each can be written from what came before; those
 * of a concurrent one at once. Tells of every exchange, in the order of the cases.
 */
export async function executeSequence(
  sequence: Sequence,
  sender: Sender,
  { earlier = [], phase, onStep }: Resumption = {},
): Promise<Attempt> {
  const steps: Step[] = [...earlier];
  const passedOver: Case[] = [];
  const end = (unsent?: Unsent): Attempt => ({
    sequence: without(sequence, passedOver),
    steps,
    ...defined({ unsent }),
  });
  const take = (outcome: Sent): Promise<void> | undefined => {
    if (!outcome.ok) {
      passedOver.push(outcome.case);
      return undefined;
    }
    const { step, exchanges } = outcome;
    steps.push(step);
    let pause: Promise<void> | undefined;
    for (const exchange of exchanges)
      pause = sender.tell?.({ case: step.case, phase: phase ?? step.case.phase, exchange });
    return onStep?.(step) ?? pause;
  };
  const left = earlier.length === 0 ? sequence.cases : sequence.cases.slice(earlier.length);
  if (sequence.concurrent === true) {
    const outcomes = await Promise.all(left.map((testCase) => sendCase(testCase, steps, sender)));
    for (const outcome of outcomes) if (!endsSequence(outcome)) await take(outcome);
    return end(outcomes.find(endsSequence));
  }
  for (const testCase of left) {
    const outcome = await sendCase(testCase, steps, sender);
    if (endsSequence(outcome)) return end(outcome);
    const pause = take(outcome);
    if (pause !== undefined) await pause;
  }
  return end();
}

/**
 * Whether what came after a case has nothing to stand on: it could not be sent, and may not be
 * passed over.
 */
function endsSequence(outcome: Sent): outcome is Unsent {
  return !outcome.ok && !(outcome.code === 'unknown-record' && outcome.case.optional === true);
}

function without(sequence: Sequence, passedOver: readonly Case[]): Sequence {
  return passedOver.length === 0
    ? sequence
    : { ...sequence, cases: sequence.cases.filter((testCase) => !passedOver.includes(testCase)) };
}

interface Unsent extends Withheld {
  readonly ok: false;
  readonly case: Case;
}

type Sent =
  { readonly ok: true; readonly step: Step; readonly exchanges: readonly Exchange[] } | Unsent;

async function sendCase(testCase: Case, steps: readonly Step[], sender: Sender): Promise<Sent> {
  const ready = prepare(testCase, steps, sender);
  if (!ready.ok) return ready;
  const { written, baseUrl } = ready;
  const chosen = sender.records?.chosenName({ case: testCase, sent: written.sent });
  const taken = chosen && (await whyTaken(chosen, testCase, sender));
  if (taken !== undefined)
    return { ok: false, case: testCase, code: 'not-own-record', reason: taken };
  const withheld = sender.spend(baseUrl);
  if (withheld !== undefined) return { ok: false, case: testCase, ...withheld };
  const sentAt = sender.memory.now();
  let exchanges: readonly [Exchange, ...Exchange[]];
  try {
    exchanges = await sender.send(baseUrl, written.request, sender.signals);
  } catch (error) {
    return { ok: false, case: testCase, ...whyNotSent(error, sender) };
  }
  const step = toStep(testCase, written, exchanges.at(-1) ?? exchanges[0]);
  // Before anybody is told: whoever stops listening now still wants what was created to be cleaned
  // up.
  const changes = sender.memory.learn(step, sentAt);
  sender.noteRecords?.(step, changes);
  return { ok: true, step, exchanges };
}

/**
 * Why a create may not take the name that it gives its record, in a clause: somebody may have it.
 */
async function whyTaken(
  chosen: ChosenName,
  testCase: Case,
  sender: Sender,
): Promise<string | undefined> {
  const seen =
    chosen.record === undefined ? 'unknown' : await lookFor(chosen.record, testCase, sender);
  if (seen === 'absent' || (seen === 'unknown' && chosen.isUnguessable)) return undefined;
  const name = String(chosen.identifier);
  return seen === 'present'
    ? `a record ${name} is there already, and the run did not create it`
    : `nothing shows whether there is a record ${name} already`;
}

/** Reads the record that a create is about to name. */
async function lookFor(
  record: RecordName,
  { operation, phase }: Case,
  sender: Sender,
): Promise<'absent' | 'present' | 'unknown'> {
  if (sender.memory.hasSeen(record)) return 'present';
  const look = sender.readOf?.(record);
  if (look === undefined) return 'unknown';
  const title =
    `whether there is a record ${String(record.identifier)}, before ` +
    `${operation.id} creates it`;
  const reading = makeSequence(makeCase({ ...look, title, phase }));
  const [step] = (await executeSequence(reading, sender, { phase })).steps;
  const status = step?.exchange.response?.status;
  if (status === 404 || status === 410) return 'absent';
  return status !== undefined && isSuccess(status) ? 'present' : 'unknown';
}

type Ready =
  | {
      readonly ok: true;
      readonly written: Extract<WrittenRequest, { ok: true }>;
      readonly baseUrl: string;
    }
  | Unsent;

/** Why nothing came of sending; an internal error is thrown on. */
function whyNotSent(error: unknown, { signals }: Sender): Withheld {
  if (signals.stop.aborted || signals.cut.aborted) return runOver;
  if (!(error instanceof UnsendableRequest)) throw error;
  return {
    code: 'unsendable',
    reason: `its request cannot be written as HTTP/1.1 (${error.message})`,
  };
}

/** Writes a case with what the run knows. */
function prepare(testCase: Case, steps: readonly Step[], sender: Sender): Ready {
  const { secrets, memory, userAgent, runId } = sender;
  const pointless = sender.isPointless(testCase);
  if (pointless !== undefined) return { ok: false, case: testCase, ...pointless };
  const baseUrl = sender.baseUrl(testCase.operation);
  const { operation, request, intent } = testCase;
  const resolve: Writing['resolve'] = (source) => memory.resolve(source, steps);
  const writing = { baseUrl, secrets, userAgent, runId, intent, resolve };
  const written = writeRequest(operation, request, writing);
  if (!written.ok) return { ok: false, case: testCase, ...unknownRecord(written.unknown) };
  const forbidden = sender.records?.forbids({ case: testCase, sent: written.sent });
  if (forbidden !== undefined)
    return { ok: false, case: testCase, code: 'not-own-record', reason: forbidden };
  return { ok: true, written, baseUrl };
}

function unknownRecord(field: string): Withheld {
  return { code: 'unknown-record', reason: `no record is known whose ${field} could be asked for` };
}

function toStep(
  testCase: Case,
  written: Extract<WrittenRequest, { ok: true }>,
  exchange: Exchange,
): Step {
  return {
    case: testCase,
    sent: written.sent,
    exchange,
    answer: exchange.response === undefined ? { kind: 'empty' } : readAnswer(exchange.response),
  };
}
