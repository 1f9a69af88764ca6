import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';

/**
 * A finding's requests as plain JSON, so that they can be read from a report and replayed. Values
 * are JSON text, which keeps every digit.
 */
export interface ReplayForm {
  readonly version: 1;
  readonly check: string;
  /** Place and cause: what the same check has to report for the last step again. */
  readonly at: Pointer;
  readonly cause: string;
  /** The run's mark in the texts of bodies; replaced, because servers may require unique texts. */
  readonly mark: string;
  /** The status of the last response, if there was one. */
  readonly status?: number;
  /** The hash of the contract, by `hashContract`. */
  readonly contract: string;
  /** Whether these requests show it by themselves; otherwise only a whole run can. */
  readonly alone: boolean;
  /** How many attempts must not show it before it counts as fixed: several if it is flaky. */
  readonly times: number;
  readonly concurrent?: true;
  readonly steps: readonly ReplayStep[];
}

/** One request of a replay. */
export interface ReplayStep {
  /** The operation's id. */
  readonly operation: string;
  readonly title: string;
  readonly phase: string;
  readonly intent: JsonObject;
  readonly request: ReplayRequest;
  /** The nearest request with another expected outcome. */
  readonly control?: ReplayRequest;
}

/** A request: arguments by name and place, and the body as base64 or JSON text. */
export interface ReplayRequest {
  readonly arguments: readonly {
    readonly name: string;
    readonly in: string;
    readonly source: JsonObject;
  }[];
  readonly body?: JsonObject;
  readonly credential: string;
  /** The method, if it is not that of the operation. */
  readonly method?: string;
  readonly headers?: readonly (readonly string[])[];
  /** The operation id of the create whose `Location` is requested instead of the path. */
  readonly locatedBy?: string;
}
