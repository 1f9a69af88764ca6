import { lenientLimits, parseJson } from '../../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../json/value.ts';
import type { ReplayForm, Severity } from '../model/finding.ts';
import type { FindingToReplay } from './replay-findings.ts';

/** A finding of a report, as far as a replay needs it. */
export interface ReportedFinding extends FindingToReplay {
  readonly message: string;
  /** `GET /pets`. */
  readonly operation: string;
  readonly severity: Severity;
}

export interface ReadReport {
  /** The run, when it started (ISO 8601), and the folder that it was started in, if known. */
  readonly run: { readonly id?: string; readonly startedAt?: string; readonly folder?: string };
  readonly target: string;
  readonly servers: Readonly<Record<string, string>>;
  /** The contract's file as given, and its absolute path if known. */
  readonly contract: { readonly file: string; readonly path?: string };
  readonly findings: readonly ReportedFinding[];
  /** The mildest severity that fails the run. */
  readonly failOn: Severity;
  /** The verdict and its reason; undefined if the report has none. */
  readonly summary?: { readonly verdict: string; readonly reason: string };
}

/** Reads a report of the `json` reporter; undefined if the text is not one. */
export function readReport(text: string): ReadReport | undefined {
  const reading = parseJson(text, lenientLimits);
  const report = reading.ok ? reading.value : undefined;
  if (!isJsonObject(report) || !isJsonObject(report['run']) || !isJsonArray(report['findings']))
    return undefined;
  const { run, findings } = report;
  const { target, servers, contract, failOn, id, startedAt, folder } = run;
  if (typeof target !== 'string' || !isJsonObject(contract)) return undefined;
  const { file, path } = contract;
  return {
    run: textsOf({ id: id ?? null, startedAt: startedAt ?? null, folder: folder ?? null }),
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
  const { verdict, reason } = objectOf(summary);
  return typeof verdict === 'string' && typeof reason === 'string'
    ? { summary: { verdict, reason } }
    : {};
}

/** Any other value counts as the most severe. */
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
  const { method, path } = objectOf(operation);
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

/** Whether a value has the members of a replay; its steps are read later. */
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
