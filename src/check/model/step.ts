import type { Answer } from '../evidence/answer/read-answer.ts';
import type { Exchange } from './exchange.ts';
import type { Case } from './case.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Parameter } from '../../contract/model.ts';
/**
 * What a request carried, as values: by parameter, and the body where it was JSON, or a form that
 * reads as the same value again.
 */
export interface Sent {
  readonly arguments: ReadonlyMap<Parameter, JsonValue>;
  readonly body?: JsonValue;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent where it has
   * none.
   */
  readonly credential?: string;
}

/** A case that was sent, and what came of it. */
export interface Step {
  readonly case: Case;
  readonly sent: Sent;
  readonly exchange: Exchange;
  readonly answer: Answer;
}
