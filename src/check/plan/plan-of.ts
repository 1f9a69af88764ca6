import { defined } from '../../json/defined.ts';
import { baseUrlOf } from '../base-url.ts';
import { prioritizePlan } from '../choose/prioritize.ts';
import { shardPlan } from '../choose/shard.ts';
import type { Plan } from '../model/plan.ts';
import type { Credentials, Settings } from '../settings.ts';
import { makePlan, makePlanInTurns, type PlanRequest } from './make-plan.ts';

/** The plan of a run. It depends on the settings alone, not on what the target answers. */
export function planOf(settings: Settings): Plan {
  return selectPart(settings, makePlan(planRequest(settings)));
}

/** The same plan, made in short turns. Undefined if the signal is aborted before it is complete. */
export async function planInTurns(
  settings: Settings,
  signal: AbortSignal,
): Promise<Plan | undefined> {
  const plan = await makePlanInTurns(planRequest(settings), signal);
  return plan && selectPart(settings, plan);
}

function selectPart({ contract, shard, budgetMs }: Settings, plan: Plan): Plan {
  const part = shard === undefined ? plan : shardPlan(plan, contract, shard);
  return budgetMs === undefined ? part : prioritizePlan(part);
}

function planRequest(settings: Settings): PlanRequest {
  const { contract, mode, seed, runId, credentials, clock, skips, rules } = settings;
  const { examples, include, exclude, changed } = settings;
  return {
    contract,
    mode,
    seed,
    runId,
    today: clock().toISOString().slice(0, 10),
    tokenOf: (scheme) => tokenFor(credentials, scheme.name),
    givenHeaders: new Set(credentials.headers.map(({ name }) => name.toLowerCase())),
    skips,
    rules,
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : base.reason;
    },
    ...defined({ examples, include, exclude, changed }),
  };
}

function tokenFor(
  { token, tokenFor: schemes, tokens }: Credentials,
  scheme: string,
): string | undefined {
  return tokens[scheme] ?? (schemes.includes(scheme) ? token : undefined);
}
