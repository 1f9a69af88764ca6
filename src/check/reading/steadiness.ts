import type { Contract, Operation } from '../../contract/model.ts';
import { asksToWait, headerValue, isRefusal, isSuccess } from '../../http/message.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { CheckInput, Flicker } from '../model/knowledge.ts';
import { type Answer, roleOf, type Step, isSafe, hasSuccess } from '../model/step.ts';
import { isLargeAnswer, jsonOf } from './read-answer.ts';
import type { ListPage } from './list-page.ts';
import { requestedRow } from './list-query.ts';
import { EmptiedLists, PassingShapes } from './passing-shapes.ts';
import { Recent } from './recent.ts';
import { listedRecords } from './shown-records.ts';

/** At most so many rows are compared: an unstable order shows in fewer. */
const maxRows = 500;
const longestRow = 1_000;

/**
 * Detects whether a server is consistent: which lists change their order from request to request,
 * and which requests are accepted at one time and refused at another.
 */
export class SteadinessGatherer {
  readonly #contract: Contract;
  readonly #rows = new Map<string, readonly string[]>();
  readonly #unordered = new Set<string>();
  readonly #flickers = new Map<string, { accepted: number; readonly refusals: number[] }>();
  readonly #shapes = new PassingShapes();
  readonly #emptied = new EmptiedLists();
  readonly #isReadOnly: boolean;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#isReadOnly = changesNothing(contract);
  }

  /** The ids of the lists in which the same records came in another order. */
  get unordered(): ReadonlySet<string> {
    return this.#unordered;
  }

  /** By request: `flickerKey`. */
  get flickers(): ReadonlyMap<string, Flicker> {
    return new Map(
      [...this.#flickers].map(([key, flicker]) => [
        key,
        { ...flicker, passing: this.#shapes.of(key), emptied: this.#emptied.of(key) },
      ]),
    );
  }

  /** Adds a step, in any order, with the page of the list in its response. */
  note(step: Step, page: ListPage | undefined): void {
    this.#noteOutcome(step);
    const identifiers = page?.identifiers;
    if (identifiers !== undefined && isPlainRead(step))
      this.#emptied.note(flickerKey(step), identifiers);
    if (page?.resource.list === undefined || identifiers === undefined || identifiers.length < 2)
      return;
    const { sort } = page.resource.list;
    // A record that was changed meanwhile may move to another place of the sorted list.
    if (sort !== undefined && step.sent.arguments.has(sort.by)) return;
    const { id } = step.case.operation;
    const key = `${id}\n${requestedRow(page.resource.list, step)}`;
    const before = this.#rows.get(key);
    if (before !== undefined && !sameOrder(before, page.places)) this.#unordered.add(id);
    const row = identifiers.slice(0, longestRow);
    if (before === undefined ? this.#rows.size < maxRows : before.length < row.length)
      this.#rows.set(key, row);
  }

  #noteOutcome(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined || asksToWait(response) || !isPlainRead(step)) return;
    this.#noteShape(step);
    if (!isSteadyRead(this.#contract, step)) return;
    const key = flickerKey(step);
    let flicker = this.#flickers.get(key);
    if (flicker === undefined) this.#flickers.set(key, (flicker = { accepted: 0, refusals: [] }));
    if (isSuccess(response.status)) flicker.accepted += 1;
    if (isRefusal(response.status)) flicker.refusals.push(response.status);
  }

  #noteShape(step: Step): void {
    const isJudged = this.#isReadOnly && hasSuccess(step);
    const value = isJudged && !isLargeAnswer(step.answer) ? jsonOf(step.answer) : undefined;
    if (value !== undefined) this.#shapes.note(flickerKey(step), value);
  }
}

/** Whether no operation of a contract changes anything: what it shows is changed elsewhere alone. */
export function changesNothing({ operations }: Contract): boolean {
  return operations.every(isSafe);
}

/** Whether a step is a valid read with the credential of the run. */
export function isPlainRead({
  case: { intent, request },
  exchange,
}: Pick<Step, 'case' | 'exchange'>): boolean {
  return (
    exchange.request.method === 'GET' && intent.kind === 'valid' && request.credential === 'given'
  );
}

/**
 * Whether a request should get the same result each time: a valid read that names no single record,
 * which another client might delete.
 */
