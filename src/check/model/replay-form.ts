import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';

/**
 * A finding's requests as plain JSON, so that a report can be read back, sent and judged again.
 * Values stand in it as JSON text, digit for digit.
 */
export interface ReplayForm {
  readonly version: 1;
  readonly check: string;
  /** Place and cause: what the same check has to say of the last step again. */
  readonly at: Pointer;
  readonly cause: string;
  /**
   * The run's mark in the texts of bodies: another one takes its place, so that a server may keep
   * its texts unique.
   */
  readonly mark: string;
  /** The status that the last request was answered with, where it was. */
  readonly status?: number;
  /** Stands for the contract that was checked against, as `hashContract` gives it. */
  readonly contract: string;
  /** Whether these requests show it by themselves; where they do not, only a whole run can. */
  readonly alone: boolean;
  /**
   * How often it has to stay away before it counts as gone: more than once where it came only now
   * and then.
   */
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
  /** The nearest request that must fare otherwise. */
  readonly control?: ReplayRequest;
}

/**
 * What a request carries: arguments by name and place, and the body with its bytes in base64 or its
 * value as JSON text.
 */
export interface ReplayRequest {
  readonly arguments: readonly {
    readonly name: string;
    readonly in: string;
    readonly source: JsonObject;
  }[];
  readonly body?: JsonObject;
  readonly credential: string;
  /** Another method than the operation's. */
  readonly method?: string;
  readonly headers?: readonly (readonly string[])[];
  /**
   * The create, by its operation's id, whose `Location` is asked in the place of the operation's
   * path.
   */
  readonly locatedBy?: string;
}
