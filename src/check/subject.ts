import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  ResourceAction,
} from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Case } from './case.ts';
import type { Drift } from './evidence/fields/field-drift.ts';
import type { Latency } from './evidence/latency.ts';
import type { Answer } from './evidence/answer/read-answer.ts';
import type { Flicker } from './evidence/steadiness.ts';
import type { Exchange } from './finding.ts';

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
  /** The ids of the lists that show the same records in another order now and then. */
  readonly unordered: ReadonlySet<string>;
  /** How often one and the same plain read was accepted and refused, by `flickerKey`. */
  readonly flickers: ReadonlyMap<string, Flicker>;
  /** How long the successful answers of each operation took, by its id. */
  readonly latencies: ReadonlyMap<string, Latency>;
  /** What answers show beyond the schemas of the contract, by the schema's pointer. */
  readonly drift: ReadonlyMap<Pointer, Drift>;
}

/**
 * Everything that a check may look at: a step, the steps of its sequence before it, and what the
 * run knows.
 */
export interface Subject extends Step {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly earlier: readonly Step[];
  readonly knowledge: RunKnowledge;
}

/** The part that an operation has in a resource. */
export interface Role {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

const roles = new WeakMap<Contract, ReadonlyMap<Operation, Role>>();

/**
 * The resource that an operation belongs to and its action there, or undefined where it belongs to
 * none.
 */
export function roleOf(contract: Contract, operation: Operation): Role | undefined {
  // Every check asks for every exchange, and a contract may have a thousand operations.
  let known = roles.get(contract);
  if (known === undefined) roles.set(contract, (known = readRoles(contract)));
  return known.get(operation);
}

function readRoles({ resources }: Contract): Map<Operation, Role> {
  const pairs = resources.flatMap((resource) =>
    Object.entries(resource.operations).map(([action, operation]) => ({
      resource,
      action,
      operation,
    })),
  );
  // The keys of `operations` are actions by its type, which Object.entries forgets.
  return new Map(
    pairs.map(({ resource, action, operation }) => [
      operation,
      { resource, action: action as ResourceAction },
    ]),
  );
}
