import { lazy } from '../../contract/lazy.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import { headerValue, headerValues, withHeader } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { meantWord } from '../../errors.ts';
import { parseClock } from '../control/clock.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { PreferenceName, Preferences, RoutedRequest } from '../model/request.ts';
import { longestDelayMs, parseDelay } from '../scenarios/delay.ts';
import type { RequestView } from '../scenarios/match-rule.ts';
import { readBody, readParameters } from './read-request.ts';
import type { ScenarioEngine } from '../scenarios/scenario-engine.ts';
import { suggestScenario } from '../scenarios/scenario-fault.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** A request in the mock: its operation, and its session, preferences and scenarios. */
export interface RequestContext {
  readonly kind: 'context';
  readonly request: HttpRequest;
  readonly routed: RoutedRequest;
  readonly preferences: Preferences;
  readonly session: string;
  /** Its active scenarios, in order of precedence. */
  readonly scenarios: readonly Scenario[];
  readonly now: Date;
  /** The parts of the request, parsed lazily and once. */
  readonly view: RequestView;
}

/** Reads the session, preferences and scenarios of a request; or why they are invalid. */
export function readContext(
  request: HttpRequest,
  routed: RoutedRequest,
  { engine, clock }: { readonly engine: ScenarioEngine; readonly clock: () => Date },
): RequestContext | Fault {
  const session = readSession(request.headers);
  if (typeof session !== 'string') return session;
  const preferences = readPreferences(request.headers, routed.target);
  if (preferences.kind === 'fault') return preferences;
  const scenarios = chooseScenarios(preferences, session, engine);
  if ('kind' in scenarios) return scenarios;
  return {
    kind: 'context',
    request,
    routed,
    preferences,
    session,
    scenarios,
    now: scenarioClock(scenarios) ?? clock(),
    view: viewRequest(routed, request),
  };
}

/** Several `Accept` fields are one list (RFC 9110, section 5.3). */
export function acceptOf({ request }: RequestContext): string | undefined {
  const fields = headerValues(request.headers, 'accept');
  return fields.length < 2 ? fields[0] : fields.join(', ');
}

/** The scenarios of the request replace the active ones. */
function chooseScenarios(
  { scenarios: requested }: Preferences,
  session: string,
  engine: ScenarioEngine,
): readonly Scenario[] | Fault {
  if (requested === undefined) return engine.scenariosOn(session);
  const unknown = requested.find((name) => engine.find(name) === undefined);
  return unknown === undefined
    ? requested.flatMap((name) => engine.find(name) ?? [])
    : unknownScenario(unknown.slice(0, 60), engine.names);
}

