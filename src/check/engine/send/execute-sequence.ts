import { setTimeout as sleep } from 'node:timers/promises';
import { headerValue, isSuccess } from '../../../http/message.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Pointer, valueAt } from '../../../json/pointer.ts';
import { isAsLinked } from '../../reading/record-links.ts';
import { tickOf } from '../../reading/moments.ts';
import { jsonOf, readAnswer, readLargeAnswer } from '../../reading/read-answer.ts';
import { isLarge } from '../judge/compact-step.ts';
import { withFreePlaces } from '../learn/free-places.ts';
import { withKnownReferences } from '../learn/known-references.ts';
import { givenPathValues } from '../memory/ownership.ts';
import { type Case, type Sequence, makeCase, makeSequence } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Phase } from '../../model/phase.ts';
import type { Polling } from '../../model/request-template.ts';
import type { Step, Withheld } from '../../model/step.ts';
import { writeRequest, type Writing, type WrittenRequest } from '../../request/write-request.ts';
import { secretsFor } from '../../secrets/session.ts';
import { UnsendableRequest } from '../../transport/send.ts';
import { valueAsShown, withBody, withTag } from './as-shown.ts';
import { findCreated, type Look } from './find-created.ts';
import { runOver } from './run-limits.ts';
import type { Sender } from './sender.ts';
import { findTakenKey, findTakenName } from './taken-names.ts';
import { reachesOut } from '../../../contract/words/effect-words.ts';
import { namedResource } from '../../reading/path-names.ts';
import { keyNames, keysIn } from '../../reading/record-keys.ts';
import { shownRecord } from '../../reading/shown-records.ts';

export type { RecordedExchange, Sender } from './sender.ts';

/**
 * The result of a sequence: the steps that were sent, and why the next one was not. `sequence` has
 * no skipped cases.
 */
export interface Attempt {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly unsent?: (Withheld & { readonly case: Case }) | undefined;
}

/**
 * Where a sequence continues: the completed steps, and the phase under which exchanges are
 * recorded.
 */
export interface Resumption {
  readonly earlier?: readonly Step[];
  readonly phase?: Phase;
  /** Called with each completed step; the next one waits for the promise that it returns. */
  readonly onStep?: (step: Step) => Promise<void> | undefined;
  /** Whether similar requests may be tried after a refusal of a plain one. */
  readonly mayLearn?: boolean;
  readonly patience?: Patience;
}

/** Reads that are sent again after pauses, so that a replica has the time to show a write. */
export interface Patience {
  readonly reads: ReadonlySet<Case>;
  /** In ms. */
  readonly pauses: readonly number[];
  wait(ms: number): Promise<void>;
}

/**
 * Sends the cases of a sequence in turn, as far as earlier steps provide their values; those of a
 * concurrent sequence at once. Reports every exchange, in the order of the cases.
 */
