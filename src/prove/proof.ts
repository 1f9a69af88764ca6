import { setImmediate } from 'node:timers/promises';
import { operators } from './operators/index.ts';
import type { Deviation, Operator } from './deviation.ts';
import { tempers } from './tempers.ts';
import type { Contract } from '../contract/model.ts';
import type { DeviationResult, ProofFinding } from './run-deviation.ts';

/** A temper, and what a run said against it: all of it false alarms. */
export interface TemperResult {
  readonly temper: string;
  readonly rule: string;
  readonly alarms: readonly ProofFinding[];
  readonly requests: number;
}

/** One piece of a proof: numbered, so that several workers can share them. */
export type Task =
  | { readonly kind: 'deviation'; readonly operator: Operator; readonly deviation: Deviation }
  | { readonly kind: 'temper'; readonly index: number };

/** What came of one piece. */
export type TaskResult =
  | { readonly kind: 'deviation'; readonly result: DeviationResult }
  | { readonly kind: 'temper'; readonly result: TemperResult };

/**
 * Every piece of a proof of a contract, in one order on every machine; only those of certain
 * operators and tempers where `kinds` names them.
 */
export async function listTasks(
  contract: Contract,
  kinds?: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Task[]> {
  const found: Task[] = [];
  for (const operator of operators.filter(({ id }) => isWanted(id, kinds))) {
    for (const deviation of await operator.find(contract))
      found.push({ kind: 'deviation', operator, deviation });
    await setImmediate();
    if (signal?.aborted === true) break;
  }
  return [
    ...found,
    ...tempers.flatMap(({ id }, index): Task[] =>
      isWanted(id, kinds) ? [{ kind: 'temper', index }] : [],
    ),
  ];
}

function isWanted(id: string, kinds: readonly string[] | undefined): boolean {
  return kinds === undefined || kinds.includes(id);
}

/** What happens in a proof. `proof-finished` is the last. */
export type ProofEvent =
  | {
      readonly type: 'proof-started';
      readonly contract: { readonly title: string; readonly file: string };
      readonly deviations: number;
      readonly tempers: number;
      readonly requests: number;
      readonly workers: number;
    }
  | ({ readonly type: 'task-done' } & TaskResult)
  | { readonly type: 'proof-finished'; readonly summary: ProofSummary };

/** What a proof came to. */
export interface ProofSummary {
  /** Kinds of deviation that the contract leaves room for, of all that there are. */
  readonly kinds: { readonly planted: number; readonly known: number };
  readonly caught: number;
  readonly missed: readonly DeviationResult[];
  /** Planted, and never shown by an answer: nobody could have caught them. */
  readonly dormant: readonly DeviationResult[];
  /** The share of what was shown that was caught, in percent; 100 where nothing was planted. */
  readonly caughtPercent: number;
  /** Tempers against which something of severity error, or a warning, was raised. */
  readonly falseAlarms: readonly TemperResult[];
  readonly requests: number;
  readonly durationMs: number;
}

/** Adds a proof up. */
export function summariseProof(results: readonly TaskResult[], durationMs: number): ProofSummary {
  const deviations = results.flatMap((each) => (each.kind === 'deviation' ? [each.result] : []));
  const alarms = results.flatMap((each) => (each.kind === 'temper' ? [each.result] : []));
  const of = (fate: DeviationResult['fate']): DeviationResult[] =>
    deviations.filter((result) => result.fate === fate);
  const [caught, missed] = [of('caught').length, of('missed')];
  return {
    kinds: {
      planted: new Set(deviations.map(({ operator }) => operator)).size,
      known: operators.length,
    },
    caught,
    missed,
    dormant: of('dormant'),
    caughtPercent: caught + missed.length === 0 ? 100 : (caught / (caught + missed.length)) * 100,
    falseAlarms: alarms.filter((result) => result.alarms.length > 0),
    requests: results.reduce((sum, { result }) => sum + result.requests, 0),
    durationMs,
  };
}
