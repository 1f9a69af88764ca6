import type { ListShape, Operation, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere } from '../../../json/value.ts';
import { pathKey } from '../../../contract/infer/conventions/path-styles.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import { namedRecords } from '../../reading/shown-records.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';
import type { PathValues, RecordName } from '../../model/record.ts';
import type { Argument, BodyTemplate } from '../../model/request-template.ts';
import { type Step, hasSuccess } from '../../model/step.ts';
import { argumentsFor, bodyOf, type Draft, draftRequest, requestOf } from '../../plan/draft.ts';
import { plainIntent, type PlanContext } from '../../plan/plan-context.ts';
import { type Attempt, executeSequence, type Sender } from '../send/execute-sequence.ts';

export interface CensusTaking extends Pick<PlanContext, 'contract' | 'seed' | 'maySend'> {
  readonly sender: Sender;
  /** Whether an operation only reads. Default: none of those that use POST. */
  onlyReads?(operation: Operation): boolean;
  /** Whether to read the lists of a resource. Default: all. */
  readonly isWanted?: (resource: Resource) => boolean;
  /** Receives each response, to be checked. */
  readonly judge?: (sequence: Sequence, attempt: Attempt) => void;
}

/** The limits of a census: records per list, parent records per nested list, and requests. */
const most = { records: 200, parents: 5, requests: 60 } as const;

/**
 * Reads the lists of a target; nested lists for the first few parent records. Lists of one depth
 * are read in parallel, nested ones after those of their parents.
 */
export async function takeCensus(taking: CensusTaking, phase: Phase): Promise<Census> {
  const reader = new ListReader(taking, phase);
  const lists: CountedList[] = [];
  const byResource = new Map<Resource, CountedRecord[]>();
  const resources = taking.contract.resources.filter((resource) => isCountable(resource, taking));
  const layers = Map.groupBy(resources, ({ parents }) => parents.length);
  for (const [, layer] of [...layers].sort(([one], [other]) => one - other)) {
    const asked = layer.flatMap((resource) =>
      parentsOf(resource, byResource).map((parent) => ({ resource, parent })),
    );
    const read = await Promise.all(
      asked.map(({ resource, parent }) => reader.read(resource, parent)),
    );
    for (const [index, { resource }] of asked.entries()) {
      const { counted, attempts }: ReadList = read[index] ?? { attempts: [] };
      // In the order of the contract, whichever list came first.
      for (const { sequence, attempt } of attempts) taking.judge?.(sequence, attempt);
      if (counted === undefined) continue;
      lists.push(counted);
      byResource.set(resource, [...(byResource.get(resource) ?? []), ...counted.records.values()]);
    }
  }
  return { lists };
}

