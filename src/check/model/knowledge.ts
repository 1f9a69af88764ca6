import type { Contract, Operation } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Case } from './case.ts';
import type { Sent, Step } from './step.ts';
import type { Place } from '../../errors.ts';
import type { Basis, Blame, Severity } from './finding.ts';

/** An accepted create: the id of its case, its values, and whether the run deleted the record. */
export interface Creator {
  readonly id: string;
  readonly sent: Sent;
  readonly deleted?: true;
}

/** The texts of refused creates that no other client can have sent. */
export interface RefusedTexts {
  readonly size: number;
  /** The refused create of a resource, by its name, that sent a text in a field. */
  find(resource: string, field: string, text: string): Step | undefined;
}

/** What the accepted creates of a run show about one field. */
export interface CreatedField {
  /** Whether a sent value was returned. */
  readonly isKept: boolean;
  /** Returned values that were not sent, as JSON texts: at most two. */
  readonly own: ReadonlySet<string>;
}

/**
 * The observations of the whole run, with which a check distinguishes a rule from a coincidence.
 */
export interface RunKnowledge {
  /** The size of the largest page of each list, by the list's operation id. */
  readonly largestPages: ReadonlyMap<string, number>;
  /** The number of responses of each operation, by its id. */
  readonly answers: ReadonlyMap<string, number>;
  /** The credentials, by name, that a secured operation accepted. */
  readonly authorised: Pick<ReadonlySet<string>, 'has'>;
  /**
   * The creates of the record with an identifier, in the order of the plan: `resource identifier`.
   */
  readonly creators: ReadonlyMap<string, readonly Creator[]>;
  /** The operations, by id, that answered 201: what they answer with 200 was not made. */
  readonly makers: Pick<ReadonlySet<string>, 'has'>;
  readonly refusedTexts: RefusedTexts;
  /** The fields that some record of a resource had with a non-empty value: `resource field`. */
  readonly shownFields: ReadonlySet<string>;
  /** What creates show about each field with a non-empty value: `resource field`. */
  readonly createdFields: ReadonlyMap<string, CreatedField>;
  /** The ids of the lists whose records sometimes change their order. */
  readonly unordered: ReadonlySet<string>;
  /** How often equal plain reads were accepted and refused, by `flickerKey`. */
  readonly flickers: ReadonlyMap<string, Flicker>;
  /** The durations of successful responses of each operation, by its id. */
  readonly latencies: ReadonlyMap<string, Latency>;
  /** Members of responses beyond the schemas of the contract, by the schema's pointer. */
  readonly drift: ReadonlyMap<Pointer, Drift>;
  /**
   * The identifiers of each resource that a rule of the contract reads, by its name. A resource is
   * missing if some identifiers may be unknown.
   */
  readonly identifiers: ReadonlyMap<string, readonly JsonValue[]>;
  /**
   * The records that responses showed, or accepted requests referred to: `collection identifier`.
   */
  readonly records: Pick<ReadonlySet<string>, 'has'>;
  readonly accepted: AcceptedParts;
}

/** The parts that accepted requests had and the contract describes in words, and their texts. */
export interface AcceptedParts {
  /** Whether a request was accepted that has the part, and all other parts of the case. */
  has(testCase: Case, part: string): boolean;
  /** Whether several texts were accepted at a place of the requests to an operation. */
  takesTexts(operation: Operation, path: string): boolean;
}

/** The durations of one operation's responses, in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  /** By nearest rank; but never the slowest of all, so that a single delay does not count. */
  readonly p95: number;
  readonly max: number;
}

/** How often equal requests were accepted, and with which statuses they were refused. */
export interface Flicker {
  readonly accepted: number;
  readonly refusals: readonly number[];
  /**
   * A response in between that had more or fewer members than those before and after it, where the
   * contract changes nothing.
   */
  readonly passing?: { readonly usual: JsonValue; readonly odd: JsonValue } | undefined;
  /**
   * How many records a list had from the first request on that was empty in between, and has them
   * again.
   */
  readonly emptied?: number | undefined;
}

/** The observations about one undocumented field. */
export interface SeenField {
  readonly name: string;
  /** The number of objects with it. */
  readonly count: number;
  /** A JSON Schema with which the contract could document it. */
  readonly schema: JsonObject;
}

/** Members of responses beyond one schema of the contract, over a whole run. */
export interface Drift {
  /** The number of objects with that schema. */
  readonly objects: number;
  readonly fields: readonly SeenField[];
}

/** The name of a part of the knowledge that a check needs. */
export type KnowledgeName = keyof RunKnowledge;

/**
 * The input of a check: a step, the earlier steps of its sequence, and the knowledge of the run.
 */
export interface CheckInput extends Step {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly earlier: readonly Step[];
  readonly knowledge: RunKnowledge;
  /** Whether the contract leaves open that this request gets a refusal. */
  readonly isLeftOpen: (status: number) => boolean;
}

/**
 * One violation of a rule. Omitted members have the values of the check; omitted blame is the
 * server's.
 */
export interface Violation {
  /** The place in the contract that is violated. */
  readonly at: Pointer;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly severity?: Severity;
  /** The operation to blame, if it is that of an earlier step. */
  readonly operation?: Operation;
  readonly basis?: Basis;
  readonly blame?: Blame;
  /** Where it is in the value of the response's body: every place, if they are known. */
  readonly places?: readonly Pointer[];
  /** Distinguishes causes that share a place in the contract. */
  readonly cause?: string;
  /** A single occurrence that is not reproduced is dropped. */
  readonly fleeting?: boolean;
  /**
   * Nothing else explains the responses: it is reported even if it is not reproduced, as for a
   * check that is confirmed `once`.
   */
  readonly conclusive?: true;
  /**
   * How it was confirmed already, as the sentence continues after `Seen once`; only if nothing can
   * be repeated later.
   */
  readonly evidence?: string;
  /** Responses in direct succession show it: a later read of the same record proves nothing. */
  readonly momentary?: true;
  /**
   * A replica that lags behind could show it too, and a newer record may end it: it is repeated
   * alone, and what is read after a write is read again some seconds later.
   */
  readonly mayLag?: true;
  /** It is about a walk that ended too early: a repetition has all pages that were planned. */
  readonly isShort?: true;
  /**
   * Load may be the cause: it is repeated alone, after everything else, and reported only if it is
   * reproduced, even as a note; `or milder`: otherwise it is a warning that says so.
   */
  readonly alone?: true | 'or milder';
  /**
   * Other causes of the same check that include this one if they were found for the same operation.
   */
  readonly impliedBy?: string | readonly string[];
  /**
   * What the contract could have at `at` so that the server conforms: merged like an OpenAPI
   * Overlay.
   */
  readonly proposal?: Proposal;
  /** The place that says so, if it is not in the contract, and the lines around it. */
  readonly stated?: { readonly place: Place; readonly frame: string };
}

/** What a check finds: one violation or several; undefined if it does not apply. */
export type Violations = Violation | readonly Violation[] | undefined;

/** A change of the contract that would resolve a finding. */
export interface Proposal {
  readonly at: Pointer;
  readonly update: JsonObject;
}
/** It is unknown whether such a body conforms to its schema. */
export const unjudgedCause = 'unjudged';
