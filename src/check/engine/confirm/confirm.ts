import type { Check } from '../../topics/check.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { withoutOthers } from '../../reading/without-others.ts';
import { isValidOnWire } from '../../reading/find-request-fault.ts';
import { type SuspicionGroup, timesSeen } from '../judge/group.ts';
import { type JudgeContext, severityOf, showsAgain, type Suspicion } from '../judge/judge.ts';
import { type Case, controlOf, makeSequence } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import { defined, type JsonObject, stringifyJson } from '../../../json/value.ts';
import { isSafe } from '../../plan/draft.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { limitOf } from '../../reading/list-page.ts';
import { asManyPages, withItsPages } from './as-many-pages.ts';
import { credentialFor } from '../../secrets/credential.ts';
import { type Attempt, executeSequence, type Sender } from '../send/execute-sequence.ts';
import { reMarkSequence, reMarkRequest } from '../send/re-mark-request.ts';
import type { Confirmation } from '../judge/make-finding.ts';
import type { Argument } from '../../model/request-template.ts';

export interface ConfirmedGroup {
  readonly group: SuspicionGroup;
  readonly confirmation: Confirmation;
}

/** The context of a confirmation: a sender, and the checks. */
export interface ConfirmContext {
  readonly sender: Sender;
  readonly judgeContext: JudgeContext;
  /** Gives replayed bodies their own mark, so that a server may require unique texts. */
  readonly runId: string;
  /**
   * Differs between two runs with the same seed: a replay writes texts that no other run wrote.
   */
  readonly salt: string;
  readonly seed: string;
  /**
   * Whether the plan allows requests to an operation: a reproduction may need a record that it
   * creates itself.
   */
  maySend(operation: Operation): boolean;
  /** Waits for some milliseconds, or until the run is over. */
  wait(ms: number): Promise<void>;
}

/** How many suspicions of a group are tried before it is dropped, and of one that has many. */
const [maxTries, maxTriesOfMany] = [3, 8];
const many = 6;

/** Confirms a group by its simplest suspicion, otherwise by one of another operation. */
export async function confirmGroup(
  group: SuspicionGroup,
  context: ConfirmContext,
): Promise<Confirmation> {
  const { suspicions, violation } = group;
  const seen = timesSeen(group);
  let confirmation: Confirmation = dropSuspicion(suspicions[0]);
  for (const suspicion of standingAloneFirst(oneForEachOperation(suspicions), context)) {
    confirmation = await confirmSuspicion(suspicion, {
      ...context,
      seen,
      fleeting: violation.fleeting === true,
    });
    if (confirmation.severity !== undefined) break;
  }
  return confirmation;
}

/** A suspicion that was not reproduced. */
function dropSuspicion({ violation, sequence, steps }: Suspicion): Confirmation {
  // The steps after the suspected one prove nothing about it.
  return {
    severity: undefined,
    violation,
    sequence: { ...sequence, cases: sequence.cases.slice(0, steps.length) },
    steps,
    repeated: false,
    evidence: '',
  };
}

/**
 * Suspicions that depend on records of other requests come last: a fresh server would not show
 * them.
 */
function standingAloneFirst(
  suspicions: readonly Suspicion[],
  { judgeContext, runId }: ConfirmContext,
): Suspicion[] {
  const isAlone = (suspicion: Suspicion): boolean => {
    const bare = withoutOthers(suspicion.steps, runId);
    return bare === suspicion.steps || showsAgain(suspicion, bare, judgeContext) !== undefined;
  };
  const alone = suspicions.filter(isAlone);
  return [...alone, ...suspicions.filter((suspicion) => !alone.includes(suspicion))];
}

/**
 * One of each operation first, then others if there are many: a defect that depends on a value that
 * the server chooses shows only in a part of them.
 */
function oneForEachOperation(suspicions: readonly Suspicion[]): Suspicion[] {
  const byOperation = Map.groupBy(suspicions, ({ steps }) => steps.at(-1)?.case.operation);
  const firsts = [...byOperation.values()].flatMap(([first]) => first ?? []);
  const others =
    suspicions.length < maxTries
      ? []
      : suspicions.filter((suspicion) => !firsts.includes(suspicion));
  // What is repeated alone holds up the others.
  const isAlone = suspicions.some(({ violation }) => violation.alone !== undefined);
  const tries = isAlone || suspicions.length < many ? maxTries : maxTriesOfMany;
  return [...firsts, ...others].slice(0, tries);
}

/**
 * The facts about the group of a suspicion: how often it was seen, and whether a single occurrence
 * may be chance.
 */
interface GroupConfirmation extends ConfirmContext {
  readonly seen: number;
  readonly fleeting: boolean;
}

/**
 * Confirms a suspicion: judges the value again as it was sent, sends the control, reads once more
 * what the sequence left, and replays the whole sequence, as far as the check requires it.
 */
