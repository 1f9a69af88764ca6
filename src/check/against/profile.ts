import { typeOf } from '../../json/json-type.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { jsonOf, readAnswer } from '../reading/read-answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** The result of one case on one deployment. */
export interface CaseOutcome {
  readonly operation: string;
  readonly title: string;
  /** The request line: `GET /v1/things?limit=2`. */
  readonly request: string;
  /** The status, or the fault if there was no response. */
  readonly outcome: string;
  readonly answered: boolean;
}

/** The common properties of an operation's responses with one status. */
export interface AnswerProfile {
  answers: number;
  /** The number of responses per media type, without parameters; `none` for no body. */
  readonly mediaTypes: Map<string, number>;
  /** The number of responses per header, by its name in lower case. */
  readonly headers: Map<string, number>;
  readonly shape: Shape;
}

/**
 * The observed behaviour of a deployment: its size is bounded by the contract, not by the traffic.
 */
export class TargetProfile {
  readonly cases = new Map<string, CaseOutcome>();
  /** By operation, then by status. */
  readonly answers = new Map<string, Map<number, AnswerProfile>>();

  /** Whether there was any response. */
  get hasAnswers(): boolean {
    return this.answers.size > 0;
  }

  /** Adds an exchange; of a repeated case the last one counts. */
  add(
    testCase: { readonly id: string; readonly title: string; readonly operation: string },
    { request, response, fault }: Exchange,
  ): void {
    const { id, title, operation } = testCase;
    const outcome = response === undefined ? (fault?.kind ?? 'nothing') : String(response.status);
    this.cases.set(id, {
      operation,
      title,
      request: `${request.method} ${request.target}`,
      outcome,
      answered: response !== undefined,
    });
    // A response to HEAD has no body, unlike the one to GET.
    if (response === undefined || request.method === 'HEAD') return;
    const profile = this.#answersOf(operation, response.status);
    const answer = readAnswer(response);
    profile.answers += 1;
    increase(
      profile.mediaTypes,
      answer.kind === 'empty'
        ? 'none'
        : (parseMediaType(answer.mediaType ?? '')?.essence ?? 'unknown'),
    );
    for (const name of new Set(response.headers.map(([header]) => header.toLowerCase())))
      increase(profile.headers, name);
    const value = jsonOf(answer);
    if (value !== undefined) addToShape(profile.shape, value);
  }

  #answersOf(operation: string, status: number): AnswerProfile {
    const byStatus = this.answers.get(operation) ?? new Map<number, AnswerProfile>();
    const profile = byStatus.get(status) ?? {
      answers: 0,
      mediaTypes: new Map(),
      headers: new Map(),
      shape: new Map(),
    };
    this.answers.set(operation, byStatus.set(status, profile));
    return profile;
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The observed values at one place of many bodies. */
export interface ShapePlace {
  /** `string`, `integer`, `number`, `boolean`, `null`, `object`, `array`. */
  readonly types: Set<string>;
  /** Words that look like those of an enum, up to a limit. */
  readonly words: Set<string>;
  /** The number of times that the place occurred. */
  seen: number;
}

/** The places of bodies by JSON pointer; all items of a list are at `*`. */
type Shape = Map<string, ShapePlace>;

const maxSpots = 2_000;
const maxDepth = 12;
/** One more than a usual enum has: a larger set is not an enum. */
export const maxWords = 12;

/** Adds a body to a shape. Maps with very many names are truncated. */
function addToShape(shape: Shape, value: JsonValue, at = '', depth = 0): void {
  const spot =
    shape.get(at) ??
    (shape.size < maxSpots
      ? { types: new Set<string>(), words: new Set<string>(), seen: 0 }
      : undefined);
  if (spot === undefined || depth > maxDepth) return;
  shape.set(at, spot);
  spot.seen += 1;
  spot.types.add(typeOf(value));
  if (typeof value === 'string' && spot.words.size <= maxWords) spot.words.add(value);
  if (isJsonArray(value)) for (const item of value) addToShape(shape, item, `${at}/*`, depth + 1);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value))
      addToShape(shape, member, `${at}/${escape(name)}`, depth + 1);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The parent of a place: `/items/*` for `/items/*\/price`. */
export function parentOf(at: string): string {
  return at.slice(0, at.lastIndexOf('/'));
}
