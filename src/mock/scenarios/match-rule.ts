import type { Operation, ParameterPlace } from '../../contract/model.ts';
import { type HeaderList, headerValues } from '../../http/message.ts';
import { valueAt } from '../../json/pointer.ts';
import type { BodyReading, ReadParameter } from '../model/reading.ts';
import { holds, holdsAtLeast } from './condition.ts';
import type {
  ParameterCondition,
  ParameterGroup,
  ScenarioMatch,
  ScenarioRule,
} from './scenario.ts';

/** A request as rules look at it: what it holds is read only when a rule asks. */
export interface RequestView {
  readonly operation: Operation;
  readonly headers: HeaderList;
  parameters(): readonly ReadParameter[];
  body(): BodyReading;
}

/** Whether a rule is about an operation. */
export function concernsOperation(
  { operations, tags }: ScenarioRule,
  { id, tags: own }: Operation,
): boolean {
  return (
    operations.includes(id) || operations.includes('*') || tags.some((tag) => own.includes(tag))
  );
}

/** Whether a rule of a scenario is about a request; its probability is not asked. */
export function matchesRule(rule: ScenarioRule, view: RequestView, session: string): boolean {
  if (!concernsOperation(rule, view.operation)) return false;
  const { match } = rule;
  return (
    match === undefined ||
    (matchesSession(match, session) &&
      matchesHeaders(match, view) &&
      matchesParameters(match, view) &&
      matchesBody(match, view))
  );
}

function matchesSession({ session: condition }: ScenarioMatch, session: string): boolean {
  return condition === undefined || holds(condition, session);
}

function matchesHeaders({ headers }: ScenarioMatch, view: RequestView): boolean {
  return Object.entries(headers).every(([name, condition]) => {
    const given = headerValues(view.headers, name).map((value) => value.trim());
    return given.length === 0
      ? holds(condition, undefined)
      : given.some((value) => holds(condition, value));
  });
}

function matchesParameters({ parameters }: ScenarioMatch, view: RequestView): boolean {
  return parameters.every((wanted) => matchesParameter(wanted, view));
}

const places: Readonly<Record<Exclude<ParameterGroup, 'parameters'>, ParameterPlace>> = {
  path: 'path',
  query: 'query',
  cookies: 'cookie',
};

/** Whether a parameter of that place and name is one that a condition is about. */
export function concernsParameter(
  { group, name }: Pick<ParameterCondition, 'group' | 'name'>,
  parameter: { readonly name: string; readonly in: ParameterPlace },
): boolean {
  return parameter.name === name && (group === 'parameters' || places[group] === parameter.in);
}

/** What cannot be read is there all the same, but equals nothing. */
function matchesParameter(wanted: ParameterCondition, view: RequestView): boolean {
  const found = view
    .parameters()
    .filter(
      ({ parameter, reading }) => concernsParameter(wanted, parameter) && reading.kind !== 'absent',
    );
  if (found.length === 0) return holds(wanted.condition, undefined);
  return found.some(({ reading }) =>
    reading.kind === 'value'
      ? holds(wanted.condition, reading.value)
      : wanted.condition.kind === 'present',
  );
}

function matchesBody({ body, bodyAt }: ScenarioMatch, view: RequestView): boolean {
  const places = Object.entries(bodyAt);
  if (body === undefined && places.length === 0) return true;
  const reading = view.body();
  const value = reading.kind === 'value' ? reading.value : undefined;
  if (body !== undefined && (value === undefined || !holdsAtLeast(value, body))) return false;
  return places.every(([pointer, condition]) => holds(condition, valueAt(value, pointer)));
}
