import { wordsIn } from '../../words-in.ts';
import type { JsonTemplate, OpenPlace } from './templates/json-template.ts';
import type { Template } from './templates/read-template.ts';
import type { BoundedPattern } from '../../contract/pattern/safe-pattern.ts';
import type { HeaderList } from '../../http/message.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import type { Delay } from './delay.ts';
import type { FaultAt } from '../../contract/locate.ts';

/** Scripted behaviour of the mock, as in its YAML file. */
export interface Scenario {
  /** The file's name without its extension. */
  readonly name: string;
  readonly description: string;
  /** The mock's date (`YYYY-MM-DD`, or a timestamp) while the scenario is active. */
  readonly clock?: string;
  /** The initial records by resource for requests under the scenario. */
  readonly state?: { readonly [resource: string]: ScenarioRecords };
  readonly rules: readonly ScenarioRule[];
  /** Makes the error for a place in the source file. */
  readonly fault?: FaultAt;
}

/** Records of one resource: instead of the fixtures, or in addition to them. */
export interface ScenarioRecords {
  readonly kind: 'replace' | 'add';
  readonly records: readonly JsonValue[];
}

/** The exchanges to which a rule applies, and its responses in sequence. */
export interface ScenarioRule {
  /** Ids of operations, or `*` for all; empty if the rule selects by tag. */
  readonly operations: readonly string[];
  /** The rule applies to every operation with one of these tags. */
  readonly tags: readonly string[];
  readonly match?: ScenarioMatch;
  /** In order; each is used `times` times. */
  readonly answers: readonly ScenarioAnswer[];
  /**
   * After the last response: it repeats, all start again, or the rule ends and no longer matches.
   */
  readonly then: 'last' | 'repeat' | 'pass';
}

export type Condition =
  /** Equal to one of these. */
  | { readonly kind: 'equal'; readonly values: readonly JsonValue[] }
  /** A regular expression with a match in its text. */
  | { readonly kind: 'pattern'; readonly pattern: BoundedPattern }
  | { readonly kind: 'present' }
  | { readonly kind: 'absent' };

/** Where parameters are searched: `parameters` means any place. */
export const parameterGroups = ['parameters', 'path', 'query', 'cookies'] as const;
export type ParameterGroup = (typeof parameterGroups)[number];

export interface ParameterCondition {
  readonly group: ParameterGroup;
  readonly name: string;
  readonly condition: Condition;
}

/** All given conditions must hold. */
export interface ScenarioMatch {
  readonly parameters: readonly ParameterCondition[];
  readonly headers: { readonly [name: string]: Condition };
  /** A subset of the request body. */
  readonly body?: JsonValue;
  /** Conditions for places in the body, by JSON Pointer. */
  readonly bodyAt: { readonly [pointer: string]: Condition };
  readonly session?: Condition;
  /** The share of otherwise matching requests to which the rule applies: above 0 and up to 1. */
  readonly probability: number;
}

/** One scripted response; the mock fills in the omitted parts. */
export interface ScenarioAnswer {
  /** The mock responds as usual. */
  readonly pass?: boolean;
  /**
   * A patch of the body of a normal success: a merge patch (RFC 7396), or the steps of a JSON Patch
   * (RFC 6902).
   */
  readonly patch?: JsonObject | JsonArray;
  readonly status?: number;
  /** The name of an example in the contract. */
  readonly example?: string;
  /** In their order; a name that is given a list of texts has several fields. */
  readonly headers?: HeaderList;
  readonly body?: JsonValue;
  /** The delay before the response. */
  readonly delay: Delay;
  readonly fault?: NetworkFault;
  readonly times: number;
  /** Whether the response may violate the contract. */
  readonly offContract: boolean;
  /** The placeholders in its body, patch and headers; undefined without any. */
  readonly templates?: AnswerTemplates;
}

/** Parts of an answer with placeholders, which are filled in for each request. */
export interface AnswerTemplates {
  readonly body?: JsonTemplate;
  readonly patch?: JsonTemplate;
  /** By the index of the field. */
  readonly headers?: ReadonlyMap<number, Template>;
  /** Every text with a placeholder, with its place in the answer: `/body/name`. */
  readonly open: readonly OpenPlace[];
}

/**
 * A network fault. `reset`, `empty`, `garbage` and `hang` prevent a response, except `reset` with
 * `after`; the others damage it. `after` counts bytes of the body; the default is half of it.
 */
export type NetworkFault =
  /** The connection is reset (RST): at once, or after this many bytes of the body. */
  | { readonly kind: 'reset'; readonly after?: number }
  /** The connection closes without a byte. */
  | { readonly kind: 'empty' }
  /** Bytes that are not HTTP, then the connection closes. */
  | { readonly kind: 'garbage' }
  /** No byte, until the client disconnects or the time is over; then the connection closes. */
  | { readonly kind: 'hang'; readonly forMs: number }
  /** `Content-Length` is correct, but the connection closes after fewer bytes. */
  | { readonly kind: 'truncated'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and the connection closes before the last chunk. */
  | { readonly kind: 'truncated-chunks'; readonly after?: number }
  /** `Transfer-Encoding: chunked`, and then a chunk with an invalid size. */
  | { readonly kind: 'malformed-chunk'; readonly after?: number }
  /** `Content-Length` differs from the length of the complete body by this many bytes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The complete body, this many bytes at a time: slow, but correct. */
  | { readonly kind: 'dribble'; readonly bytes: number; readonly everyMs: number };

export type NetworkFaultKind = NetworkFault['kind'];

/** Every kind, in the order of the documentation. */
export const networkFaultKinds = wordsIn(
  'reset empty garbage hang truncated truncated-chunks malformed-chunk wrong-length dribble',
) satisfies readonly NetworkFaultKind[];

/** Whether a fault damages a response; the others prevent one, and the request has no effect. */
export function harmsAnswer(fault: NetworkFault): boolean {
  return fault.kind === 'reset'
    ? fault.after !== undefined
    : !['empty', 'garbage', 'hang'].includes(fault.kind);
}

/** The places of an answer's header fields: `/headers/Vary`, `/headers/Set-Cookie/1`. */
export function headerPlaces(headers: HeaderList): Pointer[] {
  return headers.map(([name], index) => {
    const same = headers.flatMap(([other], at) => (other === name ? [at] : []));
    return joinPointer('/headers', name, ...(same.length > 1 ? [same.indexOf(index)] : []));
  });
}