export async function executeSequence(
  sequence: Sequence,
  sender: Sender,
  { earlier = [], phase, onStep, mayLearn = false, patience }: Resumption = {},
): Promise<Attempt> {
  const steps: Step[] = [...earlier];
  const passedOver: Case[] = [];
  const end = (unsent?: Unsent): Attempt => ({
    sequence: asSent(without(sequence, passedOver), steps),
    steps,
    unsent,
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
      pause = sender.report?.({ case: step.case, phase: phase ?? step.case.phase, exchange });
    return onStep?.(step) ?? pause;
  };
  const left = earlier.length === 0 ? sequence.cases : sequence.cases.slice(earlier.length);
  if (sequence.concurrent === true) {
    const outcomes = await Promise.all(left.map((testCase) => sendCase(testCase, steps, sender)));
    for (const outcome of outcomes) if (!endsSequence(outcome)) await take(outcome);
    return end(outcomes.find(endsSequence));
  }
  for (const testCase of left) {
    const send = (): Promise<Sent> =>
      mayLearn ? sendAndLearn(testCase, steps, sender) : sendCase(testCase, steps, sender);
    const outcome = await (patience?.reads.has(testCase) === true
      ? sendPatiently(send, patience)
      : send());
    if (endsSequence(outcome)) return end(outcome);
    const pause = take(outcome);
    if (pause !== undefined) await pause;
  }
  return end();
}

/**
 * Whether the cases after this one cannot be judged: it could not be sent, and must not be skipped.
 */
function endsSequence(outcome: Sent): outcome is Unsent {
  return !outcome.ok && !(outcome.code === 'unknown-record' && outcome.case.optional === true);
}

function without(sequence: Sequence, passedOver: readonly Case[]): Sequence {
  if (passedOver.length === 0) return sequence;
  const cases = sequence.cases.filter((testCase) => !passedOver.includes(testCase));
  return { ...sequence, cases, passedOver };
}

/** The sequence with the cases as sent, if the run has learned to send them differently. */
function asSent(sequence: Sequence, steps: readonly Step[]): Sequence {
  const { cases } = sequence;
  return steps.every((step, index) => step.case === cases[index])
    ? sequence
    : { ...sequence, cases: cases.map((testCase, index) => steps[index]?.case ?? testCase) };
}

interface Unsent extends Withheld {
  readonly ok: false;
  readonly case: Case;
}

type Sent =
  { readonly ok: true; readonly step: Step; readonly exchanges: readonly Exchange[] } | Unsent;

/**
 * Sends a case. If it is the first plain request of its operation and refused, tries similar ones:
 * the accepted one replaces it.
 */
async function sendAndLearn(testCase: Case, steps: readonly Step[], sender: Sender): Promise<Sent> {
  const { lessons } = sender;
  if (lessons === undefined) return sendCase(testCase, steps, sender);
  const leave = await lessons.enter(testCase);
  try {
    const outcome = await sendCase(testCase, steps, sender);
    if (!outcome.ok) return outcome;
    const tried: Exchange[] = [];
    const accepted = await lessons.explore(testCase, outcome.step, async (variant) => {
      const next = await sendCase(variant, steps, sender);
      if (!next.ok) return undefined;
      tried.push(...next.exchanges);
      return next.step;
    });
    const whole =
      accepted === undefined && lessons.mayBeWhole(testCase, outcome.step)
        ? await lessons.asWhole(testCase, () => sendCase(testCase, steps, sender))
        : undefined;
    if (whole?.ok === true) tried.push(...whole.exchanges);
    const exchanges = [...outcome.exchanges, ...tried];
    const step = accepted ?? (whole?.ok === true ? whole.step : outcome.step);
    return { ok: true, step, exchanges };
  } finally {
    leave?.();
  }
}

/** Sends a read at once and after each pause: the last response counts. */
async function sendPatiently(send: () => Promise<Sent>, { pauses, wait }: Patience): Promise<Sent> {
  let outcome = await send();
  for (const pause of pauses) {
    if (!outcome.ok) break;
    await wait(pause);
    const next = await send();
    outcome = next.ok ? { ...next, exchanges: [...outcome.exchanges, ...next.exchanges] } : next;
  }
  return outcome;
}

/** Sends a case, again and again where it is to be polled until something is done. */
async function sendCase(planned: Case, steps: readonly Step[], sender: Sender): Promise<Sent> {
  const { polling, tick } = planned.request;
  const before = tick === undefined ? undefined : steps.at(-1)?.answer;
  const shown = before && stateIn(jsonOf(before), tick ?? '');
  if (shown !== undefined) await rest(tickOf(shown), sender);
  if (polling === undefined) return sendOnce(planned, steps, sender);
  const end = performance.now() + polling.seconds * 1_000;
  const exchanges: Exchange[] = [];
  for (;;) {
    const outcome = await sendOnce(planned, steps, sender);
    if (!outcome.ok) return outcome;
    exchanges.push(...outcome.exchanges);
    const pause = pauseBefore(outcome.step, polling);
    if (pause === undefined || performance.now() + pause > end || !(await rest(pause, sender)))
      return { ...outcome, exchanges };
  }
}

/** How long to wait before a poll is repeated, in ms; undefined if what it waits for is done. */
function pauseBefore({ answer, exchange }: Step, { at, values }: Polling): number | undefined {
  const { response } = exchange;
  const state = stateIn(jsonOf(answer), at);
  if (response === undefined || !isSuccess(response.status)) return undefined;
  if (!values.includes(String(state ?? null))) return undefined;
  const seconds = Number(headerValue(response.headers, 'retry-after') ?? NaN);
  return Number.isFinite(seconds) ? Math.max(seconds * 1_000, shortestPause) : usualPause;
}

/** The state in a body, or in the envelope around it: `{ "data": { "state": … } }`. */
function stateIn(body: JsonValue | undefined, at: Pointer): JsonValue | undefined {
  const own = valueAt(body, at);
  if (own !== undefined || !isJsonObject(body)) return own;
  return Object.values(body)
    .map((member) => valueAt(member, at))
    .find((state) => state !== undefined);
}

/** Between two polls, in ms. */
const [shortestPause, usualPause] = [50, 200];

/** Waits; answers whether the run goes on. */
async function rest(pause: number, { signals }: Sender): Promise<boolean> {
  return sleep(pause, true, { signal: signals.stop }).catch(() => false);
}

async function sendOnce(planned: Case, steps: readonly Step[], sender: Sender): Promise<Sent> {
  const testCase = withReferences(sender.lessons?.adapt(planned) ?? planned, steps, sender);
  const ready = prepare(testCase, steps, sender);
  if (!ready.ok) return ready;
  // From now on, requests that need a plain record rather get another one than this.
  const endChange = sender.memory.beginChange({ case: testCase, sent: ready.written.sent });
  try {
    const again = (): Promise<Sent> => sendOnce(planned, steps, sender);
    const look = lookWith(sender, testCase.phase);
    const value = await valueAsShown(ready, sender, look);
    const whole = value === undefined ? ready : prepare(withBody(testCase, value), steps, sender);
    if (!whole.ok) return whole;
    const own = { ...whole, case: testCase };
    const tagged = await withTag(own, sender, look);
    const outcome = await sendReady(tagged, { steps, sender }, again);
    const isStale = outcome.ok && outcome.step.exchange.response?.status === 412;
    if (tagged === own || !isStale) return outcome;
    // A request at the same time, or what the server does by itself, has changed the record.
    sender.memory.tags.forget(own.written.request.target);
    const next = await sendReady(await withTag(own, sender, look), { steps, sender }, again);
    return next.ok ? { ...next, exchanges: [...outcome.exchanges, ...next.exchanges] } : outcome;
  } finally {
    endChange();
  }
}

async function sendReady(
  { case: testCase, written, baseUrl }: Ready,
  { steps, sender }: { readonly steps: readonly Step[]; readonly sender: Sender },
  again: () => Promise<Sent>,
): Promise<Sent> {
  const writtenCase = { case: testCase, sent: written.sent };
  const looking = { sender, look: lookWith(sender, testCase.phase) };
  const taken =
    (await findTakenKey(writtenCase, looking)) ?? (await findTakenName(writtenCase, looking));
  // A word that turns out to be a key is replaced by a name of the run.
  if (taken?.at !== undefined && sender.lessons?.avoidKey(testCase, taken.at) === true)
    return again();
  const reason = taken?.reason ?? (await whyReachesOthers(writtenCase, looking));
  if (reason !== undefined) return { ok: false, case: testCase, code: 'not-own-record', reason };
  const withheld = sender.spend(baseUrl);
  if (withheld !== undefined) return { ok: false, case: testCase, ...withheld };
  const sentAt = sender.memory.ownership.now();
  let exchanges: readonly [Exchange, ...Exchange[]];
  try {
    exchanges = await sender.send(baseUrl, written.request, sender.signals, testCase.operation);
  } catch (error) {
    return { ok: false, case: testCase, ...whyNotSent(error, sender) };
  }
  const last = exchanges.at(-1) ?? exchanges[0];
  const answered = toStep(testCase, written, sender.verdicts?.read(testCase, last) ?? last);
  const step = await withFound(answered, sender);
  // First of all: records must be cleaned up even if the reader stops now.
  const changes = sender.memory.learn(step, sentAt);
  sender.note?.(step, steps);
  sender.lessons?.note(step);
  sender.noteRecords?.(step, changes);
  return { ok: true, step, exchanges };
}

/** Sends a read besides those of the plan. */
function lookWith(sender: Sender, phase: Phase): Look {
  return async (look, title) => {
    const reading = makeSequence(makeCase({ ...look, title, phase }));
    return (await executeSequence(reading, sender, { phase })).steps[0];
  };
}

/** A step with the identifier of the record that it made, where only a list shows it. */
async function withFound(step: Step, sender: Sender): Promise<Step> {
  const { memory, listsOf } = sender;
  if (listsOf === undefined || sender.isNamed === true) return step;
  const { phase } = step.case;
  const lists = { contract: memory.contract, listsOf };
  const found = await findCreated(step, lists, lookWith(sender, phase));
  return found === undefined ? step : { ...step, found };
}

/** What a user wrote is sent as it is. */
function withReferences(testCase: Case, steps: readonly Step[], { memory, isNamed }: Sender): Case {
  if (isNamed === true) return testCase;
  return withKnownReferences(withFreePlaces(testCase, memory), memory, () => {
    const given = testCase.request.arguments.flatMap(({ parameter, source }) => {
      const value = parameter.in === 'path' ? memory.resolve(source, steps) : undefined;
      return value === undefined ? [] : [[parameter, value] as const];
    });
    return givenPathValues(testCase.operation, { arguments: new Map(given) });
  });
}

interface Ready {
  readonly ok: true;
  readonly case: Case;
  readonly written: Extract<WrittenRequest, { ok: true }>;
  readonly baseUrl: string;
}

/** Why sending failed; an internal error is thrown again. */
function whyNotSent(error: unknown, { signals }: Sender): Withheld {
  if (signals.stop.aborted || signals.cut.aborted) return runOver;
  if (!(error instanceof UnsendableRequest)) throw error;
  return {
    code: 'unsendable',
    reason: `its request cannot be written as HTTP/1.1 (${error.message})`,
  };
}

/** Writes a case with what the run knows. */
function prepare(testCase: Case, steps: readonly Step[], sender: Sender): Ready | Unsent {
  const { secrets, memory, userAgent, runId, shared } = sender;
  const pointless = sender.isPointless(testCase);
  if (pointless !== undefined) return { ok: false, case: testCase, ...pointless };
  const baseUrl = sender.baseUrl(testCase.operation);
  const { operation, request, intent } = testCase;
  if (request.linked !== undefined && !isAsLinked(operation, request.linked, steps))
    return { ok: false, case: testCase, ...unknownRecord('its link') };
  const own = secretsFor(testCase, steps, secrets);
  if (own === undefined) return { ok: false, case: testCase, ...unknownSender(testCase) };
  const resolve: Writing['resolve'] = (source) => memory.resolve(source, steps);
  const sending = { baseUrl, secrets: own, userAgent, runId, shared };
  const writing = { ...sending, intent, resolve };
  const written = writeRequest(operation, request, writing);
  if (!written.ok) return { ok: false, case: testCase, ...unknownRecord(written.unknown) };
  const writtenCase = { case: testCase, sent: written.sent };
  const forbidden =
    sender.isNamed === true
      ? sender.records?.forbidsNamed(writtenCase)
      : sender.records?.forbids(writtenCase, steps);
  if (forbidden !== undefined)
    return { ok: false, case: testCase, code: 'not-own-record', reason: forbidden };
  return { ok: true, case: testCase, written, baseUrl };
}

function unknownSender({ request: { identity = '', session } }: Case): Withheld {
  if (session !== undefined) return unknownRecord('its session');
  return { code: 'unsendable', reason: `the run has no credential of ${identity}` };
}

function unknownRecord(field: string): Withheld {
  return { code: 'unknown-record', reason: `no value for ${field} is known` };
}

function toStep(
  testCase: Case,
  written: Extract<WrittenRequest, { ok: true }>,
  exchange: Exchange,
): Step {
  const step = { case: testCase, sent: written.sent, exchange };
  const { response } = exchange;
  if (response === undefined) return { ...step, answer: { kind: 'empty' } };
  const { operation } = testCase;
  const read = isLarge(step) ? readLargeAnswer : readAnswer;
  return { ...step, answer: read(response, operation) };
}

/**
 * Why an action on a record of the run must not be sent, as a clause: it reaches whom the record is
 * about, such as the readers of a list that a campaign goes to, and those are none of the run. The
 * record is read for it.
 */
async function whyReachesOthers(
  { case: { operation }, sent }: Pick<Step, 'case' | 'sent'>,
  { sender, look }: { readonly sender: Sender; readonly look: Look },
): Promise<string | undefined> {
  const { records, memory } = sender;
  if (sender.isNamed === true || records === undefined || !reachesOut(operation)) return undefined;
  const record = records.isAllowed(operation) ? undefined : records.ownRecordOf(operation, sent);
  const read = record && sender.readOf?.(record);
  if (record === undefined || read === undefined) return undefined;
  const step = await look(read, `what the record refers to, before ${operation.id}`);
  const shown = step && shownRecord(record.resource, step.answer);
  for (const { name, value } of keysIn(shown, keyNames(memory.contract))) {
    const resource = namedResource(memory.contract, name);
    if (resource === undefined || resource.collection === record.resource.collection) continue;
    if (memory.owns({ resource, identifier: value, parents: new Map() })) continue;
    return `it may reach the ${name} ${String(value)}, which the run did not create`;
  }
  return undefined;
}
