import type { ControlRoute } from '../../control/control-parts.ts';
import { contractRoutes, operationRoutes } from './operations.ts';
import { faultRoutes, sessionRoutes } from './steering.ts';
import { trafficRoutes } from './traffic.ts';
import { checkRoutes, tryRoutes } from './services.ts';

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
