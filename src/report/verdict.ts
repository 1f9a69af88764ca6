import { isLockedOut } from '../check/engine/judge/verdict.ts';
import type {
  OperationSummary,
  RunSummary,
  Verdict,
  WorkflowStepSummary,
  WorkflowSummary,
} from '../check/model/run-summary.ts';
import type { ShutCode } from '../check/model/case.ts';
import { stopClause } from '../check/model/stop.ts';
import { isSuccess } from '../http/message.ts';
import { shellQuote } from '../http/curl.ts';

import { countOf } from '../text/counts.ts';
import { cleanLine } from '../text/safe-text.ts';
import { bySeverity, type RunRecord } from './run-record.ts';

/** The verdict in words, with which the summaries of all reporters begin. */
const verdictTitles: Readonly<Record<Verdict, string>> = {
  passed: 'Passed.',
  failed: 'Failed.',
  inconclusive: 'Inconclusive.',
  crashed: 'Internal error.',
  interrupted: 'Interrupted.',
};

/** What a run that passed did not test, so that its verdict says little; undefined if enough. */
function whatIsMissing(summary: RunSummary): 'operations' | 'writes' | undefined {
  const { verdict, reach, operations } = summary;
  if (verdict !== 'passed' || reach === undefined || reach.total === 0) return undefined;
  if (reach.isPartial) return 'operations';
  // What the user leaves out is not missing.
  const writes = operations.filter(
    ({ method, shut }) => !isSafeMethod(method) && shut?.code !== 'excluded',
  );
  const asked = writes.filter(({ requests }) => requests > 0);
  // A read-only run is not meant to write.
  const isOnlyRead = reach.shut.some(({ code }) => code === 'read-only');
  const hasNone = writes.length > 0 && asked.every(({ statuses }) => !hasSuccess(statuses));
  return hasNone && (asked.length > 0 || !isOnlyRead) ? 'writes' : undefined;
}

/** Whether a run passed and tested too little for that to mean much. */
export function isThin(summary: RunSummary): boolean {
  return whatIsMissing(summary) !== undefined;
}

function isSafeMethod(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE'].includes(method);
}

function hasSuccess(statuses: OperationSummary['statuses']): boolean {
  return Object.keys(statuses).some((status) => isSuccess(Number(status)));
}

const thinTitles = { operations: 'Mostly untested.', writes: 'No write was tested.' } as const;

/**
 * The verdict, and after how many requests and why the run ended early: `Passed.`, `Inconclusive:
 * stopped after …`.
 */
export function headline(summary: RunSummary): string {
  const { verdict, stop, code, requests, cleanup = 0, reach } = summary;
  if (isWithoutResult(summary)) return verdictTitles[verdict];
  const missing = whatIsMissing(summary);
  if (missing !== undefined) return thinTitles[missing];
  const partial = reach?.isPartial === true ? ' (partial)' : '';
  const title = verdictTitles[verdict].replace('.', `${partial}.`);
  if (stop === undefined || verdict === 'passed') return title;
  // If the stop is the reason of the verdict, the reason that follows describes it.
  const why = code === 'stopped' ? '' : `, because ${stopClause(stop)}`;
  return (
    `${title.replace(/\.$/, '')}: stopped after ` +
    `${countOf(requests - cleanup, 'request')}${why}.`
  );
}

/** Whether a run ended without a single success, so that it says nothing but why. */
export function isWithoutResult({ verdict, reach }: RunSummary): boolean {
  return verdict === 'inconclusive' && reach?.reached === 0;
}

/**
 * The verdict with its reason, in one line; of a run that passed, how much of the contract it did
 * not test.
 */
export function verdictLine(summary: RunSummary, { run }: Pick<RunRecord, 'run'> = {}): string {
  const { verdict, reason, operations, reach, requests, cleanup = 0 } = summary;
  if (isWithoutResult(summary)) {
    const sent = countOf(requests - cleanup, 'request');
    return cleanLine(`${headline(summary)} ${reason} Stopped after ${sent}.`);
  }
  const reached =
    reach === undefined || reach.reached === reach.total
      ? ''
      : ` Covered ${String(reach.reached)} of ${countOf(reach.total, 'operation')}.`;
  const untested =
    verdict === 'passed' && run?.recorded !== true && reached === ''
      ? operations.filter((operation) => !isTested(operation, summary)).length
      : 0;
  const rest =
    untested === 0
      ? ''
      : ` ${countOf(untested, 'operation')} of ${String(operations.length)} ` +
        `${untested === 1 ? 'was' : 'were'} not tested.`;
  if (isThin(summary)) {
    const opens = openingStep(summary);
    const step = opens === undefined ? '' : ` ${opens}`;
    return cleanLine(`${headline(summary)}${reached}${step} What was tested passed. ${reason}`);
  }
  const why = verdict === 'interrupted' && summary.stop !== undefined ? '' : ` ${reason}`;
  return cleanLine(`${headline(summary)}${reached}${why}${rest}`);
}

