import type { Contract, ListShape, Operation, Resource } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isIdentifier } from '../evidence/record/created-record.ts';
import { listedRecords } from '../evidence/record/shown-records.ts';
import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { PathValues, RecordName } from '../model/record.ts';
import type { Argument } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';
import { argumentsFor, type Draft, draftRequest, requestOf } from '../plan/draft.ts';
import { plainIntent } from '../plan/plan-context.ts';
import { type Attempt, executeSequence, type Sender } from '../run/execute-sequence.ts';

/** The dependencies of a census. */
export interface CensusTaking {
  readonly contract: Contract;
  readonly seed: string;
  readonly sender: Sender;
  /** Whether the run may send an operation. */
  maySend(operation: Operation): boolean;
  /** Whether to read the lists of a resource. Default: all. */
  readonly isWanted?: (resource: Resource) => boolean;
  /** Receives each response, to be checked. */
  readonly judge?: (sequence: Sequence, attempt: Attempt) => void;
}

/** The limits of a census: records per list, parent records per nested list, and requests. */
const most = { records: 200, parents: 5, requests: 60 } as const;

/** Reads the lists of a target; nested lists for the first few parent records. */
export async function takeCensus(taking: CensusTaking, phase: Phase): Promise<Census> {
  const reader = new ListReader(taking, phase);
  const lists: CountedList[] = [];
  const byResource = new Map<Resource, CountedRecord[]>();
  const resources = taking.contract.resources.filter((resource) => isCountable(resource, taking));
  // Nested records are read after their parents.
  for (const resource of resources.toSorted(
    (one, other) => one.parents.length - other.parents.length,
  )) {
    for (const parent of parentsOf(resource, byResource)) {
      const counted = await reader.read(resource, parent);
      if (counted === undefined) continue;
      lists.push(counted);
      byResource.set(resource, [...(byResource.get(resource) ?? []), ...counted.records.values()]);
    }
  }
  return { lists };
}

function isCountable(
  resource: Resource,
  { maySend, isWanted = () => true }: CensusTaking,
): boolean {
  const { list } = resource.operations;
  // Two views of one set show the same records.
  const isOther = resource.collection !== resource.name && resource.parents.length > 0;
  return (
    list !== undefined &&
    resource.kind === 'collection' &&
    !isOther &&
    isWanted(resource) &&
    maySend(list)
  );
}

/** The parent records of a nested list; none for a top-level list. */
function parentsOf(
  resource: Resource,
  known: ReadonlyMap<Resource, readonly CountedRecord[]>,
): readonly (CountedRecord | undefined)[] {
  const parent = resource.parents.at(-1);
  if (parent === undefined) return [undefined];
  if (parent.resource === undefined) return [];
  return (known.get(parent.resource) ?? []).slice(0, most.parents);
}

class ListReader {
  readonly #taking: CensusTaking;
  readonly #phase: Phase;
  #requests = 0;

  constructor(taking: CensusTaking, phase: Phase) {
    this.#taking = taking;
    this.#phase = phase;
  }

  /** The first pages of a list; undefined if it cannot be read. */
  async read(
    resource: Resource,
    parent: CountedRecord | undefined,
  ): Promise<CountedList | undefined> {
    const { list } = resource.operations;
    const { contract, seed } = this.#taking;
    const drafted = list && draftRequest(contract, list, { seed });
    if (list === undefined || drafted?.ok !== true) return undefined;
    const above = parent === undefined ? [] : argumentsFor(drafted.draft, parent);
    if (above.length < drafted.draft.names.length) return undefined;
    const counted = await this.#readPages({ draft: drafted.draft, above }, resource, parent);
    return counted && listOf(list, parent, counted);
  }

