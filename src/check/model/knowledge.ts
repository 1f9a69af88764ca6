import type { Contract, Operation } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Sent, Step } from './step.ts';

/**
 * A create that was accepted: the id of its case, what it sent, and whether the run deleted the
 * record again.
 */
export interface Creator {
  readonly id: string;
  readonly sent: Sent;
  readonly deleted?: true;
}

/** The texts of creates that were refused, as far as nobody else can have sent them. */
export interface RefusedTexts {
  readonly size: number;
  /** The create of a resource, by its name, that was refused with a text in a field. */
  find(resource: string, field: string, text: string): Step | undefined;
}

/** What the accepted creates of a run show of one field. */
export interface CreatedField {
  /** Whether a value that was sent came back. */
  readonly isKept: boolean;
  /** Values that were not sent, as JSON texts: two at most. */
  readonly own: ReadonlySet<string>;
}

/** What the whole run has seen: it lets a check tell a rule from a coincidence. */
export interface RunKnowledge {
  /** The most records that one page of a list held, by the list's operation id. */
  readonly largestPages: ReadonlyMap<string, number>;
  /** How many answers of any kind each operation gave, by its id. */
  readonly answers: ReadonlyMap<string, number>;
  /** The credentials, by name, that a secured operation took. */
  readonly authorised: Pick<ReadonlySet<string>, 'has'>;
  /** What created the record of an identifier, in the order of the plan: `resource identifier`. */
  readonly creators: ReadonlyMap<string, readonly Creator[]>;
  readonly refusedTexts: RefusedTexts;
  /**
   * The fields that some record of a resource was shown with, and with a value that says something:
   * `resource field`.
   */
  readonly shownFields: ReadonlySet<string>;
  /** What creates show of each field with a value that says something: `resource field`. */
  readonly createdFields: ReadonlyMap<string, CreatedField>;
  /** The ids of the lists that show the same records in another order now and then. */
  readonly unordered: ReadonlySet<string>;
  /** How often one and the same plain read was accepted and refused, by `flickerKey`. */
  readonly flickers: ReadonlyMap<string, Flicker>;
  /** How long the successful answers of each operation took, by its id. */
  readonly latencies: ReadonlyMap<string, Latency>;
  /** What answers show beyond the schemas of the contract, by the schema's pointer. */
  readonly drift: ReadonlyMap<Pointer, Drift>;
  /**
   * The identifiers of each resource that a rule of the contract asks for, by its name. A resource
   * of which some may be unknown is missing.
   */
  readonly identifiers: ReadonlyMap<string, readonly JsonValue[]>;
  /** The records that responses showed, or accepted requests named: `collection identifier`. */
  readonly records: Pick<ReadonlySet<string>, 'has'>;
}

/** How long the answers of one operation took, in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  /**
   * Nearest rank; but the slowest of all never stands for the others, so that one stumble is no
   * habit.
   */
  readonly p95: number;
  readonly max: number;
}

/** How often one and the same request was accepted and refused. */
export interface Flicker {
  readonly accepted: number;
  readonly refused: number;
}

/** What was seen of one field that the contract does not name. */
export interface SeenField {
  readonly name: string;
  /** In how many objects it stood. */
  readonly count: number;
  /** What the contract could say of it: a JSON Schema. */
  readonly schema: JsonObject;
}

/** What answers show beyond one schema of the contract, over a whole run. */
export interface Drift {
  /** How many objects of that schema were seen. */
  readonly objects: number;
  readonly fields: readonly SeenField[];
}

/** A part of what a run knows, by which a check names its needs. */
export type KnowledgeName = keyof RunKnowledge;

/**
 * Everything that a check may look at: a step, the steps of its sequence before it, and what the
 * run knows.
 */
export interface CheckInput extends Step {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly earlier: readonly Step[];
  readonly knowledge: RunKnowledge;
}
