import { wordsIn } from '../../words-in.ts';
import { type Contract, methods } from '../../contract/model.ts';
import { suggestWord, usage } from '../../errors.ts';
import { defined, isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { checkSession, type Fields } from '../control/fields.ts';

/** Conditions of an exchange. All given conditions must hold. `Id`: the ids of the operations. */
export interface ExchangePattern<Id extends string = string> {
  /** The id of the operation that answered. */
  readonly operation?: Id;
  readonly method?: string;
  /** The whole path with the base path; `*` or `{anything}` matches one segment. */
  readonly path?: string;
  readonly session?: string;
  /** A status, or a class such as `4XX`. */
  readonly status?: number | string;
  /** Query parameters by name, as texts; a list requires each of its values. */
  readonly query?: JsonObject;
  /** Request headers by name. */
  readonly headers?: JsonObject;
  /**
   * Members of the request body; of lists, every item. A text is compared with a body that is not
   * JSON.
   */
  readonly body?: JsonValue;
  /** Only exchanges after this entry id, or since this time (RFC 3339). */
  readonly since?: number | string;
}

/** The claim that matching exchanges happened. Without a number: at least once. */
export interface Claim<Id extends string = string> extends ExchangePattern<Id> {
  readonly count?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** The conditions of an exchange, in the order of evaluation. */
const conditionNames = wordsIn(
  'operation method path session status query headers body since',
) satisfies readonly (keyof ExchangePattern)[];
/** The members of a claim that select exchanges. */
export type ConditionName = (typeof conditionNames)[number];

/** The allowed members of a claim. */
export const claimNames = [
  ...conditionNames,
  'count',
  'atLeast',
  'atMost',
] as const satisfies readonly (keyof Claim)[];

type Operations = Pick<Contract, 'operations'>;

/**
 * Reads the claim of a client. Throws `usage` for conditions that no exchange of this contract can
 * meet.
 */
export function readClaim(fields: Fields, contract: Operations): Claim {
  const counts = {
    count: fields.count('count'),
    atLeast: fields.count('atLeast'),
    atMost: fields.count('atMost'),
  };
  if (counts.count !== undefined && (counts.atLeast ?? counts.atMost) !== undefined)
    throw usage('count goes with neither atLeast nor atMost.', {
      hint: 'Say how often exactly, or within which bounds.',
    });
  if ((counts.atLeast ?? 0) > (counts.atMost ?? Infinity))
    throw usage(
      `No number is at least ${String(counts.atLeast)} and at most ${String(counts.atMost)}.`,
    );
  const pattern = {
    operation: fields.text('operation'),
    method: fields.text('method'),
    path: fields.text('path'),
    session: fields.text('session'),
    status: fields.value('status'),
    query: fields.object('query'),
    headers: fields.object('headers'),
    body: fields.value('body'),
    since: fields.value('since'),
  };
  return defined({ ...checkPattern(pattern, contract), ...counts });
}

/**
 * Reads filters from a query, where all values are texts. Throws `usage` for conditions that no
 * exchange of this contract can meet.
 */
export function readPattern(
  filters: Readonly<Record<string, string>>,
  contract: Operations,
): ExchangePattern {
  const { since, ...rest } = filters;
  const written = since !== undefined && /^\d{1,15}$/.test(since) ? Number(since) : since;
  return defined(checkPattern({ ...rest, since: written }, contract));
}

/** A pattern with checked types but unchecked values. */
interface WrittenPattern {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly session?: string | undefined;
  readonly status?: JsonValue | undefined;
  readonly query?: JsonObject | undefined;
  readonly headers?: JsonObject | undefined;
  readonly body?: JsonValue | undefined;
  readonly since?: JsonValue | undefined;
}

function checkPattern(written: WrittenPattern, contract: Operations) {
  const { operation, method, path, session, query, headers, body } = written;
  checkWord(
    'operation',
    operation,
    contract.operations.map(({ id }) => id),
  );
  checkWord('method', method?.toUpperCase(), [
    ...new Set([...methods, ...contract.operations.map((each) => each.method.toUpperCase())]),
  ]);
  if (path !== undefined && !path.startsWith('/'))
    throw usage('path must begin with /.', {
      hint: 'Write the whole path, with the base path: /v1/things/{id}.',
    });
  if (session !== undefined) checkSession(session);
  checkTexts('query', query);
  checkTexts('headers', headers);
  return {
    operation,
    method,
    path,
    session,
    status: readStatus(written.status),
    query,
    headers,
    body,
    since: readSince(written.since),
  };
}

function checkWord(name: string, word: string | undefined, known: readonly string[]): void {
  if (word !== undefined && !known.includes(word))
    throw usage(`The contract has no ${name} ${word.slice(0, 80)}.`, {
      hint: suggestWord(word, known),
    });
}

function checkTexts(name: string, values: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(values ?? {})) {
    const parts = isJsonArray(value) ? value : [value];
    if (parts.some((part) => part === null || typeof part === 'object'))
      throw usage(`${name}.${key} must be a text, or a list of texts.`);
  }
}

function readStatus(value: JsonValue | undefined): string | undefined {
  if (
    value === undefined ||
    (typeof value !== 'object' && /^([1-9]\d\d|[1-9]XX)$/i.test(String(value)))
  )
    return value?.toString();
  throw usage('status must be a status such as 404, or a class of them such as 4XX.');
}

function readSince(value: JsonValue | undefined): number | string | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0))
    return value;
  if (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
    return value;
  throw usage('since must be the id of an exchange, or a moment such as 2030-12-06T08:00:00Z.');
}
