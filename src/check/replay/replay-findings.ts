import type { Contract, Operation } from '../../contract/model.ts';
import { asksToWait, type HttpResponse, isSuccess } from '../../http/message.ts';
import { baseUrlOf } from '../model/base-url.ts';
import type { Check } from '../topics/check.ts';
import { checks, hasTrait } from '../topics/index.ts';
import { pageOf } from '../reading/list-page.ts';
import { gatherKnowledge } from '../engine/judge/gather-knowledge.ts';
import { type Judgement, judgeStep, severityOf } from '../engine/judge/judge.ts';
import { makeSequence, type Sequence, type Case } from '../model/case.ts';
import type { ReplayForm } from '../model/finding.ts';
import type { LeftRecords } from '../model/record.ts';
import { capitalise, type Step, safeMethods } from '../model/step.ts';
import { draftRequest, isSafe } from '../plan/draft.ts';
import { draftCase } from '../plan/plan-context.ts';
import { cleanUp } from '../engine/run/cleanup.ts';
import { sendControl } from '../engine/confirm/confirm.ts';
import { executeSequence, type Sender } from '../engine/send/execute-sequence.ts';
import { openRunInTurns, type OpenRun } from '../engine/run/open-run.ts';
import { reMarkSequence } from '../engine/send/re-mark-request.ts';
import { schemesLacking } from '../secrets/credential.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { secretsOf } from '../secrets/secrets.ts';
import { type CheckOptions, resolveSettings, type Settings } from '../engine/settings.ts';
import { readReplay } from './read-replay.ts';

/** A finding to replay, by its id, with its requests if the report has them. */
export interface FindingToReplay {
  readonly id: string;
  readonly replay?: ReplayForm | undefined;
}

/** The outcome of a replay. The reason is a sentence. */
export interface ReplayResult {
  readonly id: string;
  readonly outcome: 'fixed' | 'still failing' | 'cannot tell';
  readonly reason: string;
}

/**
 * Sends the requests of each finding again, one finding after the other, and runs the same check.
 * Created records are deleted at the end; returns those that it could not delete. Throws a
 * VouchError for a usage error.
 */
export async function* replayFindings(
  findings: readonly FindingToReplay[],
  options: CheckOptions,
): AsyncGenerator<ReplayResult, readonly LeftRecords[]> {
  const run = await openRunInTurns(resolveSettings(options));
  let left: readonly LeftRecords[] = [];
  try {
    for (const [index, { id, replay }] of findings.entries()) {
      const { outcome, reason } =
        replay === undefined
          ? cannotTell('The report does not contain its requests.')
          : await replayOne(replay, run, index);
      yield { id, outcome, reason: run.redactor.text(reason) };
    }
  } finally {
    left = await deleteCreated(run);
    await run.close();
  }
  return left;
}

type Outcome = Omit<ReplayResult, 'id'>;

function cannotTell(reason: string): Outcome {
  return { outcome: 'cannot tell', reason };
}

async function replayOne(form: ReplayForm, run: OpenRun, index: number): Promise<Outcome> {
  const { settings, sender } = run;
  const check = checks.find(({ id }) => id === form.check);
  if (check === undefined) return cannotTell(`This release of vouch has no check ${form.check}.`);
  const reading = readReplay(form, settings.contract);
  if (!reading.ok) return cannotTell(`${capitalise(reading.reason)}.`);
  const { sequence } = reading;
  const obstacle = obstacleTo(sequence, settings, sender);
  if (obstacle !== undefined) return cannotTell(`${capitalise(obstacle)}.`);
  const context = await readAround(sequence, form.alone, run);
  let last: readonly Step[] = [];
  for (let count = 0; count < Math.min(20, Math.max(1, form.times)); count += 1) {
    const mark = `${settings.runId}-r${String(index)}-${String(count)}`;
    const attempt = await attemptOnce({ form, check, context, sequence, mark }, run);
    if ('outcome' in attempt) return attempt;
    last = attempt.steps;
  }
  return notReproduced(form, check, { steps: last, run });
}

/** The outcome if no attempt shows the finding. */
async function notReproduced(
  form: ReplayForm,
  check: Check,
  { steps, run }: { readonly steps: readonly Step[]; readonly run: OpenRun },
): Promise<Outcome> {
  if (!form.alone)
    return cannotTell(
      'Its requests alone did not reproduce it, but it depends on the rest of the run. ' +
        'Run vouch check to find out.',
    );
  const control =
    check.confirm === 'control'
      ? await sendControl(steps, run.sender, { runId: run.settings.runId, check })
      : undefined;
  if (control?.outcome === 'failed')
    return cannotTell(
      'The control request, which should be accepted, is refused too, so this refusal proves ' +
        'nothing.',
    );
  return { outcome: 'fixed', reason: `${describeLast(steps)}, which conforms to the contract.` };
}

