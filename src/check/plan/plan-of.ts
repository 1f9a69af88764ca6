import { baseUrlOf, type Settings } from '../settings.ts';
import { makePlan, type Plan } from './make-plan.ts';

/** The plan of a run. The same settings give the same plan, whatever the target does. */
export function planOf(settings: Settings): Plan {
  const { contract, mode, seed, runId, token, clock, include, exclude } = settings;
  return makePlan({
    contract,
    mode,
    seed,
    runId,
    today: clock().toISOString().slice(0, 10),
    hasToken: token !== undefined,
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : base.reason;
    },
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
  });
}
