import type { Contract, Operation } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { Intent } from '../case.ts';
import { isSecured } from '../credential.ts';
import type { Mode } from '../event.ts';
import type { Draft } from './draft.ts';

/** What every phase plans from. Nothing in it comes from a clock, from chance or from the target. */
export interface PlanContext {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  /** Whether the user gave a credential. */
  readonly hasToken: boolean;
  /** The operations that get requests, each with its plain one. */
  readonly drafts: readonly Draft[];
}

/** The intent of a plain valid request: nothing in it is put to the test but the operation itself. */
export function plainIntent({ operation, invented }: Pick<Draft, 'operation' | 'invented'>): Intent {
  return { kind: 'valid', rigour: invented ? 'invented' : 'plain', at: joinPointer(operation.pointer, 'responses') };
}

/** Whether a draft asks for one record, and so needs the identifier of one. */
export function needsRecord(draft: Draft): boolean {
  return draft.identifier !== undefined;
}

/** The secured operations among those that get requests. */
export function securedDrafts({ drafts }: PlanContext): Draft[] {
  return drafts.filter(({ operation }) => isSecured(operation));
}

/** The draft of an operation, where it gets requests. */
export function draftOf({ drafts }: PlanContext, operation: Operation | undefined): Draft | undefined {
  return drafts.find((draft) => draft.operation === operation);
}