  async #readPages(
    question: Omit<ListQuestion, 'asked'>,
    resource: Resource,
    parent: CountedRecord | undefined,
  ): Promise<Pick<CountedList, 'records' | 'isWhole'> | undefined> {
    const records = new Map<string, CountedRecord>();
    const parents = parentValues(resource, parent);
    let isWhole = false;
    for (let page = 0; records.size < most.records && !isWhole; page += 1) {
      const asked = pageArguments(resource, { page, before: records.size });
      if (asked === undefined) break;
      const shown = await this.#ask({ ...question, asked: asked.arguments }, resource);
      if (shown === undefined) return page === 0 ? undefined : { records, isWhole };
      const sizeBefore = records.size;
      for (const record of shown) {
        const identifier = record[resource.identifier.field];
        if (!isIdentifier(identifier)) continue;
        records.set(keyOfRecord(identifier), { resource, identifier, parents, record });
      }
      isWhole =
        shown.length === 0 ||
        (asked.size !== undefined ? shown.length < asked.size : !asked.isPaged);
      if (records.size === sizeBefore) break;
    }
    return { records, isWhole };
  }

  async #ask(
    question: ListQuestion,
    resource: Resource,
  ): Promise<readonly JsonObject[] | undefined> {
    if (this.#requests >= most.requests) return undefined;
    this.#requests += 1;
    const step = await this.#send(question);
    const status = step?.exchange.response?.status ?? 0;
    return step !== undefined && isSuccess(status)
      ? listedRecords(resource, step.answer)
      : undefined;
  }

  async #send(question: ListQuestion): Promise<Step | undefined> {
    const { draft, asked } = question;
    const { operation } = draft;
    const above = [...question.above, ...sameRecords(draft)];
    const request = requestOf(draft, 'known', { extra: [...above, ...asked] });
    const plain = plainIntent(draft);
    const [first] = asked;
    const intent =
      first === undefined || plain.kind !== 'valid'
        ? plain
        : { ...plain, at: first.parameter.pointer };
    const control =
      first === undefined ? {} : { control: requestOf(draft, 'known', { extra: above }) };
    const title = 'which records there are';
    const listCase = makeCase({
      title,
      phase: this.#phase,
      operation,
      request,
      intent,
      ...control,
    });
    const { sender, judge } = this.#taking;
    const sequence = makeSequence(listCase);
    const attempt = await executeSequence(sequence, sender);
    judge?.(sequence, attempt);
    return attempt.steps[0];
  }
}

/** Of query parameters that name a record: the same one each time, so that lists compare. */
function sameRecords({ arguments: given }: Draft): Argument[] {
  return given.flatMap(({ parameter, source }) =>
    source.kind === 'known' && source.otherwise !== undefined
      ? [{ parameter, source: { kind: 'value', value: source.otherwise } as const }]
      : [],
  );
}

/** The request of a list: its parent records, and its page. */
interface ListQuestion {
  readonly draft: Draft;
  readonly above: readonly Argument[];
  readonly asked: readonly Argument[];
}

function listOf(
  list: Operation,
  parent: CountedRecord | undefined,
  counted: Pick<CountedList, 'records' | 'isWhole'>,
): CountedList {
  const above = parent === undefined ? [] : [...parent.parents.values(), parent.identifier];
  return { key: [list.id, ...above.map(String)].join(' '), ...counted };
}

/** The path values of the parent records, by segment. */
function parentValues(resource: Resource, parent: CountedRecord | undefined): PathValues {
  const last = resource.parents.at(-1);
  if (parent === undefined || last === undefined) return new Map();
  return new Map([...parent.parents, [last.segment, parent.identifier]]);
}

interface PageRequest {
  readonly arguments: readonly Argument[];
  /** The requested number of records, if known. */
  readonly size: number | undefined;
  readonly isPaged: boolean;
}

/** The arguments for a page, counted from 0; undefined if the contract documents no paging. */
function pageArguments(
  { list }: Resource,
  { page, before }: { readonly page: number; readonly before: number },
): PageRequest | undefined {
  const { limit, paging = [], links = false } = list ?? {};
  const { size, widest } =
    limit === undefined ? { size: undefined, widest: [] } : widestPage(limit);
  const isPaged = limit !== undefined || paging.length > 0 || links;
  if (page === 0) return { arguments: widest, size, isPaged };
  const way = paging.find(({ kind }) => kind !== 'cursor');
  if (way === undefined) return undefined;
  const value = way.first + (way.kind === 'page' ? page : before);
  const turn: Argument = { parameter: way.parameter, source: { kind: 'value', value } };
  return { arguments: [...widest, turn], size, isPaged };
}

/** The page size, and its argument; without an argument it is the contract's default. */
function widestPage({ parameter, maximum, default: usual }: NonNullable<ListShape['limit']>): {
  readonly size: number;
  readonly widest: readonly Argument[];
} {
  const size = Math.min(maximum ?? usual ?? most.records, most.records);
  const isAsked = maximum !== undefined || usual === undefined;
  return { size, widest: isAsked ? [{ parameter, source: { kind: 'value', value: size } }] : [] };
}

/** A record of the target in a list. */
export interface CountedRecord extends RecordName {
  readonly record: JsonObject;
}

/** The first pages of one list, up to a limit. */
export interface CountedList {
  /** The id of the list's operation with its path values: equal lists have equal keys. */
  readonly key: string;
  readonly records: ReadonlyMap<string, CountedRecord>;
  /** Whether the list was read to its end. */
  readonly isWhole: boolean;
}

/** The records of a target at one moment, as far as its lists show them. */
export interface Census {
  readonly lists: readonly CountedList[];
}

/** The key of a record within a list. */
function keyOfRecord(identifier: JsonValue): string {
  return String(identifier);
}