function isCountable(resource: Resource, taking: CensusTaking): boolean {
  const { maySend, isWanted = () => true } = taking;
  const list = listing(resource, taking);
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

/**
 * The operation that shows the records of a resource: its list, also one of names alone, or a POST
 * that searches them.
 */
function listing(resource: Resource, taking: CensusTaking): Operation | undefined {
  const { contract, onlyReads = () => false } = taking;
  const { collectionPath, operations } = resource;
  const list =
    operations.list ??
    contract.operations.find(({ method, path }) => method === 'GET' && path === collectionPath);
  if (list !== undefined) return list;
  const start = `${pathKey(collectionPath)}/`;
  return contract.operations.find((operation) => {
    const key = pathKey(operation.path);
    const isSearch = key.startsWith(start) && searchVerb.test(key.slice(start.length));
    return operation.method === 'POST' && isSearch && onlyReads(operation);
  });
}

/** The last segment of a POST that shows the records of a collection: `POST /things/filter`. */
const searchVerb = /^_?(filter|search|query|find|list)$/;

/** The parent records of a nested list; none for a top-level list. */
function parentsOf(
  resource: Resource,
  known: ReadonlyMap<Resource, readonly CountedRecord[]>,
): readonly (CountedRecord | undefined)[] {
  const parent = resource.parents.at(-1);
  if (parent === undefined) return [undefined];
  // A record beside the path does not show the others in it: `/links/{host}/{from}/{to}`.
  if (parent.resource?.parents.length !== resource.parents.length - 1) return [];
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

  /** The first pages of a list, if it can be read, and the responses to be judged. */
  async read(resource: Resource, parent: CountedRecord | undefined): Promise<ReadList> {
    const attempts: Judged[] = [];
    return { counted: await this.#count(resource, parent, attempts), attempts };
  }

  async #count(
    resource: Resource,
    parent: CountedRecord | undefined,
    attempts: Judged[],
  ): Promise<CountedList | undefined> {
    const list = listing(resource, this.#taking);
    const { contract, seed } = this.#taking;
    const drafted = list && draftRequest(contract, list, { seed });
    if (list === undefined || drafted?.ok !== true) return undefined;
    const above = parent === undefined ? [] : argumentsFor(drafted.draft, parent);
    if (above.length < drafted.draft.names.length) return undefined;
    const question = { draft: drafted.draft, above, attempts };
    const counted =
      list.method === 'GET'
        ? await this.#readPages(question, resource, parent)
        : await this.#search(question, resource, parent);
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
      const asked = pageArguments(resource, page, records.size);
      if (asked === undefined) break;
      const shown = await this.#ask({ ...question, asked: asked.arguments }, resource);
      if (shown === undefined) return page === 0 ? undefined : { records, isWhole };
      const sizeBefore = records.size;
      for (const record of shown) {
        const identifier = record[resource.identifier.field];
        if (!isIdentifier(identifier)) continue;
        const key = keyOfRecord(identifier);
        const other = records.get(key);
        // The entries of a log name a record and are not that record.
        if (other !== undefined && !equalJson(other.record, record))
          return { records: new Map(), isWhole: false };
        records.set(key, { resource, identifier, parents, record });
      }
      isWhole =
        shown.length === 0 ||
        (asked.size !== undefined ? shown.length < asked.size : !asked.isPaged);
      if (records.size === sizeBefore) break;
    }
    return { records, isWhole };
  }

  /** The first page of a search that leaves nothing out; undefined if it cannot be read. */
  async #search(
    { draft, above }: Omit<ListQuestion, 'asked'>,
    resource: Resource,
    parent: CountedRecord | undefined,
  ): Promise<Pick<CountedList, 'records' | 'isWhole'> | undefined> {
    const search = widestSearch(draft);
    if (search === undefined || this.#requests >= most.requests) return undefined;
    this.#requests += 1;
    const request = requestOf(draft, 'known', { extra: above, body: search.body });
    const { operation } = draft;
    const intent = plainIntent(draft);
    const title = 'list the records that are there';
    const probe = makeCase({ title, phase: this.#phase, operation, request, intent });
    const attempt = await executeSequence(makeSequence(probe), this.#taking.sender);
    const step = attempt.steps[0];
    if (step === undefined || !hasSuccess(step)) return undefined;
    const shown = searchedRecords(jsonOf(step.answer));
    const parents = parentValues(resource, parent);
    const records = new Map<string, CountedRecord>();
    for (const record of shown ?? []) {
      const identifier = record[resource.identifier.field];
      if (isIdentifier(identifier))
        records.set(keyOfRecord(identifier), { resource, identifier, parents, record });
    }
    return shown && { records, isWhole: search.size !== undefined && shown.length < search.size };
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
      ? namedRecords(resource, step.answer)
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
    const title = 'list the records that are there';
    const listCase = makeCase({
      title,
      phase: this.#phase,
      operation,
      request,
      intent,
      ...control,
    });
    const sequence = makeSequence(listCase);
    const attempt = await executeSequence(sequence, this.#taking.sender);
    question.attempts.push({ sequence, attempt });
    return attempt.steps[0];
  }
}

/** The members of a search that bound its page. */
const pageSizeName = /^(limit|size|page_?size|per_?page|max_?results)$/i;

/** The body of a search with only what it requires, and with the widest page that it allows. */
function widestSearch({
  body: drafted,
}: Draft): { readonly body: BodyTemplate; readonly size: number | undefined } | undefined {
  if (drafted?.schema === undefined || !isJsonObject(drafted.value)) return undefined;
  const { schema, value } = drafted;
  const { required, properties } = schema.flatten();
  const bare = membersWhere(value, (name) => required.has(name));
  const name = [...properties.keys()].find((each) => pageSizeName.test(each));
  const sizes = name === undefined ? [] : [most.records, 100, 50];
  for (const size of sizes) {
    const sized = { ...bare, [name ?? '']: size };
    if (schema.accepts(sized, 'request')) return { body: bodyOf(drafted, sized), size };
  }
  return schema.accepts(bare, 'request')
    ? { body: bodyOf(drafted, bare), size: undefined }
    : undefined;
}

/** The records in the answer to a search: an array, or the only array in an object. */
function searchedRecords(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  const arrays = isJsonObject(value) ? Object.values(value).filter(isJsonArray) : [];
  const [items] = isJsonArray(value) ? [value] : arrays.length === 1 ? arrays : [];
  return items?.filter(isJsonObject);
}

/** Of query parameters that name a record: the same one each time, so that lists compare. */
function sameRecords({ arguments: given }: Draft): Argument[] {
  return given.flatMap(({ parameter, source }) =>
    source.kind === 'known' && source.otherwise !== undefined
      ? [{ parameter, source: { kind: 'value', value: source.otherwise } as const }]
      : [],
  );
}

/** A request of a list, and what came of it. */
interface Judged {
  readonly sequence: Sequence;
  readonly attempt: Attempt;
}

/** A list that was asked for. */
interface ReadList {
  readonly counted?: CountedList | undefined;
  readonly attempts: readonly Judged[];
}

/** The request of a list: its parent records, and its page. */
interface ListQuestion {
  readonly attempts: Judged[];
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
function pageArguments({ list }: Resource, page: number, before: number): PageRequest | undefined {
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
