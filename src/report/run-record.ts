import { compareSeverities } from '../contract/model/severity.ts';
import type { RunEvent, RunInfo, TargetDifference } from '../check/model/event.ts';
import type { Finding, OperationName } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { VouchError } from '../errors.ts';
import { defined } from '../json/value.ts';
import type { ReporterOptions } from './reporter.ts';

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/**
 * What a report at the end of a run needs of the events before it. `run` is missing if the run
 * never started.
 */
export interface RunRecord {
  run?: RunInfo;
  readonly skipped: EventOf<'operation-skipped'>[];
  readonly findings: Finding[];
  readonly gaps: EventOf<'gap-observed'>[];
  readonly differences: TargetDifference[];
  readonly left: EventOf<'record-left'>[];
  readonly crashed: EventOf<'check-crashed'>[];
}

/** A record with nothing in it yet. */
export function emptyRecord(): RunRecord {
  return { skipped: [], findings: [], gaps: [], differences: [], left: [], crashed: [] };
}

/** The events that a report at the end needs. */
export type KeptEvent = Exclude<
  RunEvent,
  EventOf<'plan-made' | 'exchange-recorded' | 'run-finished'>
>;

/** Puts an event into the record. */
export function keepEvent(record: RunRecord, event: KeptEvent): void {
  switch (event.type) {
    case 'run-started':
      record.run = event.run;
      return;
    case 'operation-skipped':
      record.skipped.push(event);
      return;
    case 'finding-reported':
      record.findings.push(event.finding);
      return;
    case 'gap-observed':
      record.gaps.push(event);
      return;
    case 'difference-found':
      record.differences.push(event.difference);
      return;
    case 'record-left':
      record.left.push(event);
      return;
    case 'check-crashed':
      record.crashed.push(event);
      return;
    default:
      unanswered(event);
  }
}

/** The findings, errors first; those of one severity in their original order. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((left, right) => compareSeverities(left.severity, right.severity));
}

/** Every operation of a run: those of the summary, then those that only events name. */
export function operationsOf(record: RunRecord, summary: RunSummary): OperationName[] {
  const named = [
    ...summary.operations,
    ...record.skipped.map(({ operation }) => operation),
    ...record.findings.map(({ operation }) => operation),
  ];
  const byId = new Map(named.map(({ id, method, path }) => [id, { id, method, path }]));
  return [...byId.values()];
}

/**
 * The end of an exhaustive switch over the events: a new event does not compile until the reporter
 * handles it.
 */
export function unanswered(event: never): never {
  throw new VouchError(
    'internal',
    `Unknown event in a reporter: ${JSON.stringify((event as { readonly type?: unknown }).type)}.`,
  );
}

/** The event with the paths of the contract's files as a CI service needs them. */
function placeInRepository(
  event: KeptEvent,
  repositoryPath: ReporterOptions['repositoryPath'],
): KeptEvent {
  if (repositoryPath === undefined) return event;
  const move = (finding: Finding): Finding => ({
    ...finding,
    place: { ...finding.place, file: repositoryPath(finding.place.file) },
    ...defined({ alsoSeenAs: finding.alsoSeenAs?.map(move) }),
  });
  if (event.type === 'finding-reported') return { ...event, finding: move(event.finding) };
  if (event.type !== 'run-started') return event;
  const { contract } = event.run;
  const file = repositoryPath(contract.file);
  return { ...event, run: { ...event.run, contract: { ...contract, file } } };
}

/**
 * A reporter that writes nothing before the run is over: it keeps what the report needs, and writes
 * once. With `repositoryPath`, the files of the contract have their paths in the repository.
 */
export function atEnd(
  write: (record: RunRecord, summary: RunSummary) => string,
  { repositoryPath }: Pick<ReporterOptions, 'repositoryPath'> = {},
): (event: RunEvent) => string {
  const record = emptyRecord();
  return (event) => {
    switch (event.type) {
      case 'plan-made':
      case 'exchange-recorded':
        return '';
      case 'run-finished':
        return write(record, event.summary);
      default:
        keepEvent(record, placeInRepository(event, repositoryPath));
        return '';
    }
  };
}
