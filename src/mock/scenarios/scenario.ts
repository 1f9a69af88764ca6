import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import type { Delay } from './delay.ts';
import type { PointFault } from './parse/read-members.ts';

/** A scripted way for the mock to answer, as its YAML file says it. */
export interface Scenario {
  /** The file's name without its ending. */
  readonly name: string;
  readonly description: string;
  /** The mock's date (`YYYY-MM-DD`, or a timestamp) while the scenario is on. */
  readonly clock?: string;
  /** Records by resource that requests under the scenario start from. */
  readonly state?: { readonly [resource: string]: ScenarioRecords };
  readonly rules: readonly ScenarioRule[];
  /** Makes the error for a place in the file that it was read from. */
  readonly fault?: PointFault;
}

/** Records of one resource: in the place of the fixtures, or beside them. */
export interface ScenarioRecords {
  readonly kind: 'replace' | 'add';
  readonly records: readonly JsonValue[];
}

/** Which exchanges a scenario takes, and the answers that it gives them in turn. */
export interface ScenarioRule {
  /** Ids of operations, or `*` for all; empty where the rule goes by tag. */
  readonly operations: readonly string[];
  /** The rule is about every operation with one of these tags. */
  readonly tags: readonly string[];
  readonly match?: ScenarioMatch;
  /** In order; each is given `times` times. */
  readonly answers: readonly ScenarioAnswer[];
  /**
   * After the last answer: it stays, all begin anew, or the rule is over and the request goes on as
   * if there were none.
   */
  readonly then: 'last' | 'repeat' | 'pass';
}

/** What a value must be. */
export type Condition =
  /** One of these. */
  | { readonly kind: 'equal'; readonly values: readonly JsonValue[] }
  /** A regular expression that finds something in its text. */
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'present' }
  | { readonly kind: 'absent' };

/** Where parameters are looked for: `parameters` stands for any place. */
export const parameterGroups = ['parameters', 'path', 'query', 'cookies'] as const;
export type ParameterGroup = (typeof parameterGroups)[number];

/** What a rule asks of one parameter. */
export interface ParameterCondition {
  readonly group: ParameterGroup;
  readonly name: string;
  readonly condition: Condition;
}

/** Everything named must hold of the request; what is not named may be anything. */
export interface ScenarioMatch {
  readonly parameters: readonly ParameterCondition[];
  readonly headers: { readonly [name: string]: Condition };
  /** The request body holds at least this. */
  readonly body?: JsonValue;
  /** Conditions for places in the body, by JSON Pointer. */
  readonly bodyAt: { readonly [pointer: string]: Condition };
  readonly session?: Condition;
  /**
   * The share of requests for which the rule holds, of those for which all else does: above 0 and
   * up to 1.
   */
  readonly probability: number;
}

/** One scripted answer; what it leaves out is as the mock would have it. */
export interface ScenarioAnswer {
  /** The mock answers as it normally would. */
  readonly pass?: boolean;
  /**
   * What is changed in the body of a normal success: a merge patch (RFC 7396), or the steps of a
   * JSON Patch (RFC 6902).
   */
  readonly patch?: JsonObject | JsonArray;
  readonly status?: number;
  /** The name of an example in the contract. */
  readonly example?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: JsonValue;
  /** How long the answer waits. */
  readonly delay: Delay;
  /** What happens to the answer on the wire. */
  readonly fault?: NetworkFault;
  readonly times: number;
  /** The contract does not allow this answer, and that is meant. */
  readonly offContract: boolean;
}

/**
 * What happens to an answer on the wire. `reset`, `empty`, `garbage` and `hang` leave no answer at
 * all, unless `reset` is to come after some bytes of one; the others do harm to an answer. `after`
 * counts bytes of the body, half of it where it is left out.
 */
export type NetworkFault =
  /** The connection is reset (RST): at once, or after so many bytes of the body. */
  | { readonly kind: 'reset'; readonly after?: number }
  /** The connection closes without a byte. */
  | { readonly kind: 'empty' }
  /** Bytes that are no HTTP, and then the connection closes. */
  | { readonly kind: 'garbage' }
  /** No byte, until the client leaves or the time has passed; then the connection closes. */
  | { readonly kind: 'hang'; readonly forMs: number }
  /** `Content-Length` is right, and the connection closes before that many bytes have come. */
  | { readonly kind: 'truncated'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and the connection closes before the last chunk. */
  | { readonly kind: 'truncated-chunks'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and then a chunk whose size is no number. */
  | { readonly kind: 'malformed-chunk'; readonly after?: number }
  /** `Content-Length` is so many bytes more, or fewer, than the whole body that comes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /**
   * The whole body, so many bytes at a time. Nothing is wrong with it but the time that it takes.
   */
  | { readonly kind: 'dribble'; readonly bytes: number; readonly everyMs: number };

/** In which way the wire fails. */
export type NetworkFaultKind = NetworkFault['kind'];

/** Every kind, in the order in which they are told. */
export const networkFaultKinds = [
  'reset',
  'empty',
  'garbage',
  'hang',
  'truncated',
  'truncated-chunks',
  'malformed-chunk',
  'wrong-length',
  'dribble',
] as const satisfies readonly NetworkFaultKind[];

/**
 * Whether a fault needs an answer that it does harm to; the others need none, and then the request
 * has no effect.
 */
export function harmsAnswer(fault: NetworkFault): boolean {
  return fault.kind === 'reset'
    ? fault.after !== undefined
    : !['empty', 'garbage', 'hang'].includes(fault.kind);
}