async function confirmSuspicion(
  suspicion: Suspicion,
  context: GroupConfirmation,
): Promise<Confirmation> {
  const { check, steps } = suspicion;
  const { sender } = context;
  const severity = severityOf(suspicion);
  const dropped = dropSuspicion(suspicion);
  if (suspicion.violation.alone !== undefined) return confirmAlone(suspicion, context);
  if (severity === 'note') return { ...dropped, severity, evidence: '.' };
  if (check.confirm === 'control' && !standsOnWire(suspicion, sender)) return dropped;
  const control =
    check.confirm === 'control'
      ? await sendControl(steps, sender, { runId: context.runId, check })
      : noControl;
  if (control.outcome === 'failed') return dropped;
  const isLeft = check.confirm === 'again' && isStillThere(suspicion, sender);
  if (isLeft && !(await looksTheSame(suspicion, context))) return dropped;
  const shown = await showAgain(suspicion, context);
  if (shown === undefined) return notAgain(suspicion, context);
  if (check.confirm === 'again' && (await isRestless(suspicion, context))) return dropped;
  const late = suspicion.violation.mayLag === true ? ', also some seconds later' : '';
  const compared = control.outcome === 'passed' ? '; the control request succeeded' : '';
  return {
    ...dropped,
    severity,
    ...shown,
    repeated: true,
    evidence: ` in the run, and again when it was replayed${late}${compared}.`,
    control: control.exchange,
  };
}

/**
 * Replays a sequence until the violation shows again: with any known record, and then, if it only
 * reads, with those that the run read.
 */
