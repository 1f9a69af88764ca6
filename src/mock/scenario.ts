import type { JsonObject, JsonValue } from '../json/value.ts';

/** A scripted way for the mock to answer, as its YAML file says it. */
export interface Scenario {
  /** The file's name without its ending. */
  readonly name: string;
  readonly description: string;
  /** The mock's date (`YYYY-MM-DD`, or a timestamp) while the scenario is on. */
  readonly clock?: string;
  readonly rules: readonly ScenarioRule[];
}

export interface ScenarioRule {
  /** An operation's id, or `*` for all. */
  readonly operation: string;
  readonly match?: ScenarioMatch;
  /** In order; each is given `times` times, the last one for ever. */
  readonly answers: readonly ScenarioAnswer[];
}

/** Everything named must hold of the request; what is not named may be anything. */
export interface ScenarioMatch {
  readonly parameters?: { readonly [name: string]: JsonValue };
  readonly headers?: { readonly [name: string]: string };
  /** The request body holds these members. */
  readonly body?: JsonObject;
}

export interface ScenarioAnswer {
  /** The mock answers as it normally would. */
  readonly pass?: boolean;
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: JsonValue;
  /** Milliseconds to wait before the answer. */
  readonly delayMs: number;
  readonly times: number;
  /** The contract does not allow this answer, and that is meant. */
  readonly offContract: boolean;
}
