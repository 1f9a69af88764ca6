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
  readonly view: LazyView;
}

/** The dependencies of a context. */
interface ContextSource {
  readonly engine: ScenarioEngine;
  readonly clock: () => Date;
}

/** Reads the session, preferences and scenarios of a request; or why they are invalid. */
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

/** The scenarios of the request replace the active ones. */
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

/** The first scenario with a clock sets the time. */
function scenarioClock(scenarios: readonly Scenario[]): Date | undefined {
  const written = scenarios.find(({ clock }) => clock !== undefined)?.clock;
  return written === undefined ? undefined : parseClock(written);
}

/** The parts of a routed request, parsed on first use. */
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

/** The session of requests without one. */
export const defaultSession = 'default';

const name = /^[A-Za-z0-9._-]{1,64}$/;

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
  if (name.test(session)) return session;
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
  const asked = method === 'HEAD' ? 'GET' : method;
  return `${seed} ${operation} ${asked} ${target} ${String(hashBytes(body))}`;
}

/** FNV-1a in 32 bits (RFC 9923): small, and sufficient to distinguish bodies. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  // An index is twice as fast as an iterator.
  for (let at = 0; at < bytes.length; at += 1)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
