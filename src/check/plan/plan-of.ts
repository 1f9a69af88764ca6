import { orderByWorth } from '../choose/by-worth.ts';
import { shardPlan } from '../choose/shard.ts';
import { baseUrlOf } from '../base-url.ts';
import type { Credentials, Settings } from '../settings.ts';
import { makePlan, type Plan } from './make-plan.ts';

/** The plan of a run. The same settings give the same plan, whatever the target does. */
export function planOf(settings: Settings): Plan {
  const {
    contract,
    mode,
    seed,
    runId,
    credentials,
    clock,
    examples,
    skips,
    rules,
    include,
    exclude,
    changed,
    shard,
    budgetMs,
  } = settings;
  const plan = makePlan({
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
    ...(examples === undefined ? {} : { examples }),
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(changed === undefined ? {} : { changed }),
  });
  const part = shard === undefined ? plan : shardPlan(plan, contract, shard);
  return budgetMs === undefined ? part : orderByWorth(part);
}

function tokenFor(
  { token, tokenFor: schemes, tokens }: Credentials,
  scheme: string,
): string | undefined {
  return tokens[scheme] ?? (schemes.includes(scheme) ? token : undefined);
}
