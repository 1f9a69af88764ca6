import type { Case, RequestTemplate } from '../case.ts';
import { makeSequence } from '../case.ts';
import { isValidOnWire } from '../evidence/judge-request.ts';
import { isSuccess } from '../evidence/refusal.ts';
import { isSafe } from '../plan/draft.ts';
import type { Severity } from '../finding.ts';
import { judgeStep, severityOf, type Court, type Suspicion } from '../judge/judge.ts';
import type { SuspicionGroup } from '../judge/group.ts';
import type { Step } from '../subject.ts';
import { executeSequence, type Attempt, type RecordedExchange, type Sender } from './execute-sequence.ts';

/** What came of holding a suspicion against the server once more. */
export interface Assurance {
  /** `undefined` where it did not stand, and is let go. */
  readonly severity: Severity | undefined;
  /** The steps that show it: of the replay where it came again. */
  readonly steps: readonly Step[];
  /** How it was made sure, in one sentence. */
  readonly evidence: string;
}

/** What confirmation needs: a way to send, and the checks. */
export interface Confirmation {
  readonly sender: Sender;
  readonly court: Court;
  /** Marks replayed bodies apart from the first ones, so that a server may keep its texts unique. */
  readonly runId: string;
}

/** How many suspicions of a group are tried before it is let go. */
const mostTries = 3;

/** Makes sure of a group: the suspicion that shows it with the least, else one of another operation. Yields the exchanges that it takes. */
export async function* confirmGroup(group: SuspicionGroup, confirmation: Confirmation): AsyncGenerator<RecordedExchange, Assurance> {
  const { suspicions, violation } = group;
  const seen = suspicions.length;
  let assurance: Assurance = { severity: undefined, steps: suspicions[0].steps, evidence: '' };
  for (const suspicion of oneForEachOperation(suspicions)) {
    assurance = yield* confirmSuspicion(suspicion, { ...confirmation, seen, fleeting: violation.fleeting === true });
    if (assurance.severity !== undefined) break;
  }
  return assurance;
}

function oneForEachOperation(suspicions: readonly Suspicion[]): Suspicion[] {
  const byOperation = Map.groupBy(suspicions, ({ steps }) => steps.at(-1)?.case.operation);
  return [...byOperation.values()].flatMap(([first]) => first ?? []).slice(0, mostTries);
}

/** What is known of the group that a suspicion stands for: how often it was seen, and whether once may be chance. */
interface GroupConfirmation extends Confirmation {
  readonly seen: number;
  readonly fleeting: boolean;
}

/**
 * The first rule of evidence: judges the value again as it stands on the wire, sends the control, looks once more at what
 * was left, and sends the whole sequence again, as far as the check asks for it.
 */
async function* confirmSuspicion(suspicion: Suspicion, confirmation: GroupConfirmation): AsyncGenerator<RecordedExchange, Assurance> {
  const { check, steps } = suspicion;
  const severity = severityOf(suspicion);
  const letGo: Assurance = { severity: undefined, steps, evidence: '' };
  if (severity === 'note') return { severity, steps, evidence: `Seen ${times(confirmation.seen)}.` };
  if (check.proof === 'control' && !standsOnWire(suspicion, confirmation.sender)) return letGo;
  const control = check.proof === 'control' ? yield* sendControl(suspicion, confirmation) : 'none';
  if (control === 'failed') return letGo;
  if (check.proof === 'again' && isStillThere(suspicion) && !(yield* looksTheSame(suspicion, confirmation))) return letGo;
  const replay = yield* replaySequence(suspicion, confirmation);
  if (replay === undefined || !shows(suspicion, replay, confirmation.court)) return notAgain(suspicion, confirmation);
  const compared = control === 'passed' ? '; the control request fared as it should' : '';
  return { severity, steps: replay.steps, evidence: `Seen ${times(confirmation.seen)} in the run, and again when it was replayed${compared}.` };
}

/** What is left of a suspicion that a replay does not show: all of it, a milder form, or nothing. */
function notAgain(suspicion: Suspicion, { seen, fleeting }: GroupConfirmation): Assurance {
  const { check, steps } = suspicion;
  const severity = severityOf(suspicion);
  const counted = `Seen ${times(seen)} in the run`;
  if (check.proof === 'once') return { severity, steps, evidence: `${counted}; a replay did not show it again, but one such answer breaks the contract.` };
  if (check.proof !== 'repeat') return { severity: undefined, steps, evidence: '' };
  const milder = fleeting ? undefined : 'warning';
  return { severity: seen > 1 ? severity : milder, steps, evidence: `${counted}; it did not come again when the request was repeated.` };
}