interface Attempt {
  readonly form: ReplayForm;
  readonly check: Check;
  readonly sequence: Sequence;
  /** Steps of other requests, which the check may need. */
  readonly context: readonly Step[];
  /** Unique, for servers that require unique texts. */
  readonly mark: string;
}

async function attemptOnce(
  { form, check, context, sequence, mark }: Attempt,
  { settings, sender }: OpenRun,
): Promise<Outcome | { readonly steps: readonly Step[] }> {
  const { contract, runId } = settings;
  const fresh = reMarkSequence(sequence, mark, form.mark);
  const { steps, unsent } = await executeSequence(fresh, sender, { phase: 'confirm' });
  if (unsent !== undefined) {
    const answered = steps.length === 0 ? '' : ` (${describeLast(steps)})`;
    return cannotTell(`${capitalise(unsent.reason)}${answered}.`);
  }
  const knowledge = gatherKnowledge(contract, [...context, ...steps], runId);
  const judged = judgeStep({ contract, checks: [check], knowledge }, fresh, steps);
  const [crash] = judged.crashes;
  if (crash !== undefined) return cannotTell(`The check itself failed: ${crash.message}`);
  const shown = sameSuspicion(judged.suspicions, form);
  if (shown !== undefined) return { outcome: 'still failing', reason: shown.violation.message };
  const why = whyUndecided(form, steps, { ...judged, contract });
  return why === undefined ? { steps } : cannotTell(why);
}

/** The suspicion with the same place and cause; or else an error at the same place. */
function sameSuspicion(
  suspicions: Judgement['suspicions'],
  { at, cause }: ReplayForm,
): Judgement['suspicions'][number] | undefined {
  const there = suspicions.filter(({ violation }) => violation.at === at);
  return (
    there.find(({ violation }) => (violation.cause ?? '') === cause) ??
    there.find((other) => severityOf(other) === 'error')
  );
}

async function deleteCreated({
  settings,
  sender,
  lanes,
}: OpenRun): Promise<readonly LeftRecords[]> {
  const never = new AbortController().signal;
  const unbounded: Sender = {
    ...sender,
    signals: { stop: never, cut: never },
    spend: () => undefined,
    isPointless: () => undefined,
  };
  const { left } = await cleanUp({
    contract: settings.contract,
    seed: settings.seed,
    sender: unbounded,
    lanes,
    mayDelete: () => settings.mode !== 'read-only',
  });
  return left;
}

function describeLast(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const { response, fault } = last?.exchange ?? {};
  const asked =
    last === undefined ? 'It' : `${last.exchange.request.method} ${last.case.operation.path}`;
  const answer =
    response === undefined
      ? `got no response: ${fault?.message ?? 'the cause is unknown'}`
      : `was answered ${String(response.status)}`;
  return `${asked} ${answer}`;
}

/** The most plain reads before a replay. */
const maxReads = 8;

/**
 * A few plain reads before a replay: the lists whose records it may use, and, if the finding
 * depends on other responses, other operations. Returns the steps.
 */
async function readAround(
  sequence: Sequence,
  alone: boolean,
  { sender, settings }: OpenRun,
): Promise<readonly Step[]> {
  const { contract, seed } = settings;
  const lists = listsFor(sequence, contract);
  const expected = alone ? lists : [...new Set([...lists, ...otherReads(sequence, contract)])];
  const steps: Step[] = [];
  for (const operation of expected
    .filter((candidate) => baseUrlOf(settings, candidate).ok)
    .slice(0, maxReads)) {
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok) continue;
    const read = draftCase(drafted.draft, {
      title: 'a look around',
      phase: 'confirm',
      record: 'known',
    });
    steps.push(...(await executeSequence(makeSequence(read), sender, { phase: 'confirm' })).steps);
  }
  return steps;
}

function listsFor({ cases }: Sequence, { resources }: Contract): Operation[] {
  const names = new Set(
    cases.flatMap(({ request }) =>
      request.arguments.flatMap(({ source }) =>
        source.kind === 'known' ||
        source.kind === 'field' ||
        source.kind === 'held' ||
        source.kind === 'expression'
          ? [source.resource]
          : [],
      ),
    ),
  );
  return resources.flatMap(({ name, operations }) =>
    names.has(name) && operations.list !== undefined ? [operations.list] : [],
  );
}

