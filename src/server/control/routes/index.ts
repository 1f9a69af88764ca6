import type { ControlRoute } from '../control-parts.ts';
import { describeRoutes } from '../describe-control.ts';
import { json } from '../control-response.ts';
import { consoleRoutes } from '../../console/routes/index.ts';
import { clockRoutes } from './clock.ts';
import { journalRoutes } from './journal.ts';
import { recordRoutes } from './records.ts';
import { scenarioRoutes } from './scenarios.ts';
import { snapshotRoutes } from './snapshots.ts';
import { stateRoutes } from './state.ts';
import { webhookRoutes } from './webhooks.ts';

const describedRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...journalRoutes,
  ...recordRoutes,
  ...snapshotRoutes,
  ...scenarioRoutes,
  ...clockRoutes,
  ...webhookRoutes,
  ...consoleRoutes,
];

/** The document of the control API is one of its own routes. */
const documentRoute: ControlRoute = {
  id: 'getDocument',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document',
  open: true,
  answers: {
    200: { description: 'The OpenAPI document of the control API', schema: { type: 'object' } },
  },
  answer: async ({ parts }) => json(describeRoutes(controlRoutes, parts.version)),
};

/** Every route of the control API. None that is a GET changes anything. */
export const controlRoutes: readonly ControlRoute[] = [...describedRoutes, documentRoute];
