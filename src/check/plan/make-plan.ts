import type { Contract, Operation } from '../../contract/model.ts';
import type { Sequence } from '../case.ts';
import { isSecured, usableRequirement, whyUnusable } from '../credential.ts';
import type { Mode, Phase } from '../event.ts';
import { planAuth } from './auth.ts';
import { planBodyBoundaries, planParameterBoundaries } from './boundary.ts';
import { draftRequest, isSafe, type Draft } from './draft.ts';
import { planMissing } from './missing.ts';
import { planNegative } from './negative.ts';
import type { PlanContext } from './plan-context.ts';
import { planProbe } from './probe.ts';
import { planRead } from './read.ts';
import { planSequences } from './sequence.ts';
import { roleOf } from '../subject.ts';

/** Sequences that may be sent side by side; a stage begins when the one before it is done. */
export interface Stage {
  readonly phase: Phase;
  readonly sequences: readonly Sequence[];
}

/** Everything that a run will send but for confirmations and clean-up. The same request for a plan gives the same plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
}

/** An operation that no request is planned for, and why. */
export interface SkippedOperation {
  readonly operation: Operation;
  /** A clause that begins with a small letter. */
  readonly reason: string;
}

/** What a plan is made from. */
export interface PlanRequest {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  readonly hasToken: boolean;
  /** Whether there is a base URL for an operation; the clause that says what is missing where there is none. */
  missingServer(operation: Operation): string | undefined;
  /** The day of the run, `YYYY-MM-DD`: operations that were removed before it are left out. */
  readonly today: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Plans a run. Deterministic: no clock, no chance, no network. */
export function makePlan(request: PlanRequest): Plan {
  const drafts: Draft[] = [];
  const skipped: SkippedOperation[] = [];
  for (const operation of request.contract.operations) {
    const drafted = reasonToSkip(request, operation) ?? draftRequest(request.contract, operation, request.seed);
    if (typeof drafted === 'string') skipped.push({ operation, reason: drafted });
    else if (drafted.ok) drafts.push(drafted.draft);
    else skipped.push({ operation, reason: drafted.reason });
  }
  const { contract, mode, seed, runId, hasToken } = request;
  return { stages: planStages({ contract, mode, seed, runId, hasToken, drafts }), skipped };
}

function planStages(context: PlanContext): Stage[] {
  const stages: Stage[] = [
    { phase: 'probe', sequences: planProbe(context) },
    { phase: 'read', sequences: planRead(context) },
    { phase: 'boundary', sequences: planBodyBoundaries(context) },
    { phase: 'boundary', sequences: planParameterBoundaries(context) },
    { phase: 'negative', sequences: [...planNegative(context), ...planMissing(context)] },
    { phase: 'auth', sequences: planAuth(context) },
    { phase: 'sequence', sequences: planSequences(context) },
  ];
  return stages.filter(({ sequences }) => sequences.length > 0);
}

function reasonToSkip(request: PlanRequest, operation: Operation): string | undefined {
  const { include, exclude, mode, contract } = request;
  if (include !== undefined && !include.includes(operation.id)) return 'the run is limited to other operations (--include)';
  if (exclude?.includes(operation.id) === true) return 'it is excluded (--exclude)';
  const missing = request.missingServer(operation);
  if (missing !== undefined) return missing;
  if (operation.sunset !== undefined && operation.sunset <= request.today) return `the contract says that it was removed on ${operation.sunset}`;
  if (operation.method === 'TRACE' || operation.method === 'QUERY') return `vouch sends no ${operation.method} requests`;
  if (mode === 'read-only' && !isSafe(operation)) return `it is a ${operation.method}, and the run is read-only; --mode read-write sends it`;
  if (isSecured(operation) && usableRequirement(operation) === undefined) return whyUnusable(operation);
  const makesNew = operation.method === 'POST' && roleOf(contract, operation)?.action !== 'update';
  return isSafe(operation) || makesNew ? undefined : reasonNotToChange(contract, operation);
}

/** A replacement, update or deletion only ever touches what the run created. */
function reasonNotToChange({ resources }: Contract, operation: Operation): string | undefined {
  const resource = resources.find(({ operations }) => Object.values(operations).includes(operation));
  if (resource?.operations.create !== undefined) return undefined;
  return 'it changes a record, and no operation of the contract creates one that the run might change';
}