/** Lists, then other safe operations, except the last of the sequence. */
function otherReads({ cases }: Sequence, { operations, resources }: Contract): Operation[] {
  const own = new Set(cases.slice(-1).map(({ operation }) => operation));
  const lists = resources.flatMap((resource) => resource.operations.list ?? []);
  return [...lists, ...operations.filter(isSafe)].filter(
    (operation) => lists.includes(operation) || !own.has(operation),
  );
}

/** Why a sequence must not, or cannot, be sent to this target, as a clause; undefined if it can. */
export function obstacleTo(
  { cases }: Sequence,
  settings: Settings,
  { secrets }: Sender,
): string | undefined {
  for (const testCase of cases) {
    const method = methodOf(testCase);
    if (settings.mode === 'read-only' && !safeMethods.includes(method))
      return `it needs a ${method}, but the replay is read-only; allow it with --mode read-write`;
    const base = baseUrlOf(settings, testCase.operation);
    if (!base.ok) return base.reason;
    const { identity } = testCase.request;
    const own = secretsOf(secrets, identity);
    if (own === undefined)
      return `it is a request of ${identity ?? ''}, and the configuration has no credential of it`;
    const needsOwn = identity === undefined && needsToken(testCase);
    const lacking = needsOwn ? schemesLacking(testCase.operation, own) : [];
    if (lacking.length > 0) return describeLacking(testCase.operation.id, lacking);
  }
  return undefined;
}

function describeLacking(operation: string, schemes: readonly string[]): string {
  const wayIn = schemes.map((scheme) => `--auth ${scheme}=env:NAME`).join(' or ');
  const lack = `requires a credential for ${schemes.join(' or ')}, and none is given`;
  return `the operation ${operation} ${lack}; give one with ${wayIn}`;
}

function methodOf({ operation, request }: Case): string {
  // Only some templates have their own method.
  return 'method' in request && typeof request.method === 'string'
    ? request.method
    : operation.method;
}

/** Whether the credential derives from a token: other wrong credentials can be made up. */
function needsToken({ operation, request }: Case): boolean {
  return (
    isSecured(operation) &&
    (request.scheme !== undefined ||
      ['given', 'prefix', 'longer', 'other-case', 'wrong-scheme'].includes(request.credential))
  );
}

/**
 * Why a response without the violation does not show that the finding is fixed, as a sentence;
 * undefined if it does.
 */
export function whyUndecided(
  form: ReplayForm,
  steps: readonly Step[],
  { inspected, contract }: Pick<Judgement, 'inspected'> & { readonly contract: Contract },
): string | undefined {
  const last = steps.at(-1);
  if (last === undefined) return 'No request was sent.';
  const { response, fault } = last.exchange;
  if (response === undefined)
    return `No response: ${fault?.message ?? 'the target does not respond'}`;
  const other = whyOtherResponse(form, last.case, response);
  if (other !== undefined) return other;
  if (hasTrait(form.check, 'lists') && areEmpty(contract, steps))
    return `The list is empty now, so ${form.check} cannot decide.`;
  return [...inspected.values()].some((counts) => (counts.get(form.check) ?? 0) > 0)
    ? undefined
    : `The response (${String(response.status)}) contains nothing that ${form.check} checks.`;
}

/** Why the response has another cause than the fix. */
function whyOtherResponse(
  { check, status: before }: ReplayForm,
  { intent, request }: Case,
  response: HttpResponse,
): string | undefined {
  const { status } = response;
  if (asksToWait(response)) return `The server asks to retry later (${String(status)}).`;
  const isRefused = status === 401 || status === 403;
  const isAboutCredential = request.credential !== 'given' || hasTrait(check, 'credentials');
  if (isRefused && before !== status && !isAboutCredential)
    return `The credential is refused (${String(status)}).`;
  if (intent.kind === 'valid' && isSuccess(before ?? 0) && !isSuccess(status))
    return `The status was ${String(before)} in the report, and is ${String(status)} now.`;
  return status >= 500 && !hasTrait(check, 'failures')
    ? `The status is ${String(status)} now, so ${check} cannot decide.`
    : undefined;
}

/** Whether all lists were empty: a restarted server may have lost the records that showed it. */
function areEmpty(contract: Contract, steps: readonly Step[]): boolean {
  const pages = steps.flatMap((step) => pageOf({ contract }, step) ?? []);
  return pages.length > 0 && pages.every(({ records }) => records.length === 0);
}
