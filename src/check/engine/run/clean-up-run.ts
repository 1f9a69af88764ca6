import type { Operation, Resource } from '../../../contract/model.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { baseUrlOf } from '../../model/base-url.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { bearsMark } from '../../reading/without-others.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { makeSequence } from '../../model/case.ts';
import type { CreatedRecord } from '../../model/record.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Step, hasSuccess } from '../../model/step.ts';
import { argumentsFor, draftRequest } from '../../plan/draft.ts';
import { draftCase } from '../../plan/plan-context.ts';
import { deleteRecord } from './cleanup.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import { openRun } from './open-run.ts';
import { type CheckOptions, resolveSettings, type Settings } from '../settings.ts';
import type { NotedRecord } from '../cleanup/cleanup-ledger.ts';

/** What a finished run may have left. */
export interface LeftRun {
  /** The id of the run, which the texts of its records contain. */
  readonly mark: string;
  readonly records: readonly NotedRecord[];
  /**
   * Whether some requests had no response, or the run was aborted: then the lists are searched for
   * its mark.
   */
  readonly uncertain: boolean;
  /**
   * Requests without the mark that got no response, `POST http://…/things`, each once: their effect
   * is unknown.
   */
  readonly unanswered: readonly string[];
  /** Accepted requests whose responses did not show the created record, each once. */
  readonly unidentified: readonly string[];
}

/** The result for one record. The reason is a clause. */
export interface CleanedRecord {
  readonly record: string;
  readonly outcome: 'deleted' | 'gone' | 'left';
  readonly reason: string;
  /** Set if the target refused the credential. */
  readonly code?: 'delete-unauthorised' | undefined;
}

/**
 * Deletes what a run left: the records that it is known to have created, and, if its end is
 * unknown, every record with its mark. A record without its mark belongs to another client, and
 * stays.
 */
export async function cleanUpRun(left: LeftRun, options: CheckOptions): Promise<CleanedRecord[]> {
  const run = openRun(resolveSettings(options));
  const never = new AbortController().signal;
  const cleaning: Cleaning = {
    settings: run.settings,
    sender: {
      ...run.sender,
      signals: { stop: never, cut: never },
      spend: () => undefined,
      isPointless: () => undefined,
    },
    mark: left.mark,
  };
  try {
    const cleaned: CleanedRecord[] = [];
    for (const noted of left.records.toReversed()) cleaned.push(await cleanNoted(noted, cleaning));
    if (left.uncertain)
      for (const resource of run.settings.contract.resources)
        cleaned.push(...(await cleanMarked(resource, cleaning)));
    return cleaned;
  } finally {
    await run.close();
  }
}

interface Cleaning {
  readonly settings: Settings;
  readonly sender: Sender;
  readonly mark: string;
}

async function cleanNoted(noted: NotedRecord, cleaning: Cleaning): Promise<CleanedRecord> {
  const { contract } = cleaning.settings;
  const resource = contract.resources.find(({ name }) => name === noted.resource);
  const identifier = valueOf(noted.identifier);
  if (resource === undefined || identifier === undefined)
    return {
      record: `${noted.resource} ${noted.identifier}`,
      outcome: 'left',
      reason: `the contract no longer has ${noted.resource}`,
    };
  const parents = new Map(
    noted.parents.flatMap(([segment, json]): [number, JsonValue][] => [
      [segment, valueOf(json) ?? json],
    ]),
  );
  const record: CreatedRecord = { resource, identifier, parents };
  cleaning.sender.memory.adopt(record);
  const seen = await readBack(record, cleaning);
  const status = seen?.exchange.response?.status;
  if (status === 404 || status === 410) {
    // A record that cannot be read may still exist, and many servers confirm the deletion of a
    // record that they do not have.
    const removed = noted.marked ? undefined : await remove(record, cleaning);
    return removed?.outcome === 'left' ? removed : { record: nameOf(record), ...gone };
  }
  if (noted.marked && seen !== undefined && isUnmarked(seen, cleaning.mark)) {
    return {
      record: nameOf(record),
      outcome: 'left',
      reason: `it does not bear the mark ${cleaning.mark} any more, so it may be somebody else's`,
    };
  }
  return remove(record, cleaning);
}

