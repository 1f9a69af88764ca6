import { orderByWorth } from '../choose/by-worth.ts';
import { shardPlan } from '../choose/shard.ts';
import { baseUrlOf } from '../base-url.ts';
import type { Settings } from '../settings.ts';
import { makePlan, type Plan } from './make-plan.ts';

/** The plan of a run. The same settings give the same plan, whatever the target does. */
export function planOf(settings: Settings): Plan {
  const { contract, mode, seed, runId, token, tokens, clock, examples, skips, rules, include, exclude, changed, shard, budgetMs } = settings;
  const plan = makePlan({
    contract,
    mode,
    seed,
    runId,
    today: clock().toISOString().slice(0, 10),
    hasToken: token !== undefined || Object.keys(tokens).length > 0,
    tokenOf: ({ name }) => tokens[name] ?? token,
    skips,
    rules,
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : base.reason;
    },
    ...(examples === undefined ? {} : { examples }),
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(changed === undefined ? {} : { changed }),
  });
  const part = shard === undefined ? plan : shardPlan(plan, contract, shard);
  return budgetMs === undefined ? part : orderByWorth(part);
}