function unknownScenario(name: string, known: readonly string[]): Fault {
  const nearest = meantWord(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const others =
    nearest !== undefined && known.length === 1 ? '' : ` There are: ${known.join(', ')}.`;
  return makeFault(
    'preference',
    'invalid_preference',
    `There is no scenario ${quoteExcerpt(name)}.` +
      (known.length === 0 ? ` ${suggestScenario(name, known)}` : meant + others),
  );
}

/** The first scenario with a clock sets the time. */
function scenarioClock(scenarios: readonly Scenario[]): Date | undefined {
  const written = scenarios.find(({ clock }) => clock !== undefined)?.clock;
  return written === undefined ? undefined : parseClock(written);
}

/** The parts of a routed request, parsed on first use. */
export function viewRequest(routed: RoutedRequest, request: HttpRequest): RequestView {
  return {
    operation: routed.plan.documented,
    headers: request.headers,
    parameters: lazy(() => readParameters(routed, request.headers)),
    body: lazy(() => readBody(routed.plan, request)),
  };
}

/** The session of requests without one. */
export const defaultSession = 'default';

const sessionName = /^[A-Za-z0-9._-]{1,64}$/;

/** The session in `Vouch-Session`, or why its name is invalid. */
export function readSession(headers: HeaderList): string | Fault {
  const named = headerValues(headers, 'vouch-session');
  const [session] = named;
  if (session === undefined) return defaultSession;
  if (named.length > 1)
    return makeFault(
      'session',
      'invalid_session',
      'The header Vouch-Session is given twice. Send it once.',
    );
  if (sessionName.test(session)) return session;
  return makeFault(
    'session',
    'invalid_session',
    'The header Vouch-Session must be 1 to 64 letters, digits, dots, underscores ' +
      `and hyphens, but is ${quoteExcerpt(session)}.`,
  );
}

/** A seed from the content of a request: equal requests get equal generated values. */
export function makeSeed(
  seed: string,
  operation: string,
  { method, target, body }: HttpRequest,
): string {
  // HEAD announces the length of the response to GET.
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  return `${seed} ${operation} ${effectiveMethod} ${target} ${String(hashBytes(body))}`;
}

/** FNV-1a in 32 bits (RFC 9923): small, and sufficient to distinguish bodies. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  // An index is twice as fast as an iterator.
  for (let at = 0; at < bytes.length; at += 1)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** Preferences that apply to every response, including errors. */
export const preferencesOfRequests: readonly PreferenceName[] = ['scenario', 'delay'];

/** Preferences that apply to responses of a scenario. */
export const preferencesOfScripts: readonly PreferenceName[] = [
  ...preferencesOfRequests,
  'dynamic',
  'seed',
];

/** Preferences that apply to normal responses: all. */
export const preferencesOfAnswers: readonly PreferenceName[] = [
  ...preferencesOfScripts,
  'code',
  'example',
];

/** The preferences of a request without any. */
const noPreferences: Preferences = { kind: 'preferences', written: [] };

/**
 * One entry of the list: a token, an optional value, and parameters, which no supported preference
 * has (RFC 7240, section 2). Spaces are bounded, because two adjacent unbounded repetitions would
 * take quadratic time.
 */
const entry = new RegExp(
  [
    /([!#$%&'*+.^_`|~0-9A-Za-z-]+)/,
    /(?:=\s{0,8}("(?:[^"\\]|\\.)*"|[^\s",;]*))?/,
    /(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?(?:,|$)/,
  ]
    .map(({ source }) => `\\s{0,8}${source}`)
    .join(''),
  'y',
);

type Reading = Partial<Omit<Preferences, 'kind' | 'written'>> | Fault;

/** Parses the value of each preference; unknown preferences are ignored (RFC 7240, section 2). */
const readers: Readonly<Record<PreferenceName, (value: string, before: Preferences) => Reading>> = {
  // A 1XX status does not end an exchange (RFC 9110, section 15.2).
  code: (value) =>
    /^[2-5]\d\d$/.test(value)
      ? { code: Number(value) }
      : refuse(
          'code',
          /^1\d\d$/.test(value) ? 'a final status such as 404' : 'a status such as 404',
          value,
        ),
  example: (value) =>
    value === '' ? refuse('example', 'the name of an example', value) : { example: value },
  dynamic: (value) =>
    value === 'true' || value === ''
      ? { dynamic: true }
      : value === 'false'
        ? { dynamic: false }
        : refuse('dynamic', 'true or false', value),
  seed: (value) => (value === '' ? refuse('seed', 'a text such as 7', value) : { seed: value }),
  scenario: (value, { scenarios = [] }) =>
    value === ''
      ? refuse('scenario', 'the name of a scenario', value)
      : { scenarios: [...scenarios, value] },
  delay: (value) => {
    const delayMs = parseDelay(value);
    return delayMs === undefined
      ? refuse(
          'delay',
          `such as 200ms or 2s, and ${String(longestDelayMs / 60_000)} minutes at most`,
          value,
        )
      : { delayMs };
  },
};

function refuse(name: string, expected: string, value: string): Fault {
  return makeFault(
    'preference',
    'invalid_preference',
    `\`${name}\` in the header Prefer must be ${expected}, but is ` +
      `${value === '' ? 'empty' : quoteExcerpt(value)}.`,
  );
}

/**
 * Reads `Prefer: code=404, example=NAME, dynamic=true, seed=7, scenario=NAME, delay=200ms`. The
 * first of two equal names applies, except for scenarios, of which several can be active. Without
 * the header, the query may have the preferences, as in older versions of Prism:
 * `?__code=404&__example=NAME&__dynamic=true&__seed=7`.
 */
export function readPreferences(
  headers: HeaderList,
  target?: Pick<Target, 'query' | 'rawQuery'>,
): Preferences | Fault {
  const fields = headerValues(headers, 'prefer');
  if (fields.length > 0) return readAll(readEntries(fields));
  if (target === undefined || !target.rawQuery.includes('__')) return noPreferences;
  const read = readAll(
    target.query.flatMap(([name, value]) =>
      /^__(code|example|dynamic|seed)$/.test(name)
        ? [{ name: name.slice(2), value, text: '' }]
        : [],
    ),
  );
  return read.kind === 'fault' ? read : { ...read, written: [] };
}

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

function readAll(entries: readonly Entry[]): Preferences | Fault {
  let preferences: Preferences = noPreferences;
  const seen = new Set<string>();
  for (const { name, value, text } of entries) {
    if (!isPreference(name) || (seen.has(name) && name !== 'scenario')) continue;
    seen.add(name);
    const reading = readers[name](value, preferences);
    if ('kind' in reading) return reading;
    preferences = { ...preferences, ...reading, written: [...preferences.written, { name, text }] };
  }
  return preferences;
}

function isPreference(name: string): name is PreferenceName {
  return Object.hasOwn(readers, name);
}

function readEntries(fields: readonly string[]): Entry[] {
  return fields.flatMap((field) => {
    const entries: Entry[] = [];
    entry.lastIndex = 0;
    for (
      let match = entry.exec(field);
      match !== null && match[0] !== '';
      match = entry.exec(field)
    ) {
      const name = (match[1] ?? '').toLowerCase();
      const word = match[2] ?? '';
      const value = word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
      entries.push({ name, value, text: word === '' ? name : `${name}=${word}` });
    }
    return entries;
  });
}

/**
 * Adds the applied preferences to a response (`Preference-Applied`, RFC 7240, section 3), and that
 * it depends on `Prefer` (`Vary`, RFC 9110, section 12.5.5).
 */
export function addPreferenceHeaders(
  headers: HeaderList,
  { written }: Preferences,
  applied: readonly PreferenceName[],
): HeaderList {
  if (written.length === 0) return headers;
  const texts = written.filter(({ name }) => applied.includes(name)).map(({ text }) => text);
  return texts.length === 0
    ? headers
    : [...vary(headers), ['Preference-Applied', texts.join(', ')]];
}

function vary(headers: HeaderList): HeaderList {
  const before = headerValue(headers, 'vary');
  if (before === undefined) return [...headers, ['Vary', 'Prefer']];
  const names = before.split(',').map((name) => name.trim().toLowerCase());
  return names.includes('*') || names.includes('prefer')
    ? headers
    : withHeader(headers, 'Vary', `${before}, Prefer`);
}
