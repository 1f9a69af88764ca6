import type { Contract } from '../../../contract/model.ts';
import { usage, VouchError } from '../../../errors.ts';
import type { Case, Plan, Sequence, Stage } from '../../model/case.ts';
import { roleOf } from '../../model/step.ts';

/** One of several jobs that together send a plan; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `2/4`. Throws a VouchError for any other text. */
export function readShard(text: string): Shard {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index !== '' && shard.index >= 1 && shard.index <= shard.count) return shard;
  throw usage(`--shard is ${text}, and must be a part of a whole.`, {
    hint: 'Write --shard 1/4 for the first of four jobs, up to 4/4 for the last.',
  });
}

/**
 * The part of a plan that one shard sends. Every sequence goes to exactly one shard, except the
 * probe, which each shard sends. A sequence that needs an existing record goes to a shard that
 * creates or lists such a record earlier; sequences that are judged together stay together. All
 * shards get about as many requests. Deterministic.
 */
export function shardPlan(plan: Plan, contract: Contract, { index, count }: Shard): Plan {
  const parts = Array.from({ length: count }, () => new Part());
  const bound = new Map<string, Part>();
  const stages = plan.stages.map((stage): Stage => {
    if (stage.phase === 'probe') return takenByAll(stage, contract, parts);
    const own = stage.sequences.filter((sequence) => {
      const bond = bondOf(sequence);
      const part =
        (bond === undefined ? undefined : bound.get(bond)) ??
        choosePart(parts, needsOf(sequence, contract));
      if (bond !== undefined) bound.set(bond, part);
      part.take(sequence, contract);
      return part === parts[index - 1];
    });
    return { ...stage, sequences: own };
  });
  return { ...plan, stages: stages.filter(({ sequences }) => sequences.length > 0) };
}

/**
 * The key of sequences that are judged together: wrong credentials for one operation, and invalid
 * values of one input. A server that accepts several of them has one defect.
 */
function bondOf({ cases }: Sequence): string | undefined {
  const last = cases.at(-1);
  switch (last?.intent.kind) {
    case 'credential':
      return `credential ${last.operation.id}`;
    case 'invalid':
      return `invalid ${last.operation.id} ${last.intent.part} ${last.intent.subject}`;
    default:
      return undefined;
  }
}

/** The sequences that one shard has so far. */
class Part {
  #requests = 0;
  readonly #provided = new Set<string>();

  get requests(): number {
    return this.#requests;
  }

  provides(resources: readonly string[]): boolean {
    return resources.every((resource) => this.#provided.has(resource));
  }

  take({ cases }: Sequence, contract: Contract): void {
    this.#requests += cases.length;
    for (const testCase of cases) {
      const shown = providedBy(testCase, contract);
      if (shown !== undefined) this.#provided.add(shown);
    }
  }
}

function takenByAll(stage: Stage, contract: Contract, parts: readonly Part[]): Stage {
  for (const sequence of stage.sequences) for (const part of parts) part.take(sequence, contract);
  return stage;
}

/**
 * The shard with the fewest requests among those that have the needed records; if none has, among
 * all.
 */
function choosePart(parts: readonly Part[], needs: readonly string[]): Part {
  const able = parts.filter((part) => part.provides(needs));
  const [first, ...rest] = able.length > 0 ? able : parts;
  if (first === undefined) throw new VouchError('internal', 'A plan was parted into no parts.');
  return rest.reduce((least, part) => (part.requests < least.requests ? part : least), first);
}

/** The kind of record that later sequences can use once a case has its response. */
function providedBy({ operation, intent }: Case, contract: Contract): string | undefined {
  const role = roleOf(contract, operation);
  if (intent.kind !== 'valid' || role === undefined) return undefined;
  if (role.action === 'create') return `own ${role.resource.name}`;
  return role.action === 'list' ? `known ${role.resource.name}` : undefined;
}

/**
 * The kinds of records that a sequence needs and that none of its earlier steps creates or lists.
 */
function needsOf({ cases }: Sequence, contract: Contract): string[] {
  const provided = new Set<string>();
  const needs = new Set<string>();
  for (const testCase of cases) {
    for (const need of testCase.request.arguments.flatMap(({ source }) =>
      source.kind === 'known' || source.kind === 'own'
        ? `${source.kind} ${source.resource}`
        : source.kind === 'field' || source.kind === 'held' || source.kind === 'expression'
          ? `known ${source.resource}`
          : [],
    )) {
      if (!provided.has(need)) needs.add(need);
    }
    const shown = providedBy(testCase, contract);
    if (shown !== undefined) provided.add(shown);
  }
  return [...needs];
}
