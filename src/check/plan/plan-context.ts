import type { Contract, Operation } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { Intent } from '../case.ts';
import type { EffectRules } from '../effect/effect-rules.ts';
import type { Changed } from '../settings.ts';
import type { Skip } from '../skip.ts';
import type { Mode } from '../event.ts';
import { isSecured, type TokenOf } from '../secrets/credential.ts';
import type { Draft, ParameterExamples } from './draft.ts';

/** What a plan is made from. */
export interface PlanRequest {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  /** The token that goes to a scheme; no scheme has one unless told. */
  readonly tokenOf?: TokenOf | undefined;
  /** The names of headers that the user adds to every request, in lower case; none unless told. */
  readonly givenHeaders?: ReadonlySet<string>;
  /**
   * Whether there is a base URL for an operation; the clause that says what is missing where there
   * is none.
   */
  missingServer(operation: Operation): string | undefined;
  /** The day of the run, `YYYY-MM-DD`: operations that were removed before it are left out. */
  readonly today: string;
  /**
   * Values that the user gave for parameters which nobody else can know, by operation id and
   * parameter name.
   */
  readonly examples?: ParameterExamples;
  /** What the user wants left alone; none unless told. */
  readonly skips?: readonly Skip[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly changed?: Changed;
  /** What the operations do, and which of them the user allows. */
  readonly rules?: EffectRules | undefined;
}

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

/**
 * The most requests of a kind that one operation gets. What there is no room for is what tells
 * least.
 */
interface Room {
  /** Valid values at the edges of a schema. */
  readonly edges: number;
  /**
   * The same for an operation that changes a record: most of its fields had their turn when the
   * record was created.
   */
  readonly changes: number;
  /** Valid bodies that nobody expects. */
  readonly odd: number;
  /** Bodies that break one rule. */
  readonly invalid: number;
  /** Records that are created with a value that is easily mangled, and read back. */
  readonly fragile: number;
}

const whole: Room = { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 };

/** So many operations get all the room there is. */
const fewOperations = 100;
/** However many there are, each has this share of it. */
const leastShare = 0.25;

/**
 * The room for each operation of a plan: the more operations there are, the less for each, so that
 * a run of a large contract stays bounded too. Fuzzing knows no such bound.
 */
export function roomFor(operations: number, mode: Mode): Room {
  if (mode === 'fuzz') return { ...whole, changes: whole.edges };
  const share = Math.max(leastShare, Math.min(1, fewOperations / Math.max(1, operations)));
  const part = (most: number): number => Math.ceil(most * share);
  return {
    edges: part(whole.edges),
    changes: part(whole.changes),
    odd: part(whole.odd),
    invalid: part(whole.invalid),
    fragile: part(whole.fragile),
  };
}
