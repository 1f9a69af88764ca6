import { setImmediate } from 'node:timers/promises';
import { separate } from '../check/engine/judge/evidence.ts';
import type { Contract } from '../contract/model.ts';
import { usage, VouchError } from '../errors.ts';
import type { ContractChoice } from '../library/choose-contract.ts';
import { gatherDocuments } from '../library/prepare-mock.ts';
import type { Mutation, Mutator } from '../check/mutants/mutant.ts';
import { takesTwoKeys } from '../check/topics/credentials/authentication-mutants.ts';
import { mutators } from './mutators.ts';
import {
  checkService,
  type MutationResult,
  findingKey,
  openService,
  type ProofFinding,
  type ProofSettings,
  runMutation,
  runVariant,
  type ServedContract,
  type SoundRun,
} from './run-mutation.ts';
import { variants } from './variants.ts';

/** A conforming variant and the findings of its run: each one is a false positive. */
export interface VariantResult {
  readonly variant: string;
  readonly rule: string;
  readonly findings: readonly ProofFinding[];
  readonly requests: number;
}

/** One numbered task of a proof, which any worker can take. */
export type Task =
  | { readonly kind: 'mutation'; readonly mutator: Mutator; readonly mutation: Mutation }
  | { readonly kind: 'variant'; readonly index: number };

export type TaskResult =
  | { readonly kind: 'mutation'; readonly result: MutationResult }
  | { readonly kind: 'variant'; readonly result: VariantResult };

/**
 * All tasks of a proof, in the same order on every machine; only those of the mutators and variants
 * in `kinds`, if given.
 */
export async function listTasks(
  contract: Contract,
  kinds?: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Task[]> {
  const found: Task[] = [];
  for (const mutator of mutators.filter(({ id }) => isWanted(id, kinds))) {
    for (const mutation of await mutator.find(contract))
      found.push({ kind: 'mutation', mutator, mutation });
    await setImmediate();
    if (signal?.aborted === true) break;
  }
  return [
    ...found,
    ...variants.flatMap(({ id, second }, index): Task[] =>
      isWanted(id, kinds) && (second !== true || takesTwoKeys(contract))
        ? [{ kind: 'variant', index }]
        : [],
    ),
  ];
}

function isWanted(id: string, kinds: readonly string[] | undefined): boolean {
  return kinds === undefined || kinds.includes(id);
}

/** The events of a proof. `proof-finished` is the last. */
export type ProofEvent =
  | {
      readonly type: 'proof-started';
      readonly contract: { readonly title: string; readonly file: string };
      readonly mutations: number;
      readonly variants: number;
      readonly requests: number;
      readonly workers: number;
    }
  | ({ readonly type: 'task-done' } & TaskResult)
  | { readonly type: 'proof-finished'; readonly summary: ProofSummary };

/** The result of a proof, in the terms of mutation testing. */
export interface ProofSummary {
  /** The kinds of mutation that the contract allows, of all kinds. */
  readonly kinds: { readonly planted: number; readonly known: number };
  /** How many mutations a check reports with the required severity, or a run by its verdict. */
  readonly killed: number;
  /** Visible in a response, but not reported. */
  readonly survived: readonly MutationResult[];
  /** Mutations that no request of the run triggers: they count as not killed. */
  readonly noCoverage: readonly MutationResult[];
  /** Mutations that no run can show, because of the contract: not counted. */
  readonly equivalent: readonly MutationResult[];
  /** Killed mutations among all that are not equivalent, in percent; 100 if there are none. */
  readonly mutationScore: number;
  /** The variants with an error or a warning in their run. */
  readonly falsePositives: readonly VariantResult[];
  readonly requests: number;
  readonly durationMs: number;
}

export function summariseProof(results: readonly TaskResult[], durationMs: number): ProofSummary {
  const mutations = results.flatMap((each) => (each.kind === 'mutation' ? [each.result] : []));
  const variantResults = results.flatMap((each) => (each.kind === 'variant' ? [each.result] : []));
  const of = (status: MutationResult['status']): MutationResult[] =>
    mutations.filter((result) => result.status === status);
  const [killed, survived] = [of('killed').length, of('survived')];
  const [noCoverage, equivalent] = [of('noCoverage'), of('equivalent')];
  const counted = killed + survived.length + noCoverage.length;
  return {
    kinds: {
      planted: new Set(mutations.map(({ mutator }) => mutator)).size,
      known: mutators.length,
    },
    killed,
    survived,
    noCoverage,
    equivalent,
    mutationScore: counted === 0 ? 100 : (killed / counted) * 100,
    falsePositives: variantResults.filter(({ findings }) => findings.length > 0),
    requests: results.reduce((sum, { result }) => sum + result.requests, 0),
    durationMs,
  };
}

/** The contract under test, with the configured records and assumptions. */
export async function loadServed(choice: ContractChoice): Promise<ServedContract> {
  const documents = await gatherDocuments({ ...choice, scenarios: [] });
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw usage('A proof covers one contract, and the configuration has several.', {
      hint: 'Name the document: vouch check --prove openapi.yaml.',
    });
  const { contract, fixtures, assumptions } = document;
  return { contract, fixtures, assumptions };
}

/** Checks the conforming service: its notes do not count for any mutation. */
export async function runSound(served: ServedContract, settings: ProofSettings): Promise<SoundRun> {
  const service = await openService(served, { seed: settings.seed });
  const { findings, summary } = await checkService(served, service.respond, settings);
  return {
    known: new Set(findings.flatMap(separate).map(findingKey)),
    verdict: summary.verdict,
    requests: summary.requests,
  };
}

export async function runTask(
  task: Task,
  {
    served,
    settings,
    sound,
  }: {
    readonly served: ServedContract;
    readonly settings: ProofSettings;
    readonly sound: SoundRun;
  },
): Promise<TaskResult> {
  if (task.kind === 'mutation')
    return {
      kind: 'mutation',
      result: await runMutation(served, task.mutation, {
        settings,
        sound,
        killedBy: task.mutation.killedBy ?? task.mutator.killedBy ?? 'error',
      }),
    };
  const variant = variants[task.index];
  if (variant === undefined)
    throw new VouchError('internal', `There is no variant ${String(task.index)}.`);
  const report = await runVariant(served, variant, settings);
  const findings = report.findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ check, severity, message }) => ({ check, severity, message }));
  return {
    kind: 'variant',
    result: {
      variant: variant.id,
      rule: variant.rule,
      findings,
      requests: report.summary.requests,
    },
  };
}
