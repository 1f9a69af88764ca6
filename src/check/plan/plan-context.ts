import type { Contract, Operation } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { EffectRules } from '../effect/effect-rules.ts';
import type { Intent } from '../model/case.ts';
import type { Mode } from '../model/phase.ts';
import { isSecured, type TokenOf } from '../secrets/credential.ts';
import type { Draft, ParameterExamples } from './draft.ts';
import type { Room } from './room.ts';

/**
 * What every phase plans from. Nothing in it comes from a clock, from chance or from the target.
 */
export interface PlanContext {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  /** The token that goes to a scheme. */
  readonly tokenOf: TokenOf;
  /** The names of headers that the user adds to every request, in lower case. */
  readonly givenHeaders: ReadonlySet<string>;
  /** The operations that get requests, each with its plain one. */
  readonly drafts: readonly Draft[];
  /**
   * The operations that change the one record of a path, which is nobody's own: only where it is
   * put back at once.
   */
  readonly restorable: readonly Draft[];
  readonly examples?: ParameterExamples | undefined;
  readonly room: Room;
  readonly rules: EffectRules;
  /** Whether the run may send an operation at all, were its path known. */
  maySend(operation: Operation): boolean;
}

/**
 * The intent of a plain valid request: nothing in it is put to the test but the operation itself.
 */
export function plainIntent({
  operation,
  invented,
}: Pick<Draft, 'operation' | 'invented'>): Intent {
  return {
    kind: 'valid',
    rigour: invented ? 'invented' : 'plain',
    at: joinPointer(operation.pointer, 'responses'),
  };
}

/** Whether a draft names a record in its path, and so needs to know one. */
export function needsRecord(draft: Draft): boolean {
  return draft.names.length > 0;
}

/** The secured operations among those that get requests. */
export function securedDrafts({ drafts }: PlanContext): Draft[] {
  return drafts.filter(({ operation }) => isSecured(operation));
}

/** The draft of an operation, where it gets requests. */
export function draftOf(
  { drafts }: PlanContext,
  operation: Operation | undefined,
): Draft | undefined {
  const known = byOperation.get(drafts) ?? new Map(drafts.map((draft) => [draft.operation, draft]));
  byOperation.set(drafts, known);
  return operation && known.get(operation);
}

// Every resource asks for each of its operations, and a contract may have a thousand.
const byOperation = new WeakMap<readonly Draft[], ReadonlyMap<Operation, Draft>>();