/** Whether what an earlier step left may still be looked at: nothing after the suspected step changed it. */
function isStillThere({ sequence, steps }: Suspicion): boolean {
  return steps.length > 1 && sequence.cases.slice(steps.length).every(({ operation }) => isSafe(operation));
}

function times(count: number): string {
  return count === 1 ? 'once' : `${String(count)} times`;
}

/** Whether what was meant to be valid, or invalid, still is after it was written into a request. */
function standsOnWire({ steps }: Suspicion, { baseUrl }: Sender): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  const { intent, operation } = last.case;
  if (intent.kind === 'credential') return true;
  const basePath = new URL(baseUrl(operation)).pathname.replace(/\/+$/, '');
  return isValidOnWire(operation, last.exchange.request, basePath) === (intent.kind !== 'invalid');
}

/** The control has to be accepted: only then is it the one difference that the server judged. */
async function* sendControl({ steps, check }: Suspicion, { sender, runId }: Confirmation): AsyncGenerator<RecordedExchange, 'passed' | 'failed' | 'none'> {
  const tried = steps.at(-1)?.case;
  if (tried?.control === undefined) return 'none';
  // Without a credential of its own the run cannot show that the right one is let in; that a wrong one is, is enough.
  if (tried.intent.kind === 'credential' && sender.secrets.given === undefined) return 'none';
  const neighbour: Case = { ...tried, title: `${tried.title} (control)`, request: freshen(tried.control, `${runId}-c`, runId), intent: { kind: 'valid', rigour: 'plain', at: '' } };
  const attempt = yield* executeSequence(makeSequence(...steps.slice(0, -1).map((step) => step.case), neighbour), sender, { earlier: steps.slice(0, -1), phase: 'confirm' });
  const status = attempt.steps.length === steps.length ? attempt.steps.at(-1)?.exchange.response?.status : undefined;
  // A secured read of a made-up record is let in, and finds nothing.
  const passed = status !== undefined && (isSuccess(status) || (check.id === 'credential-required' && (status === 404 || status === 410)));
  return passed ? 'passed' : 'failed';
}

/** Looks once more at what an earlier step left, now that some time has passed: a slow replica is no broken one. */
async function* looksTheSame(suspicion: Suspicion, { sender, court }: Confirmation): AsyncGenerator<RecordedExchange, boolean> {
  const { sequence, steps } = suspicion;
  const cases = sequence.cases.slice(0, steps.length);
  const attempt = yield* executeSequence({ ...sequence, cases }, sender, { earlier: steps.slice(0, -1), phase: 'confirm' });
  return attempt.steps.length === steps.length && shows(suspicion, attempt, court);
}

async function* replaySequence({ sequence, steps }: Suspicion, { sender, runId }: Confirmation): AsyncGenerator<RecordedExchange, Attempt | undefined> {
  const cases = sequence.cases.slice(0, steps.length).map((tried) => ({ ...tried, request: freshen(tried.request, `${runId}-r`, runId) }));
  const attempt = yield* executeSequence({ ...sequence, cases }, sender, { phase: 'confirm' });
  return attempt.steps.length === steps.length ? attempt : undefined;
}

function shows({ check, violation, sequence }: Suspicion, { steps }: Attempt, court: Court): boolean {
  const judged = judgeStep({ ...court, checks: [check] }, sequence, steps);
  return judged.suspicions.some((other) => other.violation.at === violation.at && (other.violation.cause ?? '') === (violation.cause ?? ''));
}

/** The same request with the run's mark changed, for servers that keep names unique. */
function freshen(template: RequestTemplate, mark: string, runId: string): RequestTemplate {
  if (template.body?.kind !== 'json') return template;
  return { ...template, body: { ...template.body, value: replaceText(template.body.value, runId, mark) } };
}

type Json = Extract<NonNullable<RequestTemplate['body']>, { kind: 'json' }>['value'];

function replaceText(value: Json, from: string, to: string): Json {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (typeof value !== 'object' || value === null) return value;
  // Array.isArray does not narrow a readonly array out of a union.
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => replaceText(item, from, to));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceText(member as Json, from, to)]));
}
