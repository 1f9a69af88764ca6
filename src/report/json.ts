import type { RunInfo, TargetDifference } from '../check/model/event.ts';
import type { Exchange, TransportFault, WireBreach } from '../check/model/exchange.ts';
import type {
  Basis,
  Blame,
  Finding,
  OverlayAction,
  ReplayForm,
  Score,
  Severity,
  OperationName,
} from '../check/model/finding.ts';
import type { LeftCode } from '../check/model/record.ts';
import type { OperationSummary, RunSummary } from '../check/model/run-summary.ts';
import type { Place } from '../errors.ts';
import type { HeaderList } from '../http/message.ts';
import { defined } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import { writeJson } from '../text/safe-text.ts';
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
  readonly crashed: readonly {
    readonly check: string;
    readonly message: string;
    readonly stack: string;
  }[];
}

/** A finding; secrets in it are redacted. */
export interface JsonFinding {
  readonly id: string;
  readonly check: string;
  readonly basis: Basis;
  readonly severity: Severity;
  readonly blame: Blame;
  readonly operation: OperationName;
  /** The ids of all affected operations. */
  readonly operations: readonly string[];
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly trying: string;
  /** Where in the contract: a JSON Pointer, and the same as file, line and column (1-based). */
  readonly pointer: Pointer;
  readonly place: Place;
  readonly frame: string;
  readonly count: number;
  readonly evidence: string;
  readonly curl: readonly string[];
  readonly exchange?: JsonExchange | undefined;
  /** Its own severity, if a baseline accepts it. */
  readonly accepted?: Severity | undefined;
  /** The requests as `vouch replay` reads them. */
  readonly replay?: ReplayForm | undefined;
  /** How much it matters to a client, with its parts. Findings are in its order. */
  readonly score?: Score | undefined;
  /** The operations that stored what it shows, although their requests were invalid. */
  readonly storedBy?: readonly string[] | undefined;
  /** What resolves it, if the document causes it: an action of an OpenAPI Overlay. */
  readonly overlayAction?: OverlayAction | undefined;
  /** Other findings with the same cause, complete. */
  readonly alsoSeenAs?: readonly JsonFinding[] | undefined;
}

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
interface JsonLeft {
  readonly operation: string;
  readonly record: string;
  readonly reason: string;
  readonly code?: LeftCode | undefined;
  readonly count?: number | undefined;
}

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
    left: record.left.map(leftOf),
    crashed: record.crashed.map(({ check, message, stack }) => ({ check, message, stack })),
  };
}

/** A gap as plain JSON data. */
export function gapOf({ gap, observed, overlayAction }: RunRecord['gaps'][number]): JsonGap {
  return { id: gap.id, message: gap.message, observed, overlayAction };
}

function leftOf({ operation, record, reason, code, count }: RunRecord['left'][number]): JsonLeft {
  const counted = { code, count };
  return { operation, record, reason, ...counted };
}

function runOf(run: RunInfo): RunInfo {
  const { id, version, target, servers, contract, mode, seed, startedAt, effects } = run;
  const effectsPart = effects === undefined ? {} : { effects };
  return {
    ...effectsPart,
    id,
    version,
    target,
    servers,
    contract: { title: contract.title, version: contract.version, file: contract.file },
    mode,
    seed,
    startedAt,
  };
}

function summaryOf(summary: RunSummary): RunSummary {
  const { verdict, reason, code, remarks, stop, reach, requests, cleanup, durationMs } = summary;
  const { findings, operations, checks, latency, skippedFindings, coverage, census, identities } =
    summary;
  const { error, warning, note } = findings;
  return {
    verdict,
    reason,
    ...defined({ code, remarks, stop, reach }),
    requests,
    ...defined({ cleanup }),
    durationMs,
    findings: { error, warning, note },
    operations: operations.map(operationOf),
    checks: checks.map(({ id, inspected, findings: found }) => ({
      id,
      inspected,
      findings: found,
    })),
    ...defined({ latency, skippedFindings, coverage, census, identities }),
  };
}

function operationOf(operation: OperationSummary): OperationSummary {
  const { requests, errors, warnings, notes, skipped, judged, shut, statuses, checks } = operation;
  const known = { skipped, judged, shut };
  return { ...nameOf(operation), requests, errors, warnings, notes, ...known, statuses, checks };
}

function nameOf({ id, method, path }: OperationName): OperationName {
  return { id, method, path };
}

/** A finding as plain JSON data, bodies included. */
export function findingOf(finding: Finding): JsonFinding {
  const {
    id,
    check,
    basis,
    severity,
    blame,
    operations,
    message,
    expected,
    actual,
    trying,
    pointer,
    place,
    frame,
    count,
    evidence,
    curl,
    exchange,
    replay,
    accepted,
    score,
    storedBy,
    overlayAction,
    alsoSeenAs,
  } = finding;
  return {
    ...{ id, check, basis, severity, blame },
    operation: nameOf(finding.operation),
    ...{ operations, message, expected, actual, trying, pointer },
    place: { file: place.file, line: place.line, column: place.column },
    ...{ frame, count, evidence, curl },
    exchange: exchange && exchangeOf(exchange),
    accepted,
    replay,
    ...{ score, storedBy, overlayAction },
    alsoSeenAs: alsoSeenAs?.map(findingOf),
  };
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
