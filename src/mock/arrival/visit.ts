import type { Operation } from '../../contract/model.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { Arrival } from './find-operation.ts';
import type { RequestView } from '../scenarios/match-rule.ts';
import { bodyReader, type BodyReading, type ReadBytes } from '../request/read-body.ts';
import { readParameters, type ReadParameter } from '../request/read-parameters.ts';
import type { Preferences } from '../request/read-preferences.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** A request on its way through the mock: what it reached, and what it asks for besides. */
export interface Visit {
  readonly request: HttpRequest;
  readonly arrival: Arrival;
  readonly preferences: Preferences;
  readonly session: string;
  /** Those that are on for it, in the order in which they are asked. */
  readonly scenarios: readonly Scenario[];
  readonly now: Date;
  /** What the request holds, read at most once, and only when somebody asks. */
  readonly view: RequestView;
}

/**
 * Makes the view of a request that an operation was found for; `read` where it is known how bodies
 * of its head are read.
 */
export function viewRequest(
  arrival: Arrival,
  request: HttpRequest,
  read: ReadBytes = bodyReader(arrival.plan.operation, request),
): RequestView {
  return new VisitView(arrival, request, read);
}

class VisitView implements RequestView {
  readonly #arrival: Arrival;
  readonly #request: HttpRequest;
  readonly #read: ReadBytes;
  #parameters: readonly ReadParameter[] | undefined;
  #body: BodyReading | undefined;

  constructor(arrival: Arrival, request: HttpRequest, read: ReadBytes) {
    this.#arrival = arrival;
    this.#request = request;
    this.#read = read;
  }

  get operation(): Operation {
    return this.#arrival.plan.operation;
  }

  get headers(): HeaderList {
    return this.#request.headers;
  }

  parameters(): readonly ReadParameter[] {
    return (this.#parameters ??= parametersOf(this.#arrival, this.#request));
  }

  body(): BodyReading {
    return (this.#body ??= this.#read(this.#request.body));
  }
}

/** What targets hold, for as long as the finder remembers what they lead to. */
const ofTargets = new WeakMap<Arrival, readonly ReadParameter[]>();

/** Where no parameter is a header or a cookie, the target alone says what the parameters are. */
function parametersOf(arrival: Arrival, request: HttpRequest): readonly ReadParameter[] {
  const known = ofTargets.get(arrival);
  if (known !== undefined) return known;
  const parameters = readParameters(arrival, request);
  if (parameters.every(({ parameter }) => parameter.in === 'path' || parameter.in === 'query'))
    ofTargets.set(arrival, parameters);
  return parameters;
}
