import type { ControlRoute } from '../../control/control-parts.ts';
import { checkRoutes } from './check.ts';
import { contractRoutes } from './contract.ts';
import { faultRoutes } from './faults.ts';
import { operationRoutes } from './operations.ts';
import { sessionRoutes } from './sessions.ts';
import { trafficRoutes } from './traffic.ts';
import { tryRoutes } from './try.ts';

/** What the control API has for the console, and for whoever else wants it. */
export const consoleRoutes: readonly ControlRoute[] = [
  ...trafficRoutes,
  ...sessionRoutes,
  ...faultRoutes,
  ...operationRoutes,
  ...tryRoutes,
  ...checkRoutes,
  ...contractRoutes,
];
