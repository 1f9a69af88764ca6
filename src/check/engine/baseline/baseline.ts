import { parseJson } from '../../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { separate, withEvidence } from '../judge/evidence.ts';
import type { Finding } from '../../model/finding.ts';
import type { RunSummary } from '../../model/run-summary.ts';

/**
 * A known and accepted finding. Matched by `id`; the other members are for readers, and for
 * findings whose place moved.
 */
export interface BaselineEntry {
  readonly id: string;
  readonly check: string;
  /** `GET /books`. */
  readonly operation: string;
  readonly message: string;
  /** A warning that was accepted accepts no error. */
  readonly severity?: 'warning';
}

/** Reads a baseline; undefined if the text is not one. */
export function parseBaseline(text: string): BaselineEntry[] | undefined {
  const reading = parseJson(text);
  const value = reading.ok ? reading.value : undefined;
  if (!isJsonObject(value) || value['version'] !== 1 || !isJsonArray(value['findings']))
    return undefined;
  const entries = value['findings'].map(readEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function readEntry(value: JsonValue): BaselineEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, check, operation, message, severity } = value;
  if (
    typeof id !== 'string' ||
    typeof check !== 'string' ||
    typeof operation !== 'string' ||
    typeof message !== 'string'
  )
    return undefined;
  return { id, check, operation, message, ...milder(severity) };
}

function milder(severity: JsonValue | undefined): Pick<BaselineEntry, 'severity'> {
  return severity === 'warning' ? { severity } : {};
}

/**
 * Writes a baseline: JSON, sorted by operation, check and id, one member per line, so that diffs
 * are small.
 */
export function formatBaseline(entries: readonly BaselineEntry[]): string {
  const byId = new Map(
    entries.map(({ id, check, operation, message, severity }) => [
      id,
      { id, check, operation, message, ...milder(severity) },
    ]),
  );
  const key = ({ operation, check, id }: BaselineEntry): string => `${operation}\n${check}\n${id}`;
  const findings = [...byId.values()].sort((left, right) => (key(left) < key(right) ? -1 : 1));
  return `${JSON.stringify({ version: 1, findings }, null, 2)}\n`;
}

export function entryOf(finding: Finding): BaselineEntry {
  const { id, check, message, accepted, severity } = finding;
  const operation = `${finding.operation.method} ${finding.operation.path}`;
  return { id, check, operation, message, ...milder(accepted ?? severity) };
}

/** Whether a baseline can accept a finding: notes do not fail a run. */
function isAcceptable({ severity, accepted }: Finding): boolean {
  return severity !== 'note' || accepted !== undefined;
}

/** The findings, with those that a baseline accepts changed to notes that say so. */
export function acceptKnown(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
): Finding[] {
  const matched = matchEntries(findings, entries);
  return findings.map((finding) => (matched.has(finding) ? accept(finding) : finding));
}

function accept(finding: Finding): Finding {
  return withEvidence({ ...finding, severity: 'note', accepted: finding.severity });
}

/**
 * Maps entries to findings: by id, otherwise (if a place moved in the contract) by check, operation
 * and message.
 */
function matchEntries(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
): Map<Finding, BaselineEntry> {
  const open = findings.filter(isAcceptable);
  const covers = (entry: BaselineEntry, { severity, accepted }: Finding): boolean =>
    entry.severity !== 'warning' || (accepted ?? severity) !== 'error';
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const matched = new Map(
    open.flatMap((finding) => {
      const entry = byId.get(finding.id);
      return entry === undefined || !covers(entry, finding) ? [] : [[finding, entry] as const];
    }),
  );
  const taken = new Set(matched.values());
  for (const finding of open.filter((candidate) => !matched.has(candidate))) {
    const moved = entries.find(
      (entry) =>
        !taken.has(entry) && covers(entry, finding) && sayOf(entry) === sayOf(entryOf(finding)),
    );
    if (moved === undefined) continue;
    taken.add(moved);
    matched.set(finding, moved);
  }
  return matched;
}

function sayOf({ check, operation, message }: BaselineEntry): string {
  return [check, operation, message].join('\n');
}

interface BaselineComparison {
  /** The number of accepted findings. */
  readonly accepted: number;
  /** Entries that the run checked and did not find. */
  readonly fixed: readonly BaselineEntry[];
  /** The entries after the run: its findings, and those that it could not check. */
  readonly updated: readonly BaselineEntry[];
}

/**
 * Compares the findings of a finished run with a baseline. A finding that the run did not test is
 * not fixed.
 */
export function compareBaseline(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
  summary: RunSummary,
): BaselineComparison {
  const all = findings.flatMap(separate);
  const matched = new Set(matchEntries(all, entries).values());
  const unseen = entries.filter((entry) => !matched.has(entry));
  const fixed = unseen.filter((entry) => wasLookedFor(entry, summary));
  return {
    accepted: matched.size,
    fixed,
    updated: [
      ...all.filter(isAcceptable).map(entryOf),
      ...unseen.filter((entry) => !fixed.includes(entry)),
    ],
  };
}

/**
 * Whether a finished run sent requests to the operation and checked something; an operation or a
 * check that no longer exists cannot fail again.
 */
function wasLookedFor(
  { check, operation }: BaselineEntry,
  { verdict, operations, checks }: RunSummary,
): boolean {
  if (verdict !== 'passed' && verdict !== 'failed') return false;
  const asked = operations.find(({ method, path }) => `${method} ${path}` === operation);
  const held = checks.find(({ id }) => id === check);
  return (
    asked === undefined || (asked.requests > 0 && asked.skipped === undefined && held !== undefined)
  );
}