const shutWords: Readonly<Record<ShutCode, string>> = {
  effect: 'may change or delete what the run did not create',
  'read-only': 'change something, and the run is read-only',
  'no-own-record': 'need a record of the run, and it has none there',
  'unknown-value': 'have a path with an unknown value',
  excluded: 'are left out',
  'other-server': 'stand on another server',
  unwritable: 'have no request that could be written',
  unplanned: 'have no request in the plan',
  'run-ended': 'got no request before the run ended',
  credential: 'need another credential',
  'not-found': 'answered 404 to every valid request',
  refused: 'refused every valid request',
  failed: 'failed',
  'no-answer': 'gave no answer',
};

const maxOpens = 3;

/**
 * What keeps operations from being reached, a clause for each reason, with what may open them:
 * `3 may change what the run did not create (--allow reset)`.
 */
export function shutClauses({ reach }: RunSummary): string[] {
  return (reach?.shut ?? []).map(({ code, operations, opens }) => {
    const more = opens.length > maxOpens ? ', …' : '';
    const how = opens.length === 0 ? '' : ` (${opens.slice(0, maxOpens).join(', ')}${more})`;
    const words = operations.length === 1 ? inSingular(shutWords[code]) : shutWords[code];
    return cleanLine(`${String(operations.length)} ${words}${how}`);
  });
}

/** A clause about one operation: `needs another credential`. */
function inSingular(clause: string): string {
  const [verb = '', ...rest] = clause.split(' ');
  return [singularVerbs[verb] ?? verb, ...rest].join(' ');
}

const singularVerbs: Readonly<Record<string, string>> = {
  act: 'acts',
  are: 'is',
  change: 'changes',
  have: 'has',
  need: 'needs',
  stand: 'stands',
};

/** The risk of opening a group, as a clause about its operations. */
const dangers: Partial<Readonly<Record<ShutCode, string>>> = {
  effect: "may change or delete other people's records",
  'no-own-record': 'act on the records that you name',
};

/**
 * The step that makes the most operations reachable, in one sentence. A step that may harm other
 * people's records is named only if there is no other, with that risk.
 */
export function openingStep({ reach }: RunSummary): string | undefined {
  const groups = reach?.shut.filter(({ opens }) => opens.length > 0) ?? [];
  const most = groups.find(({ code }) => dangers[code] === undefined) ?? groups[0];
  const [first] = most?.opens ?? [];
  if (most === undefined || first === undefined) return undefined;
  const all = most.opens.length === 1 ? first : `${first} and the like`;
  const count = most.operations.length;
  const danger = dangers[most.code];
  const which = danger === undefined ? '' : `, which ${count === 1 ? inSingular(danger) : danger}`;
  return cleanLine(`With ${all}, ${countOf(count, 'more operation')} can be tested${which}.`);
}

/**
 * Whether a response of the operation was read completely and judged. In a run that counts what it
 * reached, the operation must also have succeeded once: refusals alone say little about it.
 */
export function isTested(
  operation: OperationSummary,
  { reach }: Pick<RunSummary, 'reach'>,
): boolean {
  const isShut = reach?.shut.some(({ operations }) => operations.includes(operation.id)) ?? false;
  return operation.requests > 0 && operation.judged !== 0 && !isLocked(operation) && !isShut;
}

/** How many requests were sent: `25 requests (including 3 for cleanup)`. */
export function sentWords({ requests, cleanup }: RunSummary): string {
  const forCleanup = cleanup === undefined ? '' : ` (including ${String(cleanup)} for cleanup)`;
  return `${countOf(requests, 'request')}${forCleanup}`;
}

/** What to do next, in one or two sentences. */
export function nextStep(record: RunRecord, summary: RunSummary, program = 'vouch'): string {
  switch (summary.verdict) {
    case 'passed':
      return stepAfterPass(record, summary);
    case 'failed':
      return record.run?.recorded === true
        ? 'Fix finding 1 first; then record the same traffic again, or check the ' +
            `deployment: ${program} check URL.`
        : `${firstStep(record)} Then run again${sameSeed(record)}.`;
    case 'inconclusive':
      if (record.run?.recorded === true) return 'Fix that first, then record again.';
      if (isWithoutResult(summary)) return stepToStart(record, summary, program);
      return `Fix that first, then run again${sameSeed(record)}.`;
    case 'crashed':
      return (
        'Please report the internal error above with its stack trace. Findings ' +
        'of other checks are valid.'
      );
    case 'interrupted':
      return `Run again for a complete result${sameSeed(record)}. Findings so far are valid.`;
  }
}

