import type { HttpRequest } from '../http/message.ts';
import type { Arrival } from './find-operation.ts';
import type { RequestView } from './match-rule.ts';
import { readBody, type BodyReading } from './request/read-body.ts';
import { readParameters, type ReadParameter } from './request/read-parameters.ts';
import type { Preferences } from './request/read-preferences.ts';
import type { Scenario } from './scenario.ts';

/** A request on its way through the mock: what it reached, and what it asks for besides. */
export interface Visit {
  readonly request: HttpRequest;
  readonly arrival: Arrival;
  readonly preferences: Preferences;
  readonly session: string;
  readonly scenario: Scenario | undefined;
  readonly now: Date;
  /** What the request holds, read at most once, and only when somebody asks. */
  readonly view: RequestView;
}

/** Makes the view of a request that an operation was found for. */
export function viewRequest(arrival: Arrival, request: HttpRequest): RequestView {
  const { operation } = arrival.plan;
  let parameters: readonly ReadParameter[] | undefined;
  let body: BodyReading | undefined;
  return {
    operation,
    headers: request.headers,
    parameters: () => (parameters ??= readParameters(arrival, request)),
    body: () => (body ??= readBody(operation, request)),
  };
}
