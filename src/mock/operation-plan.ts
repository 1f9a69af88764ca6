import type { Contract, Operation, Resource, ResourceAction } from '../contract/model.ts';
import type { HeaderList } from '../http/message.ts';
import { planAnswer, type AnswerPlan } from './answer-plan.ts';
import { announceLifecycle, removalOf } from './lifecycle.ts';
import type { Assumption } from './mock.ts';
import { chooseSuccessStatus } from './success-status.ts';

/** What an operation does with the records of a resource. */
export interface ResourceRole {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

/** What the mock knows of an operation before any request comes. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly assumption: Assumption | undefined;
  /** Undefined where the operation answers from the contract alone. */
  readonly role: ResourceRole | undefined;
  /** The status of its success. */
  readonly status: number;
  /** The number of segments of its own path. */
  readonly length: number;
  /** Path parameters that fill a whole segment, with the segment's index: their text can be taken as it stands on the wire. */
  readonly wholeSegments: readonly (readonly [name: string, index: number])[];
  /** From which moment the operation is gone. */
  readonly removedAt: Date | undefined;
  /** What every answer says of the operation's life cycle. */
  readonly announcements: HeaderList;
  /** How an answer of a status is written. */
  answerPlan(status: number): AnswerPlan;
}

/** Prepares every operation of a contract, by its id. */
export function planOperations(contract: Contract, assumptions: readonly Assumption[]): ReadonlyMap<string, OperationPlan> {
  const assumed = new Map(assumptions.map((assumption) => [assumption.operation, assumption]));
  const roles = new Map(contract.resources.flatMap((resource) => rolesOf(resource)));
  return new Map(contract.operations.map((operation) => [operation.id, planOperation(operation, roles.get(operation.id), assumed.get(operation.id))]));
}

function rolesOf(resource: Resource): [id: string, role: ResourceRole][] {
  // `Object.entries` forgets which keys an object has; these are the actions of a resource.
  const entries = Object.entries(resource.operations) as [ResourceAction, Operation][];
  return entries.map(([action, operation]) => [operation.id, { resource, action }]);
}

function planOperation(operation: Operation, role: ResourceRole | undefined, assumption: Assumption | undefined): OperationPlan {
  const segments = operation.path.split('/').slice(1);
  const plans = new Map<number, AnswerPlan>();
  return {
    operation,
    assumption,
    role,
    status: chooseSuccessStatus(operation, role?.action, assumption?.status),
    length: segments.length,
    wholeSegments: segments.flatMap((segment, index) => {
      const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
      return name === undefined ? [] : [[name, index] as const];
    }),
    removedAt: removalOf(operation),
    announcements: announceLifecycle(operation),
    answerPlan: (status) => {
      const plan = plans.get(status) ?? planAnswer(operation, status);
      plans.set(status, plan);
      return plan;
    },
  };
}