/** How to get a first success: by the command, with a credential where that is all that lacks. */
function stepToStart({ run }: RunRecord, summary: RunSummary, program: string): string {
  const { reach } = summary;
  if (run === undefined) return 'Fix that first, then run again.';
  const opens = summary.requests === 0 ? openingStep(summary) : undefined;
  if (opens !== undefined) return opens;
  const command = [program, 'check', ...[run.target, run.contract.file].map(shellWord)].join(' ');
  const lacks = run.credentials?.some(({ code }) => code === 'credential-missing') ?? false;
  return lacks && reach?.shut[0]?.code === 'credential'
    ? `VOUCH_TOKEN=YOUR_TOKEN ${command}`
    : `Fix that first, then: ${command}`;
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : shellQuote(text);
}

function stepAfterPass(record: RunRecord, summary: RunSummary): string {
  const { findings, operations } = summary;
  const opens = isThin(summary) ? openingStep(summary) : undefined;
  if (opens !== undefined) return opens;
  if (operations.some(isLocked) && record.run?.recorded !== true)
    return (
      'Run again with a valid credential: operations that always responded 401 ' +
      'were not tested.'
    );
  if (isThin(summary)) {
    const [largest = 'every write was refused'] = shutClauses(summary);
    return `Find out why, and run again${sameSeed(record)}: ${largest}.`;
  }
  if (record.findings.some(({ accepted }) => accepted === 'error'))
    return 'No new errors. After fixing an accepted finding, remove it with --update-baseline.';
  return findings.warning > 0
    ? `Review the ${findings.warning === 1 ? 'warning' : 'warnings'} above; ` +
        'warnings do not fail the run.'
    : 'Nothing to fix. In CI, add --reporter junit=report.xml.';
}

/** Whether the operation rejected every credential. */
export function isLocked({ statuses }: OperationSummary): boolean {
  return isLockedOut(Object.keys(statuses).map(Number));
}

function firstStep({ findings }: RunRecord): string {
  const [first] = bySeverity(findings);
  return first === undefined || first.curl.length === 0
    ? 'Fix finding 1 first.'
    : 'Fix finding 1 first; its last command reproduces it.';
}

/** The seed is repeated only if a shell needs no quotes for it. */
function sameSeed({ run }: RunRecord): string {
  return run !== undefined && /^\w[\w.-]*$/.test(run.seed)
    ? ` with --seed ${run.seed} to send the same requests`
    : '';
}

/**
 * Who could send what: the operation, then a word for each identity. The first row has the names.
 * Empty without identities.
 */
export function accessTable({ identities = [], operations }: RunSummary): string[][] {
  const rows = operations
    .filter(({ id }) => identities.some((identity) => identity.operations[id] !== undefined))
    .map(({ id, method, path }) => [
      `${method} ${path}`,
      ...identities.map((identity) => identity.operations[id] ?? 'not asked'),
    ]);
  return rows.length === 0 ? [] : [['', ...identities.map(({ name }) => name)], ...rows];
}

/** What keeps the answers to identities from showing something, one sentence each. */
export function accessNotes({ identities = [] }: RunSummary): string[] {
  return identities.slice(1).flatMap(({ name, state }) => {
    switch (state) {
      case 'shut-out':
        return `Nothing was tested as ${name}: the service answered 401 to each of its requests.`;
      case 'unproven':
        return `No request of ${name} succeeded, so its refusals may have another cause.`;
      case 'not-asked':
        return `Nothing was tested as ${name}: it sent no request.`;
      default:
        return [];
    }
  });
}

/** A workflow in one line: `pets failed: 2 of 3 steps passed`. */
export function workflowTitle({ id, outcome, steps, reason }: WorkflowSummary): string {
  const words = { passed: 'passed', failed: 'failed', 'not-run': 'was not run' }[outcome];
  const done = steps.filter((step) => step.outcome === 'passed').length;
  const count =
    steps.length === 0 ? '' : `, ${String(done)} of ${countOf(steps.length, 'step')} passed`;
  return `${id} ${words}${count}${reason === undefined ? '' : `: ${reason}`}`;
}

/** A step of a workflow in one line: `read  GET /pets/{petId}  404: …`. */
export function workflowStepLine({
  id,
  operation,
  status,
  outcome,
  reason,
}: WorkflowStepSummary): string {
  const sent = operation === undefined ? '' : ` ${operation}`;
  const answer = status === undefined ? '' : ` ${String(status)}`;
  const how = outcome === 'passed' ? '' : ` ${outcome}`;
  return `${id}:${sent}${answer}${how}${reason === undefined ? '' : `: ${reason}`}`;
}
