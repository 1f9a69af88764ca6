import type { JsonObject } from '../../../json/value.ts';
import { operationRoutes } from '../../console/routes/operations.ts';
import { referenceRoutes } from '../../console/routes/reference.ts';
import { checkRoutes, tryRoutes } from '../../console/routes/services.ts';
import { startRoutes } from '../../console/routes/start.ts';
import { scenarioFileRoutes } from '../../console/routes/scenarios.ts';
import { faultRoutes, sessionRoutes } from '../../console/routes/steering.ts';
import { trafficRoutes } from '../../console/routes/traffic.ts';
import type { ControlAnswer, ControlRoute } from '../control-parts.ts';
import { controlPrefix } from '../control-prefix.ts';
import { json } from '../fields.ts';
import { problem } from '../control-schemas.ts';
import { clockRoutes, scenarioRoutes, stateRoutes } from './state.ts';
import { journalRoutes } from './journal.ts';
import { recordRoutes } from './records.ts';
import { snapshotRoutes } from './snapshots.ts';
import { webhookRoutes } from './webhooks.ts';

/** The routes of the control API that the console needs. */
const consoleRoutes: readonly ControlRoute[] = [
  ...trafficRoutes,
  ...scenarioFileRoutes,
  ...sessionRoutes,
  ...faultRoutes,
  ...operationRoutes,
  ...tryRoutes,
  ...checkRoutes,
  ...referenceRoutes,
  ...startRoutes,
];

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

/** The route with the OpenAPI document of the control API. */
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

/** Every route of the control API. A GET changes nothing. */
export const controlRoutes: readonly ControlRoute[] = [...describedRoutes, documentRoute];

/** The OpenAPI document of the control API, generated from the table of its routes. */
export function describeRoutes(
  routes: readonly ControlRoute[],
  version: string | undefined,
): JsonObject {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'vouch control',
      version: version ?? '0',
      description:
        'Inspects and controls a running mock. Every start has a new token. No ' +
        'GET changes anything.',
    },
    servers: [{ url: controlPrefix }],
    security: [{ control: [] }],
    paths: Object.fromEntries(
      paths.map((path) => [
        path,
        describePath(
          path,
          routes.filter((route) => route.path === path),
        ),
      ]),
    ),
    components: {
      securitySchemes: {
        control: { type: 'http', scheme: 'bearer', description: 'The token of this start' },
      },
      schemas: { Problem: problem },
    },
  };
}

function describePath(path: string, routes: readonly ControlRoute[]): JsonObject {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
  const operations = routes.map(
    (route) => [route.method.toLowerCase(), describeRoute(route)] as const,
  );
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

function describeRoute(route: ControlRoute): JsonObject {
  const parameters = [
    ...describeParameters('query', route.query),
    ...describeParameters('header', route.headers),
  ];
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.open === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: { 'application/json': { schema: route.body } },
          },
        }),
    responses: describeAnswers(route),
  };
}

function describeParameters(
  location: 'query' | 'header',
  described: Readonly<Record<string, string>> = {},
): JsonObject[] {
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: location,
    description,
    schema: { type: 'string' },
  }));
}

function describeAnswers({ answers, open }: ControlRoute): JsonObject {
  const always = {
    400: 'The request is invalid',
    ...(open === true ? {} : { 401: 'The token is missing, or not that of this start' }),
    403: 'The request comes from elsewhere',
  };
  const described = Object.entries({ ...always, ...answers }).map(
    ([status, answer]) => [status, describeAnswer(Number(status), answer)] as const,
  );
  return Object.fromEntries(described);
}

function describeAnswer(status: number, answer: ControlAnswer | string): JsonObject {
  const usual = status >= 400 ? 'application/problem+json' : 'application/json';
  if (typeof answer !== 'string') {
    const { description, schema, mediaType = usual } = answer;
    return { description, content: { [mediaType]: { schema } } };
  }
  const content = { [usual]: { schema: { $ref: '#/components/schemas/Problem' } } };
  return { description: answer, ...(status >= 400 ? { content } : {}) };
}