async function showAgain(
  suspicion: Suspicion,
  context: GroupConfirmation,
): Promise<Shown | undefined> {
  const { sequence, steps } = suspicion;
  const pinned = ofSameRecords(sequence.cases.slice(0, steps.length), steps);
  const others =
    pinned === undefined ? [] : [{ ...suspicion, sequence: { ...sequence, cases: pinned } }];
  for (const one of [suspicion, ...others]) {
    const replay = await replaySequence(one, context);
    const shown = replay && showsOnAPage(suspicion, replay.steps, context.judgeContext);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** A violation in a replay, with the steps up to it. */
type Shown = Pick<Suspicion, 'steps' | 'violation'>;

/** The violation on any page of the list on which it was seen. */
function showsOnAPage(
  suspicion: Suspicion,
  repeated: readonly Step[],
  judgeContext: JudgeContext,
): Shown | undefined {
  const { before } = withItsPages(suspicion.sequence, suspicion.steps.length);
  for (let end = before + 1; end <= repeated.length; end += 1) {
    const steps = repeated.slice(0, end);
    const violation = showsAgain(suspicion, steps, judgeContext);
    if (violation !== undefined) return { steps, violation };
  }
  return undefined;
}

/** The violation in the response to any request that equals the last one of a replay. */
function showsOnEqual(
  suspicion: Suspicion,
  repeated: readonly Step[],
  judgeContext: JudgeContext,
): Shown | undefined {
  const last = repeated.at(-1)?.exchange.request;
  for (const [index, { exchange }] of repeated.entries()) {
    if (exchange.request.method !== last?.method || exchange.request.target !== last.target)
      continue;
    const steps = repeated.slice(0, index + 1);
    const violation = showsAgain(suspicion, steps, judgeContext);
    if (violation !== undefined) return { steps, violation };
  }
  return undefined;
}

/**
 * How often a suspicion that load may have caused is retried: a defect that shows in one of four
 * responses is almost certainly seen.
 */
const maxAlone = 8;
/** The same where it is reported even if it does not show again. */
const fewAlone = 3;

/**
 * Retries with no other request in flight until the violation shows again. The first result is
 * discarded: it may include a delay, such as that of a new connection.
 */
async function confirmAlone(
  suspicion: Suspicion,
  context: GroupConfirmation,
): Promise<Confirmation> {
  const isMilder = suspicion.violation.alone === 'or milder';
  const { concurrent: _parallel, ...inTurn } = suspicion.sequence;
  for (let tries = 0; tries <= (isMilder ? fewAlone : maxAlone); tries += 1) {
    // Texts that must be unique would be refused in the second replay.
    const salt = `${context.salt} ${String(tries)}`;
    const replay = await replaySequence({ ...suspicion, sequence: inTurn }, { ...context, salt });
    if (replay === undefined) break;
    const shown = showsOnEqual(suspicion, replay.steps, context.judgeContext);
    if (tries > 0 && shown !== undefined)
      return {
        ...dropSuspicion(suspicion),
        severity: severityOf(suspicion),
        ...shown,
        repeated: true,
        evidence: ' in the run, and again when it was repeated alone.',
      };
  }
  if (!isMilder) return dropSuspicion(suspicion);
  return {
    ...dropSuspicion(suspicion),
    severity: severityOf(suspicion) === 'note' ? 'note' : 'warning',
    evidence:
      ' in the run, while other requests were under way; the same request alone did not ' +
      'reproduce it.',
  };
}

/**
 * What remains of a suspicion that a replay does not show: all of it, a milder form, or nothing.
 */
function notAgain(suspicion: Suspicion, { seen, fleeting }: GroupConfirmation): Confirmation {
  const { check } = suspicion;
  const dropped = dropSuspicion(suspicion);
  const severity = severityOf(suspicion);
  if (check.confirm === 'once')
    return {
      ...dropped,
      severity,
      evidence:
        ' in the run; a replay did not reproduce it, but one such response breaks the contract.',
    };
  if (suspicion.violation.conclusive === true)
    return {
      ...dropped,
      severity,
      evidence:
        suspicion.violation.evidence ??
        ' in the run; repeating the request did not reproduce it, but ' +
          'nothing else explains it.',
    };
  if (check.confirm !== 'repeat') return dropped;
  const milder = fleeting ? undefined : 'warning';
  return {
    ...dropped,
    severity: seen > 1 ? severity : milder,
    evidence: ' in the run; repeating the request did not reproduce it.',
  };
}

/**
 * Whether the result of an earlier step can still be read: the suspected step is a read, and no
 * step after it changed anything. A create that is sent again may be refused for what it made.
 */
function isStillThere({ sequence, steps, violation }: Suspicion, { memory }: Sender): boolean {
  const [last] = steps.slice(-1);
  const changedBy = last && memory.lastChangeOf(last);
  return (
    (changedBy === undefined || steps.some((step) => step.case.id === changedBy)) &&
    violation.momentary !== true &&
    violation.mayLag !== true &&
    steps.length > 1 &&
    sequence.cases.slice(steps.length - 1).every(({ operation }) => isSafe(operation))
  );
}

/** Whether a value that was planned as valid, or invalid, still is in the written request. */
function standsOnWire({ steps }: Suspicion, { baseUrl }: Sender): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  const { intent, operation } = last.case;
  if (intent.kind === 'credential') return true;
  const basePath = new URL(baseUrl(operation)).pathname.replace(/\/+$/, '');
  return isValidOnWire(operation, last.exchange.request, basePath) === (intent.kind !== 'invalid');
}

/** Reads once more what an earlier step left, after some time: a slow replica is no defect. */
async function looksTheSame(
  suspicion: Suspicion,
  { sender, judgeContext }: ConfirmContext,
): Promise<boolean> {
  const { sequence, steps } = suspicion;
  const { before, cases } = withItsPages(sequence, steps.length);
  const attempt = await executeSequence({ ...sequence, cases }, sender, {
    earlier: steps.slice(0, before),
    phase: 'confirm',
  });
  return showsOnAPage(suspicion, attempt.steps, judgeContext) !== undefined;
}

/**
 * Whether the list that a sequence of reads begins with shows other records from one request to the
 * next: then its pages differ because other clients are at work.
 */
async function isRestless(
  { sequence, steps }: Suspicion,
  { sender, judgeContext: { contract }, runId }: ConfirmContext,
): Promise<boolean> {
  const [first] = sequence.cases;
  const role = first && roleOf(contract, first.operation);
  const isRead = steps.length > 1 && sequence.cases.every(({ operation }) => isSafe(operation));
  if (first === undefined || role?.action !== 'list' || !isRead) return false;
  const attempt = await executeSequence(makeSequence(first, first), sender, { phase: 'confirm' });
  const [before, after] = attempt.steps.map(({ answer }) => listedRecords(role.resource, answer));
  if (before === undefined || after === undefined) return false;
  // What the run makes meanwhile, to confirm other suspicions, is no work of others; it pushes
  // others off a page that is full.
  const othersIn = (records: readonly JsonObject[]): Set<string> =>
    new Set(
      records
        .filter((record) => !stringifyJson(record).includes(runId))
        .map((record) => String(record[role.resource.identifier.field])),
    );
  const [shown, left] = [othersIn(before), othersIn(after)];
  const [asked] = attempt.steps;
  const size = asked && limitOf(role.resource, asked)?.value;
  const isFull = before.length === size && after.length === size;
  const isSame = shown.size === left.size || isFull;
  return !isSame || [...left].some((name) => !shown.has(name));
}

/** How long a replica may lag behind where that is no defect, in steps of some milliseconds. */
const pauses = [1_000, 2_000, 2_000];

/** The last of the reads in a row that follow a write: by then, a replica shows what was written. */
function settledReads(cases: readonly Case[]): ReadonlySet<Case> {
  const isRead = (one: Case | undefined): boolean => one !== undefined && isSafe(one.operation);
  const firstWrite = cases.findIndex((one) => !isRead(one));
  return new Set(
    cases.filter(
      (one, at) => firstWrite !== -1 && at > firstWrite && isRead(one) && !isRead(cases[at + 1]),
    ),
  );
}

async function replaySequence(
  suspicion: Suspicion,
  context: ConfirmContext,
  isAgain = false,
): Promise<Attempt | undefined> {
  const { sender, runId, salt, maySend, wait } = context;
  const { sequence, steps, check, violation } = suspicion;
  // What the user wrote is sent once, unless a run may send it anyway.
  if (sequence.workflow !== undefined && !sequence.cases.every((one) => maySend(one.operation)))
    return undefined;
  const pages = violation.isShort === true ? sequence.cases : asManyPages(sequence);
  const { before, cases } = withItsPages({ ...sequence, cases: pages }, steps.length);
  // One sequence may be replayed for several suspicions, also at several of its steps, and texts
  // may have to be unique.
  const about = [check.id, violation.at, violation.cause ?? '', String(steps.length)];
  const own = [salt, ...about].join(' ');
  const replayed = reMarkSequence({ ...sequence, cases }, `${runId}-r`, runId, own);
  const patience =
    violation.mayLag === true ? { reads: settledReads(replayed.cases), pauses, wait } : undefined;
  const attempt = await executeSequence(replayed, sender, {
    phase: 'confirm',
    ...defined({ patience }),
  });
  if (attempt.steps.length > before) return attempt;
  // A number of few digits may be one that another record of the run has.
  const isTaken = attempt.steps.at(-1)?.exchange.response?.status === 409;
  if (isAgain || !isTaken) return undefined;
  return replaySequence(suspicion, { ...context, salt: `${salt} again` }, true);
}

/** Whether the control request succeeded, with its exchange; `none` if the case has none. */
export interface Control {
  readonly outcome: 'passed' | 'failed' | 'none';
  readonly exchange?: Exchange | undefined;
}

const noControl: Control = { outcome: 'none' };

/**
 * Sends the control of the last step. Only if the server accepts it, the tested difference is the
 * cause of the response.
 */
export async function sendControl(
  steps: readonly Step[],
  sender: Sender,
  { runId, check }: { readonly runId: string; readonly check: Pick<Check, 'controlStatuses'> },
): Promise<Control> {
  const testCase = steps.at(-1)?.case;
  const control = testCase && controlOf(testCase);
  if (testCase === undefined || control === undefined) return noControl;
  // Without a credential the run cannot show that the right one is accepted; accepting a wrong one
  // is proof enough.
  if (
    testCase.intent.kind === 'credential' &&
    credentialFor(testCase.operation, sender.secrets) === undefined
  )
    return noControl;
  const neighbour: Case = {
    ...testCase,
    title: `${testCase.title} (control)`,
    request: reMarkRequest(control, `${runId}-c`, runId),
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  };
  const attempt = await executeSequence(
    makeSequence(...steps.slice(0, -1).map((step) => step.case), neighbour),
    sender,
    { earlier: steps.slice(0, -1), phase: 'confirm' },
  );
  const exchange =
    attempt.steps.length === steps.length ? attempt.steps.at(-1)?.exchange : undefined;
  return { outcome: isAccepted(exchange, check) ? 'passed' : 'failed', exchange };
}

function isAccepted(
  exchange: Exchange | undefined,
  { controlStatuses = [] }: Pick<Check, 'controlStatuses'>,
): boolean {
  const status = exchange?.response?.status;
  if (status === undefined) return false;
  return isSuccess(status) || controlStatuses.includes(status);
}

/**
 * The cases of a sequence of reads, about the very records and values that the run read: by now any
 * known record may be another one. Undefined where they are the same anyway, or something is
 * changed.
 */
export function ofSameRecords(
  cases: readonly Case[],
  steps: readonly Step[],
): readonly Case[] | undefined {
  if (!cases.every(({ operation }) => isSafe(operation))) return undefined;
  const pinned = cases.map((testCase, index) => withSent(testCase, steps[index]));
  return pinned.every((testCase, index) => testCase === cases[index]) ? undefined : pinned;
}

/** Sources of values that any known record may have: another one, if there are new ones. */
const ofKnown: ReadonlySet<string> = new Set(['known', 'field', 'held', 'list']);

function withSent(testCase: Case, step: Step | undefined): Case {
  const given = testCase.request.arguments;
  const sent = given.map((argument): Argument => {
    const value = step?.sent.arguments.get(argument.parameter);
    return ofKnown.has(argument.source.kind) && value !== undefined
      ? { parameter: argument.parameter, source: { kind: 'value', value } }
      : argument;
  });
  return sent.every((argument, index) => argument === given[index])
    ? testCase
    : { ...testCase, request: { ...testCase.request, arguments: sent } };
}
