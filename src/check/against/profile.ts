import { parseMediaType } from '../../http/media-type.ts';
import { jsonOf, readAnswer } from '../evidence/answer/read-answer.ts';
import type { Exchange } from '../model/exchange.ts';
import { addToShape, type Shape } from './shape.ts';

/** What one deployment did with one case. */
export interface CaseOutcome {
  readonly operation: string;
  readonly title: string;
  /** The request line: `GET /v1/things?limit=2`. */
  readonly request: string;
  /** The status, or the fault where no answer came. */
  readonly outcome: string;
  readonly answered: boolean;
}

/** What the answers of one operation with one status have in common. */
export interface AnswerProfile {
  answers: number;
  /** How often each media type came, without parameters; `none` for no body. */
  readonly mediaTypes: Map<string, number>;
  /** How many answers had each header, by its name in lower case. */
  readonly headers: Map<string, number>;
  readonly shape: Shape;
}

/**
 * What a deployment was seen to do: bounded by the contract's size, not by the number of exchanges'
 * bytes.
 */
export class Profile {
  readonly cases = new Map<string, CaseOutcome>();
  /** By operation, then by status. */
  readonly answers = new Map<string, Map<number, AnswerProfile>>();

  /** Whether anything was answered at all. */
  get hasAnswers(): boolean {
    return this.answers.size > 0;
  }

  /** Takes in an exchange; of a case that was sent several times the last one counts. */
  add(
    tried: { readonly id: string; readonly title: string; readonly operation: string },
    { request, response, fault }: Exchange,
  ): void {
    const { id, title, operation } = tried;
    const outcome = response === undefined ? (fault?.kind ?? 'nothing') : String(response.status);
    this.cases.set(id, {
      operation,
      title,
      request: `${request.method} ${request.target}`,
      outcome,
      answered: response !== undefined,
    });
    // An answer to HEAD has no body, whatever it would hold.
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
