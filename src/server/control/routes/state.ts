import { wordsIn } from '../../../words-in.ts';
import { type JsonObject, pick } from '../../../json/value.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../control-parts.ts';
import { checkSession, done, json, readFields, unknownName } from '../fields.ts';
import {
  anyOf,
  clockView,
  count,
  exactly,
  list,
  name,
  orNull,
  resourceView,
  scenarioView,
  shows,
  text,
} from '../control-schemas.ts';
import { showResource } from './records.ts';
import { originOf } from '../../../http/host.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { usage } from '../../../errors.ts';
import type { Mock } from '../../../mock/mock.ts';
import { clockChanges, moveClock } from '../../../mock/control/move-clock.ts';

const state = exactly({
  version: orNull(text),
  contract: exactly({ title: text, version: text, file: text, operations: count }),
  scenario: orNull(text),
  seed: text,
  clock: clockView,
  store: text,
  resources: list(resourceView),
  sessions: list(text),
  scenarios: list(scenarioView),
  snapshots: list(name),
  exchanges: count,
});

/** Shows and resets the state of the mock. */
export const stateRoutes: readonly ControlRoute[] = [
  {
    id: 'enterConsole',
    method: 'POST',
    path: '/login',
    summary:
      'Lets this browser use the console until the mock stops, by a cookie, and by a key in the ' +
      'header Vouch-Console of its requests',
    answers: { 200: shows('The key', { key: text }) },
    answer: async ({ parts, request }) => parts.login.welcome(request),
  },
  {
    id: 'makeConsoleLink',
    method: 'POST',
    path: '/console-links',
    summary: 'A new link that opens the console in a browser, once',
    answers: { 201: shows('The link', { link: text }) },
    answer: async ({ parts, request }) =>
      json({ link: (originOf(request) ?? '') + parts.login.makePath() }, 201),
  },
  {
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    summary: 'Whether the mock is running',
    open: true,
    answers: { 200: shows('It does', { status: { const: 'ok' } }) },
    answer: async () => json({ status: 'ok' }),
  },
  {
    id: 'getState',
    method: 'GET',
    path: '/state',
    summary: 'The running mock and its state',
    answers: {
      200: {
        description:
          'The contract, the records of requests that name no session, sessions, ' +
          'scenarios and the clock',
        schema: state,
      },
    },
    answer: async ({ parts }) => json(await describeState(parts)),
  },
  {
    id: 'reset',
    method: 'POST',
    path: '/reset',
    summary:
      'Back to the fixtures, every scenario to its first step, and the journal ' +
      'empty, whose next entry counts on: for one session, or for all',
    body: anyOf({ session: name }),
    bodyOptional: true,
    answers: { 204: 'It is done' },
    answer: reset,
  },
];

async function describeState({
  mock,
  version,
  scenario,
  journal,
  snapshots,
}: ControlParts): Promise<JsonObject> {
  const { contract, seed, store } = mock.options;
  const resources = await mock.records.resources(defaultSession);
  return {
    version: version ?? null,
    contract: {
      ...pick(contract, wordsIn('title version file')),
      operations: contract.operations.length,
    },
    scenario: scenario ?? null,
    seed,
    clock: showClock(mock),
    store: store.kind,
    resources: resources.map(showResource),
    sessions: await mock.sessions(),
    scenarios: showScenarios(mock),
    snapshots: snapshots.list().map((named) => named.name),
    exchanges: journal.list().length + journal.forgotten(),
  };
}

async function reset({
  parts: { mock, journal, callbacks },
  request,
}: ControlCall): ReturnType<ControlRoute['answer']> {
  const session = readFields(request.body, ['session'], true).session();
  await mock.reset(session);
  journal.clear(session);
  if (session === undefined) callbacks?.clear();
  return done();
}

const listed = {
  200: shows(
    'Every scenario, and whether it is on; and the folder in which new ones are saved, or null',
    { scenarios: list(scenarioView), folder: orNull(text) },
  ),
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
      listScenarios(
        parts,
        query['session'] === undefined ? undefined : checkSession(query['session']),
      ),
  },
  {
    id: 'switchScenario',
    method: 'POST',
    path: '/scenarios/{name}',
    summary: 'Switches a scenario on or off: for one session, or for all',
    body: { ...anyOf({ active: { type: 'boolean' }, session: name }), required: ['active'] },
    answers: { ...listed, 404: 'There is no such scenario' },
    answer: async (call) => switchScenario(call),
  },
];

function listScenarios({ mock, services }: ControlParts, session?: string): HttpResponse {
  const folder = services.scenarioFiles?.folder() ?? null;
  return json({ scenarios: showScenarios(mock, session), folder });
}

function switchScenario({
  parts,
  path: { name: wanted = '' },
  request,
}: ControlCall): HttpResponse {
  const fields = readFields(request.body, ['active', 'session']);
  const active = fields.flag('active');
  if (active === undefined)
    throw usage('The body must say whether the scenario is to be on.', {
      hint: 'Send {"active": true} or {"active": false}.',
    });
  const session = fields.session();
  const { mock } = parts;
  if (!mock.scenarios.names.includes(wanted))
    return unknownName('scenario', wanted, mock.scenarios.names);
  if (active) mock.scenarios.activate(wanted, session);
  else mock.scenarios.deactivate(wanted, session);
  return listScenarios(parts, session);
}

/** Every scenario, and whether it is active in a session or in all. */
function showScenarios({ options, scenarios }: Mock, session?: string): JsonObject[] {
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

const answers = { 200: { description: 'The clock as it is now', schema: clockView } };

/** The date of the mock, which applies to tokens, timestamps and removal dates. */
export const clockRoutes: readonly ControlRoute[] = [
  {
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: "The mock's present",
    answers,
    answer: async ({ parts }) => json(showClock(parts.mock)),
  },
  {
    id: 'setClock',
    method: 'PUT',
    path: '/clock',
    summary: 'Stops the clock at a date, shifts it, or moves it on: one of the three',
    body: anyOf({ now: text, offset: text, advance: text }),
    answers,
    answer: async ({ parts, request }: ControlCall) => {
      const fields = readFields(request.body, clockChanges);
      const given = clockChanges.flatMap((change) => {
        const value = fields.text(change);
        return value === undefined ? [] : [[change, value] as const];
      });
      moveClock(parts.mock, Object.fromEntries(given));
      return json(showClock(parts.mock));
    },
  },
  {
    id: 'resetClock',
    method: 'DELETE',
    path: '/clock',
    summary: 'Back to the clock that the mock was started with: real time, or the date of --clock',
    answers,
    answer: async ({ parts }) => {
      parts.mock.clock.reset();
      return json(showClock(parts.mock));
    },
  },
];

/** The clock in the control API; `offsetMs` is the difference to the clock of the start. */
function showClock({ clock }: Pick<Mock, 'clock'>): JsonObject {
  const { setting } = clock;
  return {
    now: clock.now().toISOString(),
    mode: setting.kind,
    offsetMs: setting.kind === 'offset' ? setting.milliseconds : 0,
  };
}