export function isSteadyRead(contract: Contract, step: Pick<Step, 'case' | 'exchange'>): boolean {
  const { operation } = step.case;
  return (
    isPlainRead(step) &&
    (roleOf(contract, operation)?.action === 'list' ||
      operation.parameters.every(({ in: location }) => location !== 'path'))
  );
}

/**
 * A request as a text: the same for one that is repeated. The headers and cookies that the
 * operation declares belong to it, and so does `Accept`.
 */
export function flickerKey({
  case: { operation },
  exchange: { baseUrl, request },
}: Pick<Step, 'case' | 'exchange'>): string {
  const { headers, method, target } = request;
  const declared = operation.parameters.flatMap(({ in: location, name }) =>
    location === 'header' ? name : location === 'cookie' ? 'cookie' : [],
  );
  const fields = [...new Set(['accept', ...declared])].map((name) => headerValue(headers, name));
  return `${operation.id} ${baseUrl} ${method} ${target} ${fields.join(' ')}`;
}

/**
 * Whether the records that two lists share have the same order in both; `places` are those of the
 * other.
 */
function sameOrder(left: readonly string[], places: ReadonlyMap<string, number>): boolean {
  let last = 0;
  for (const identifier of left) {
    const place = places.get(identifier) ?? last;
    if (place < last) return false;
    last = place;
  }
  return true;
}

/**
 * The shape of a response without its values: of the part around the records, and of each record by
 * its identifier.
 */
export interface AnswerShape {
  readonly around: string;
  readonly records: ReadonlyMap<string, string>;
}

/**
 * Reads the shape of a successful response: names of fields and their types by JSON Pointer.
 * Records come and go, so each has its own shape.
 */
export function shapeOf({ contract }: Pick<CheckInput, 'contract'>, step: Step): AnswerShape {
  const { answer } = step;
  const { operation } = step.case;
  const before = known.get(answer);
  if (before?.operation === operation) return before.shape;
  return known.set(answer, { operation, shape: readShape(contract, step) }).shape;
}

// Each response of a sequence is compared with all before it.
const known = new Recent<Answer, { readonly operation: Operation; readonly shape: AnswerShape }>(
  isLargeAnswer,
);

function readShape(contract: Contract, step: Step): AnswerShape {
  const role = roleOf(contract, step.case.operation);
  const body = jsonOf(step.answer);
  const type = parseMediaType(step.answer.mediaType ?? '')?.essence ?? step.answer.kind;
  const resource = role?.action === 'list' ? role.resource : undefined;
  const records = resource === undefined ? undefined : listedRecords(resource, step.answer);
  const at = resource?.list?.records;
  const around =
    records === undefined || at === undefined ? body : withoutRecords(body, splitPointer(at));
  const named = (records ?? []).map(
    (record) =>
      [
        String(record[resource?.identifier.field ?? '']),
        describeFields(record).join('\n'),
      ] as const,
  );
  return {
    around: [type, ...(around === undefined ? [step.answer.kind] : describeFields(around))].join(
      '\n',
    ),
    records: new Map(named),
  };
}

/** The part around the records, with an empty list in their place. */
function withoutRecords(body: JsonValue | undefined, at: readonly string[]): JsonValue | undefined {
  const [name, ...deeper] = at;
  if (name === undefined) return [];
  if (!isJsonObject(body)) return body;
  return { ...body, [name]: withoutRecords(body[name], deeper) ?? null };
}

/**
 * Each field with its type, one a line: `/owner/name string`. The items of a list are described
 * once.
 */
export function describeFields(value: JsonValue): string[] {
  return [...new Set(walk(value, ''))].sort();
}

function walk(value: JsonValue, at: Pointer): string[] {
  // Array.isArray does not narrow a readonly array out of a union.
  if (Array.isArray(value))
    return [
      `${at} array`,
      ...(value as readonly JsonValue[]).flatMap((item) => walk(item, joinPointer(at, '*'))),
    ];
  if (!isJsonObject(value))
    return [
      `${at} ${value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value}`,
    ];
  return [
    `${at} object`,
    ...Object.entries(value).flatMap(([name, member]) => walk(member, joinPointer(at, name))),
  ];
}
