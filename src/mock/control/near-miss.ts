import type { HttpRequest } from '../../http/message.ts';
import type { Refusal } from '../model/reply.ts';
import { readPreferences, readSession, viewRequest } from '../request/request-context.ts';
import type { OperationFinder } from '../route/find-operation.ts';
import { findUnmet } from '../scenarios/match-rule.ts';
import type { ScenarioEngine } from '../scenarios/scenario-engine.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** An operation or scenario that a request nearly matched, and the only difference. */
export interface NearMiss {
  readonly kind: 'operation' | 'scenario';
  /** The operation's id, or its path if it has several; the scenario's name. */
  readonly name: string;
  readonly message: string;
}

/** A recorded request with its result. */
export interface PastRequest {
  readonly request: HttpRequest;
  /** False if only the start of its body is known. */
  readonly isWhole: boolean;
  readonly refusal: Refusal | undefined;
  readonly scenario: string | undefined;
}

/** The operations of the contract, and the active scenarios. */
export interface NearMissSource {
  readonly find: OperationFinder;
  readonly engine: Pick<ScenarioEngine, 'scenariosOn' | 'find'>;
}

/**
 * What a request nearly matched: an operation, except for its method or path; or an active
 * scenario, except for one condition. A request with a wrong body is of its operation.
 */
export function findNearMiss(past: PastRequest, source: NearMissSource): NearMiss | undefined {
  return nearOperation(past, source) ?? nearScenario(past, source);
}

function nearOperation(
  { request, refusal }: PastRequest,
  { find }: NearMissSource,
): NearMiss | undefined {
  if (refusal?.cause === 'no-path') return atNearPath(request, refusal.meant, find);
  return refusal?.cause === 'wrong-method' ? byOtherMethod(request, find) : undefined;
}

function atNearPath(
  { method }: HttpRequest,
  meant: string | undefined,
  find: OperationFinder,
): NearMiss | undefined {
  const operation =
    meant === undefined
      ? undefined
      : find
          .view(meant)
          ?.operations.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  return (
    operation && {
      kind: 'operation',
      name: operation.id,
      message: `All but the path fits: ${method} ${String(meant)} is ${operation.id}.`,
    }
  );
}

function byOtherMethod({ target }: HttpRequest, find: OperationFinder): NearMiss | undefined {
  const operations = find.view(target)?.operations ?? [];
  const [first] = operations;
  const known = operations.map(({ method, id }) => `${method} is ${id}`).join(', ');
  return (
    first && {
      kind: 'operation',
      name: operations.length === 1 ? first.id : first.path,
      message: `All but the method fits: here ${known}.`,
    }
  );
}

function nearScenario(
  { request, scenario, isWhole }: PastRequest,
  { find, engine }: NearMissSource,
): NearMiss | undefined {
  const session = readSession(request.headers);
  const preferences = readPreferences(request.headers);
  if (scenario !== undefined || typeof session !== 'string' || preferences.kind === 'fault')
    return undefined;
  const scenarios =
    preferences.scenarios?.flatMap((name) => engine.find(name) ?? []) ??
    engine.scenariosOn(session);
  if (scenarios.length === 0) return undefined;
  const routed = find.find(request);
  if (routed.kind !== 'routed') return undefined;
  const view = viewRequest(routed, request);
  return firstOf(scenarios, ({ name, rules }: Scenario) => {
    const unmet = firstOf(rules, (rule) => findUnmet(rule, { view, session, isWhole }));
    return unmet === undefined
      ? undefined
      : {
          kind: 'scenario',
          name,
          message:
            `The active scenario ${name} would answer ${view.operation.id}, ` +
            `except for one condition: ${unmet}.`,
        };
  });
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
