import type { Crash, RunInfo, TargetDifference } from '../check/model/event.ts';
import type { Exchange, TransportFault, WireBreach } from '../check/model/exchange.ts';
import type { Finding, OperationName, OverlayAction } from '../check/model/finding.ts';
import type { LeftRecords } from '../check/model/record.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import type { HeaderList } from '../http/message.ts';
import { defined, pick } from '../json/value.ts';
import { writeJson } from '../text/safe-text.ts';
import { wordsIn } from '../words-in.ts';
import { type BodyText, writeBody } from './body-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, type RunRecord } from './run-record.ts';

/** For programs: one JSON document at the end of the run, of the shape `JsonReport`. */
export const json = {
  id: 'json',
  description: 'for programs: one JSON document at the end',
  begin: () => atEnd((record, summary) => `${writeJson(makeJsonReport(record, summary), 2)}\n`),
} as const satisfies Reporter;

/**
 * The one document that the reporter `json` writes. Members keep their order from run to run; an
 * optional member without a value is omitted, a list is empty. `version` changes when a member
 * changes its meaning or is removed, not when one is added.
 */
export interface JsonReport {
  readonly version: 1;
  /** Missing if the run never started. */
  readonly run?: RunInfo | undefined;
  readonly summary: RunSummary;
  /** In the order in which they were reported. */
  readonly findings: readonly JsonFinding[];
  readonly gaps: readonly JsonGap[];
  /** Differences between two deployments; empty if only one was checked. */
  readonly differences: readonly TargetDifference[];
  readonly skipped: readonly { readonly operation: OperationName; readonly reason: string }[];
  /** Records that the run created and could not delete. */
  readonly left: readonly JsonLeft[];
  /** Checks that crashed: internal errors, not defects of the target. */
  readonly crashed: readonly Crash[];
}

/** A finding; secrets in it are redacted. */
export interface JsonFinding extends Pick<Finding, PlainMember> {
  /** The exchange that shows it, bodies included. */
  readonly exchange?: JsonExchange;
  /** Other findings with the same cause, complete. */
  readonly alsoSeenAs?: readonly JsonFinding[];
}

/** What a finding as data has of a finding, in this order. */
const findingMembers = wordsIn(
  'id check basis severity blame operation operations message expected actual trying pointer',
  'place frame count evidence curl exchange accepted replay score storedBy overlayAction',
  'alsoSeenAs',
);
type PlainMember = Exclude<(typeof findingMembers)[number], 'exchange' | 'alsoSeenAs'>;

/**
 * One request and its result. `request.target` includes the base URL's path: the URL is its origin
 * and the target.
 */
export interface JsonExchange {
  readonly baseUrl: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: HeaderList;
    readonly body: BodyText;
  };
  readonly response?:
    | {
        readonly status: number;
        readonly headers: HeaderList;
        readonly body: BodyText;
      }
    | undefined;
  readonly fault?: { readonly kind: TransportFault; readonly message: string } | undefined;
  /** Violations of HTTP in a response that could be read. */
  readonly breaches?: readonly WireBreach[] | undefined;
  /** Why the request was sent a second time. */
  readonly resent?: string | undefined;
  readonly durationMs: number;
}

/** Records that stay on the target; `code` says why, and `count` how many there are. */
type JsonLeft = Pick<LeftRecords, 'operation' | 'record' | 'reason'> & Partial<LeftRecords>;

/** A gap in the contract, and the observed behaviour of the target. */
export interface JsonGap {
  readonly id: string;
  readonly message: string;
  readonly observed: string;
  /** What closes it: an action of an OpenAPI Overlay. */
  readonly overlayAction?: OverlayAction | undefined;
}

/** The document for a run that is over. */
function makeJsonReport(record: RunRecord, summary: RunSummary): JsonReport {
  return {
    version: 1,
    run: record.run && runOf(record.run),
    summary: summaryOf(summary),
    findings: record.findings.map(findingOf),
    gaps: record.gaps.map(gapOf),
    differences: record.differences,
    skipped: record.skipped.map(({ operation, reason }) => ({
      operation: nameOf(operation),
      reason,
    })),
    left: record.left.map((left) => pick(left, wordsIn('operation record reason code count'))),
    crashed: record.crashed.map(({ check, message, stack }) => ({ check, message, stack })),
  };
}

/** A gap as plain JSON data. */
export function gapOf({ gap, observed, overlayAction }: RunRecord['gaps'][number]): JsonGap {
  return { id: gap.id, message: gap.message, observed, overlayAction };
}

function runOf(run: RunInfo): RunInfo {
  const { title, version, file } = run.contract;
  return {
    ...pick(run, wordsIn('effects id version target servers contract mode seed startedAt')),
    contract: { title, version, file },
  };
}

/** What the summary of a run as data has of it, in this order. */
const summaryMembers = wordsIn(
  'verdict reason code remarks stop reach requests cleanup durationMs findings operations checks',
  'latency skippedFindings coverage census identities',
);

function summaryOf(summary: RunSummary): RunSummary {
  const { error, warning, note } = summary.findings;
  return {
    ...pick(summary, summaryMembers),
    findings: { error, warning, note },
    operations: summary.operations.map((operation) => pick(operation, operationMembers)),
    checks: summary.checks.map(({ id, inspected, findings }) => ({ id, inspected, findings })),
  };
}

const operationMembers = wordsIn(
  'id method path requests errors warnings notes skipped judged shut statuses checks',
);

function nameOf({ id, method, path }: OperationName): OperationName {
  return { id, method, path };
}

/** A finding as plain JSON data, bodies included. */
export function findingOf(finding: Finding): JsonFinding {
  const { file, line, column } = finding.place;
  return {
    ...pick(finding, findingMembers),
    operation: nameOf(finding.operation),
    place: { file, line, column },
    ...defined({
      exchange: finding.exchange && exchangeOf(finding.exchange),
      alsoSeenAs: finding.alsoSeenAs?.map(findingOf),
    }),
  } as JsonFinding;
}

/** An exchange as plain JSON data, bodies included. */
export function exchangeOf({
  baseUrl,
  request,
  response,
  fault,
  breaches,
  resent,
  durationMs,
}: Exchange): JsonExchange {
  return {
    baseUrl,
    request: {
      method: request.method,
      target: request.target,
      headers: request.headers,
      body: writeBody(request.body),
    },
    response: response && {
      status: response.status,
      headers: response.headers,
      body: writeBody(response.body),
    },
    fault: fault && { kind: fault.kind, message: fault.message },
    breaches: breaches?.map(({ kind, message }) => ({ kind, message })),
    resent,
    durationMs,
  };
}