/** Whether a read shows the record without the mark of the run. */
function isUnmarked({ exchange, answer }: Step, mark: string): boolean {
  return hasSuccess({ exchange }) && !stringifyJson(jsonOf(answer) ?? '').includes(mark);
}

function valueOf(json: string): JsonValue | undefined {
  const reading = parseJson(json);
  return reading.ok ? reading.value : undefined;
}

function nameOf({ resource, identifier }: CreatedRecord): string {
  return `${resource.name} ${String(identifier)}`;
}

async function remove(
  record: CreatedRecord,
  { settings, sender }: Cleaning,
): Promise<CleanedRecord> {
  const { contract, seed } = settings;
  const operation = record.resource.operations.delete;
  if (operation === undefined)
    return {
      record: nameOf(record),
      outcome: 'left',
      reason: 'the contract has no operation that deletes it',
    };
  const obstacle = whyNot(operation, settings);
  if (obstacle !== undefined) return { record: nameOf(record), outcome: 'left', reason: obstacle };
  const deletion = await deleteRecord(draftRequest(contract, operation, { seed }), record, sender);
  if (deletion.outcome === 'left')
    return {
      record: nameOf(record),
      outcome: 'left',
      reason: deletion.reason,
      code: deletion.code,
    };
  return {
    record: nameOf(record),
    outcome: deletion.outcome,
    reason: deletion.outcome === 'gone' ? gone.reason : 'it was deleted',
  };
}

const gone = { outcome: 'gone', reason: 'it no longer exists' } as const;

function whyNot(operation: Operation, settings: Settings): string | undefined {
  const base = baseUrlOf(settings, operation);
  return base.ok ? undefined : base.reason;
}

async function readBack(record: CreatedRecord, cleaning: Cleaning): Promise<Step | undefined> {
  const { read } = record.resource.operations;
  return read === undefined ? undefined : ask(read, cleaning, record);
}

async function ask(
  operation: Operation,
  { settings, sender }: Cleaning,
  record?: CreatedRecord,
  extra: readonly Argument[] = [],
): Promise<Step | undefined> {
  const drafted = draftRequest(settings.contract, operation, { seed: settings.seed });
  if (!drafted.ok || !baseUrlOf(settings, operation).ok) return undefined;
  const { draft } = drafted;
  const testCase = draftCase(draft, {
    title: 'what the run left is looked for',
    phase: 'cleanup',
    record: 'known',
    extra: [...(record === undefined ? [] : argumentsFor(draft, record)), ...extra],
  });
  return (await executeSequence(makeSequence(testCase), sender)).steps[0];
}

/**
 * Searches a list for records with the run's mark, page by page as far as the contract documents
 * paging.
 */
async function cleanMarked(resource: Resource, cleaning: Cleaning): Promise<CleanedRecord[]> {
  const { list, create } = resource.operations;
  if (list === undefined || create === undefined || resource.kind === 'singleton') return [];
  const { field } = resource.identifier;
  const marked = (await allRecords(list, resource, cleaning)).filter((record) =>
    bearsMark(record, cleaning.mark),
  );
  const cleaned: CleanedRecord[] = [];
  for (const identifier of new Set(
    marked.map((record) => record[field]).filter((value) => value !== undefined && value !== null),
  )) {
    const record: CreatedRecord = { resource, identifier, parents: new Map() };
    // The record contains the mark of the run, so the run created it.
    cleaning.sender.memory.adopt(record);
    cleaned.push(await remove(record, cleaning));
  }
  return cleaned;
}

const maxPages = 100;

async function allRecords(
  list: Operation,
  resource: Resource,
  cleaning: Cleaning,
): Promise<JsonObject[]> {
  const { limit, paging = [] } = resource.list ?? {};
  const widest: Argument[] =
    limit?.maximum === undefined
      ? []
      : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  const way = paging.find(({ kind }) => kind !== 'cursor');
  const found: JsonObject[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const at =
      way === undefined ? undefined : way.first + (way.kind === 'page' ? page : found.length);
    const turn: Argument[] =
      way === undefined || at === undefined
        ? []
        : [{ parameter: way.parameter, source: { kind: 'value', value: at } }];
    const step = await ask(list, cleaning, undefined, [...widest, ...turn]);
    const records = step === undefined ? [] : (listedRecords(resource, step.answer) ?? []);
    found.push(...records);
    if (records.length === 0 || way === undefined) return found;
  }
  return found;
}
