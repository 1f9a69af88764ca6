import type { Operation } from '../../contract/model.ts';
import { type HeaderList, headerValues, type HttpRequest } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { meantWord } from '../../nearest-word.ts';
import { parseClock } from '../control/clock.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type {
  BodyReading,
  Preferences,
  ReadParameter,
  RequestParameters,
  RoutedRequest,
} from '../model/request.ts';
import type { RequestView } from '../scenarios/match-rule.ts';
import type { ScenarioEngine } from '../scenarios/scenario-engine.ts';
import { suggestScenario } from '../scenarios/scenario-fault.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { readPreferences } from './preferences.ts';

/** A request on its way through the mock: what it reached, and what it asks for besides. */
export interface RequestContext {
  readonly kind: 'context';
  readonly request: HttpRequest;
  readonly routed: RoutedRequest;
  readonly preferences: Preferences;
  readonly session: string;
  /** The scenarios that are on for it, in the order in which they are tried. */
  readonly scenarios: readonly Scenario[];
  readonly now: Date;
  /** What the request holds, read at most once, and only when it is asked for. */
  readonly view: LazyView;
}

/** What a context is read with. */
interface ContextSource {
  readonly engine: ScenarioEngine;
  readonly clock: () => Date;
}

/**
 * Reads what a request asks for besides its operation: the session, preferences and scenarios; or
 * why they cannot be used.
 */
export function readContext(
  request: HttpRequest,
  routed: RoutedRequest,
  { engine, clock }: ContextSource,
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

/** The scenarios that the request asks for replace those that are on. */
function chooseScenarios(
  { scenarios: asked }: Preferences,
  session: string,
  engine: ScenarioEngine,
): readonly Scenario[] | Fault {
  if (asked === undefined) return engine.scenariosOn(session);
  const unknown = asked.find((name) => engine.find(name) === undefined);
  return unknown === undefined
    ? asked.flatMap((name) => engine.find(name) ?? [])
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

/** The first scenario that stops the clock decides the time. */
function scenarioClock(scenarios: readonly Scenario[]): Date | undefined {
  const written = scenarios.find(({ clock }) => clock !== undefined)?.clock;
  return written === undefined ? undefined : parseClock(written);
}

/** The parts of a routed request, each read when it is first asked for. */
export function viewRequest(routed: RoutedRequest, request: HttpRequest): LazyView {
  return new LazyView(routed, request);
}

class LazyView implements RequestView {
  readonly #routed: RoutedRequest;
  readonly #request: HttpRequest;
  #parameters: RequestParameters | undefined;
  #body: BodyReading | undefined;

  constructor(routed: RoutedRequest, request: HttpRequest) {
    this.#routed = routed;
    this.#request = request;
  }

  get operation(): Operation {
    return this.#routed.plan.operation;
  }

  get headers(): HeaderList {
    return this.#request.headers;
  }

  get requestParameters(): RequestParameters {
    return (this.#parameters ??= this.#routed.parameters(this.#request.headers));
  }

  parameters(): readonly ReadParameter[] {
    return this.requestParameters.all;
  }

  body(): BodyReading {
    const { headers, body } = this.#request;
    return (this.#body ??= this.#routed.bodyReader(headers)(body));
  }
}

/** The session of requests that name none. */
export const defaultSession = 'default';

const name = /^[A-Za-z0-9._-]{1,64}$/;

/** The session that a request names with `Vouch-Session`, or what is wrong with the name. */
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
  if (name.test(session)) return session;
  return makeFault(
    'session',
    'invalid_session',
    'The header Vouch-Session must be 1 to 64 letters, digits, dots, underscores ' +
      `and hyphens, but is ${quoteExcerpt(session)}.`,
  );
}

/**
 * A text that stays the same as long as the request does: what is generated for it is then the same
 * too.
 */
export function makeSeed(
  seed: string,
  operation: string,
  { method, target, body }: HttpRequest,
): string {
  // HEAD announces the length of what GET would answer.
  const asked = method === 'HEAD' ? 'GET' : method;
  return `${seed} ${operation} ${asked} ${target} ${String(hashBytes(body))}`;
}

/** FNV-1a in 32 bits (RFC 9923): small, and good enough to tell bodies apart. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  // An index takes half the time of an iterator.
  for (let at = 0; at < bytes.length; at += 1)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
