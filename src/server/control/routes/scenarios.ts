import type { HttpResponse } from '../../../http/message.ts';
import type { JsonObject } from '../../../json/value.ts';
import { VouchError } from '../../../errors.ts';
import type { Mock } from '../../../mock/mock.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { json, unknownName } from '../control-response.ts';
import { anyOf, exactly, list, name, scenarioView } from '../control-schemas.ts';
import { checkSession, readFields } from '../fields.ts';

const listed = {
  200: {
    description: 'Every scenario, and whether it is on',
    schema: exactly({ scenarios: list(scenarioView) }),
  },
};

/** Activates and deactivates scenarios. */
export const scenarioRoutes: readonly ControlRoute[] = [
  {
    id: 'listScenarios',
    method: 'GET',
    path: '/scenarios',
    summary: 'Every scenario, and whether it is on',
    query: { session: 'For this session; without it, for all' },
    answers: listed,
    answer: async ({ parts, query }) =>
      json({
        scenarios: showScenarios(
          parts.mock,
          query['session'] === undefined ? undefined : checkSession(query['session']),
        ),
      }),
  },
  {
    id: 'switchScenario',
    method: 'POST',
    path: '/scenarios/{name}',
    summary: 'Switches a scenario on or off: for one session, or for all',
    body: { ...anyOf({ active: { type: 'boolean' }, session: name }), required: ['active'] },
    answers: { ...listed, 404: { description: 'There is no such scenario' } },
    answer: async (call) => switchScenario(call),
  },
];

function switchScenario({
  parts: { mock },
  path: { name: wanted = '' },
  request,
}: ControlCall): HttpResponse {
  const fields = readFields(request.body, ['active', 'session']);
  const active = fields.flag('active');
  if (active === undefined)
    throw new VouchError('usage', 'The body must say whether the scenario is to be on.', {
      hint: 'Send {"active": true} or {"active": false}.',
    });
  const session = fields.session();
  if (!mock.scenarios.names.includes(wanted))
    return unknownName('scenario', wanted, mock.scenarios.names);
  if (active) mock.scenarios.activate(wanted, session);
  else mock.scenarios.deactivate(wanted, session);
  return json({ scenarios: showScenarios(mock, session) });
}

/** Every scenario, and whether it is active in a session or in all. */
export function showScenarios({ options, scenarios }: Mock, session?: string): JsonObject[] {
  const active = scenarios.active(session);
  const descriptions = new Map(
    options.scenarios.map((scenario) => [scenario.name, scenario.description]),
  );
  return scenarios.names.map((each) => ({
    name: each,
    description: descriptions.get(each) ?? '',
    active: active.includes(each),
  }));
}
