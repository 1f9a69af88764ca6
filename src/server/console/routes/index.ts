import type { ControlRoute } from '../../control/control-parts.ts';
import { contractRoutes, operationRoutes } from './operations.ts';
import { faultRoutes, sessionRoutes } from './steering.ts';
import { trafficRoutes } from './traffic.ts';
import { checkRoutes, tryRoutes } from './services.ts';

/** The routes of the control API that the console needs. */
export const consoleRoutes: readonly ControlRoute[] = [
  ...trafficRoutes,
  ...sessionRoutes,
  ...faultRoutes,
  ...operationRoutes,
  ...tryRoutes,
  ...checkRoutes,
  ...contractRoutes,
];
