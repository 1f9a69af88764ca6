import type {
  Batch,
  Clearing,
  Contract,
  Operation,
  Parent,
  RecordAction,
  Resource,
  ResourceAction,
} from '../../contract/model.ts';
import { lastParameter, pathKey, wholeParameters } from '../../contract/infer/path-groups.ts';
import type { HeaderList } from '../../http/message.ts';
import { planAnswer, type AnswerPlan } from './answer-plan.ts';
import { familyOf, type Family } from '../records/remove-below.ts';
import { announceLifecycle, removalOf } from './lifecycle.ts';
import type { Assumption } from '../mock.ts';
import { chooseSuccessStatus } from './success-status.ts';

/**
 * What an operation does with the records of a resource. `act`: something that the contract has a
 * verb for.
 */
export interface ResourceRole {
  readonly resource: Resource;
  readonly action: ResourceAction | 'act' | 'clear' | 'create-many' | 'replace-many';
  /** What is done to a record, where the action is `act`. */
  readonly deed?: RecordAction;
  /** Which records are removed, where the action is `clear`. */
  readonly clearing?: Clearing;
  /** Where the records are that are added, where the action is `create-many` or `replace-many`. */
  readonly batch?: Batch;
}

/** What the mock knows of an operation before any request comes. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly assumption: Assumption | undefined;
  /** Undefined where the operation answers from the contract alone. */
  readonly role: ResourceRole | undefined;
  /**
   * The kinds of record with which those of its role may stand together; undefined without a role.
   */
  readonly family: Family | undefined;
  /** The path parameter that names its record; undefined where none does. */
  readonly recordParameter: string | undefined;
  /**
   * What its path names, where it belongs to no resource and stands below a record of one:
   * innermost last.
   */
  readonly above: readonly Parent[];
  /** The status of its success. */
  readonly status: number;
  /** The number of segments of its own path. */
  readonly length: number;
  /**
   * Path parameters that fill a whole segment, with the segment's index: their text can be taken as
   * it stands on the wire.
   */
  readonly wholeSegments: readonly (readonly [name: string, index: number])[];
  /** From which moment the operation is gone. */
  readonly removedAt: Date | undefined;
  /** What every answer says of the operation's life cycle. */
  readonly announcements: HeaderList;
  /** How an answer of a status is written. */
  answerPlan(status: number): AnswerPlan;
}

/**
 * Every operation of a contract by its id; what is known of one is read when it is first asked for.
 */
export function planOperations(
  contract: Contract,
  assumptions: readonly Assumption[],
): ReadonlyMap<string, OperationPlan> {
  const assumed = new Map(assumptions.map((assumption) => [assumption.operation, assumption]));
  return new Map(
    contract.operations.map((operation) => [
      operation.id,
      new LazyPlan(operation, contract, assumed.get(operation.id)),
    ]),
  );
}

class LazyPlan implements OperationPlan {
  readonly operation: Operation;
  readonly assumption: Assumption | undefined;
  readonly #contract: Contract;
  readonly #answers = new Map<number, AnswerPlan>();
  #prepared: Prepared | undefined;
  #family: Family | undefined;

  constructor(operation: Operation, contract: Contract, assumption: Assumption | undefined) {
    this.operation = operation;
    this.assumption = assumption;
    this.#contract = contract;
  }

  get role(): ResourceRole | undefined {
    return this.#read().role;
  }

  get family(): Family | undefined {
    return (this.#family ??= this.role && familyOf(this.role.resource, this.#contract));
  }

  get recordParameter(): string | undefined {
    return this.#read().recordParameter;
  }

  get above(): readonly Parent[] {
    return this.#read().above;
  }

  get status(): number {
    return this.#read().status;
  }

  get length(): number {
    return this.#read().length;
  }

  get wholeSegments(): OperationPlan['wholeSegments'] {
    return this.#read().wholeSegments;
  }

  get removedAt(): Date | undefined {
    return this.#read().removedAt;
  }

  get announcements(): HeaderList {
    return this.#read().announcements;
  }

  answerPlan(status: number): AnswerPlan {
    const plan = this.#answers.get(status) ?? planAnswer(this.operation, status);
    this.#answers.set(status, plan);
    return plan;
  }

  #read(): Prepared {
    return (this.#prepared ??= prepare(this.operation, this.#contract, this.assumption));
  }
}

type Prepared = Omit<OperationPlan, 'operation' | 'assumption' | 'answerPlan' | 'family'>;

function prepare(
  operation: Operation,
  contract: Contract,
  assumption: Assumption | undefined,
): Prepared {
  const role = roleOf(operation, contract);
  return {
    role,
    above: role === undefined ? recordsAbove(operation, contract) : [],
    // What is done to a record has its verb behind the identifier.
    recordParameter: lastParameter(
      role?.action === 'act'
        ? operation.path.slice(0, operation.path.lastIndexOf('/'))
        : operation.path,
    ),
    status: chooseSuccessStatus(operation, role?.action, assumption?.status),
    length: operation.path.split('/').length - 1,
    wholeSegments: wholeParameters(operation.path).map(({ name, segment }) => [name, segment]),
    removedAt: removalOf(operation),
    announcements: announceLifecycle(operation),
  };
}

function roleOf(operation: Operation, { inference }: Contract): ResourceRole | undefined {
  const placement = inference.placementOf(operation);
  if (placement?.kind === 'action')
    return { resource: placement.action.resource, action: 'act', deed: placement.action };
  if (placement?.kind === 'bulk') return bulkRole(placement.action);
  return placement && { resource: placement.resource, action: placement.action };
}

function bulkRole(action: Clearing | Batch): ResourceRole {
  const { resource } = action;
  return action.does === 'clear'
    ? { resource, action: 'clear', clearing: action }
    : {
        resource,
        action: action.does === 'create' ? 'create-many' : 'replace-many',
        batch: action,
      };
}

/** `GET /things/{thingId}/picture` is about a record of `/things`, though it answers none. */
function recordsAbove({ path }: Operation, { operations, inference }: Contract): readonly Parent[] {
  const segments = path.split('/');
  for (const { name, segment } of wholeParameters(path).toReversed()) {
    const key = pathKey(segments.slice(0, segment + 2).join('/'));
    if (segment + 2 === segments.length) continue;
    const placements = (operationsAt(operations).get(key) ?? []).map((operation) =>
      inference.placementOf(operation),
    );
    const resource = placements.flatMap((placement) =>
      placement?.kind === 'resource' && placement.resource.kind === 'collection'
        ? [placement.resource]
        : [],
    )[0];
    if (resource !== undefined)
      return [...resource.parents, { parameter: name, segment, resource }];
  }
  return [];
}

/** A contract of a thousand operations is looked through once. */
const byPath = new WeakMap<readonly Operation[], ReadonlyMap<string, readonly Operation[]>>();

function operationsAt(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const known = byPath.get(operations) ?? Map.groupBy(operations, ({ path }) => pathKey(path));
  byPath.set(operations, known);
  return known;
}
