import { parseJson } from '../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ReplayForm, Severity } from '../model/finding.ts';
import type { ReplayWish } from './replay-findings.ts';

/** A finding of a report, as far as it is needed to send it again. */
export interface ReportedFinding extends ReplayWish {
  readonly message: string;
  /** `GET /pets`. */
  readonly operation: string;
  readonly severity: Severity;
}

/** A report of a run that was read back. */
export interface ReadReport {
  readonly target: string;
  readonly servers: Readonly<Record<string, string>>;
  /** The contract's file as it was named, and its absolute path where that is known. */
  readonly contract: { readonly file: string; readonly path?: string };
  readonly findings: readonly ReportedFinding[];
  /** The mildest finding that the run was to fail on. */
  readonly failOn: Severity;
  /** What the run came to, and why; undefined where the report does not say. */
  readonly summary?: { readonly verdict: string; readonly reason: string };
}

/** Reads what the reporter json wrote; undefined where the text is no such report. */
export function readReport(text: string): ReadReport | undefined {
  const reading = parseJson(text, {
    maxDepth: 1000,
    duplicateKeys: 'allow',
    forbiddenKeys: [],
    loneSurrogates: 'allow',
  });
  const report = reading.ok ? reading.value : undefined;
  if (!isJsonObject(report) || !isJsonObject(report['run']) || !isJsonArray(report['findings']))
    return undefined;
  const { run, findings } = report;
  const { target, servers, contract, failOn } = run;
  if (typeof target !== 'string' || !isJsonObject(contract)) return undefined;
  const { file, path } = contract;
  return {
    target,
    servers: isJsonObject(servers) ? textsOf(servers) : {},
    contract: {
      file: typeof file === 'string' ? file : '',
      ...(typeof path === 'string' ? { path } : {}),
    },
    findings: findings.flatMap(readFinding),
    failOn: readSeverity(failOn),
    ...readSummary(report['summary']),
  };
}

function readSummary(summary: JsonValue | undefined): Pick<ReadReport, 'summary'> {
  const { verdict, reason } = summary !== undefined && isJsonObject(summary) ? summary : {};
  return typeof verdict === 'string' && typeof reason === 'string'
    ? { summary: { verdict, reason } }
    : {};
}

/** What says nothing else is as severe as can be. */
function readSeverity(severity: JsonValue | undefined): Severity {
  return severity === 'warning' || severity === 'note' ? severity : 'error';
}

function textsOf(members: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function readFinding(finding: JsonValue): ReportedFinding[] {
  if (!isJsonObject(finding) || typeof finding['id'] !== 'string') return [];
  const { id, message, operation, severity, replay } = finding;
  const { method, path } = isJsonObject(operation) ? operation : {};
  const others = finding['alsoSeenAs'];
  return [
    {
      id,
      message: typeof message === 'string' ? message : '',
      operation: `${String(method)} ${String(path)}`,
      severity: readSeverity(severity),
      ...(isForm(replay) ? { replay } : {}),
    },
    ...(isJsonArray(others) ? others.flatMap(readFinding) : []),
  ];
}

/**
 * Whether a value has the members that a replay rests on; what is in the steps is read one by one.
 */
function isForm(value: JsonValue | undefined): value is JsonValue & ReplayForm {
  if (!isJsonObject(value)) return false;
  const { version, check, at, cause, mark, contract, alone, times, steps } = value;
  const texts = [check, at, cause, mark, contract].every((text) => typeof text === 'string');
  return (
    version === 1 &&
    texts &&
    typeof alone === 'boolean' &&
    typeof times === 'number' &&
    isJsonArray(steps) &&
    steps.every((step) => isJsonObject(step))
  );
}
