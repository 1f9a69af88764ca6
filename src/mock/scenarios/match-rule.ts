import type { Operation, ParameterPlace } from '../../contract/model.ts';
import { type HeaderList, headerValues } from '../../http/message.ts';
import { equalJson } from '../../json/equal-json.ts';
import { valueAt } from '../../json/pointer.ts';
import { briefJson, isJsonArray, isJsonObject, type JsonValue, textOf } from '../../json/value.ts';
import type { ParsedBody, ReadParameter } from '../model/request.ts';
import type {
  Condition,
  ParameterCondition,
  ParameterGroup,
  ScenarioMatch,
  ScenarioRule,
} from './scenario.ts';

/** A request for the matching of rules; its parts are parsed lazily. */
export interface RequestView {
  readonly operation: Operation;
  readonly headers: HeaderList;
  parameters(): readonly ReadParameter[];
  body(): ParsedBody;
}

export function concernsOperation(
  { operations, tags }: ScenarioRule,
  { id, tags: own }: Operation,
): boolean {
  return (
    operations.includes(id) || operations.includes('*') || tags.some((tag) => own.includes(tag))
  );
}

/** Whether a rule matches a request, regardless of its probability. */
export function matchesRule(rule: ScenarioRule, view: RequestView, session: string): boolean {
  if (!concernsOperation(rule, view.operation)) return false;
  const { match } = rule;
  return (
    match === undefined ||
    ((match.session === undefined || holds(match.session, session)) &&
      matchesHeaders(match, view) &&
      match.parameters.every((expected) => matchesParameter(expected, view)) &&
      matchesBody(match, view))
  );
}

function matchesHeaders({ headers }: ScenarioMatch, view: RequestView): boolean {
  return Object.entries(headers).every(([name, condition]) => {
    const given = headerValues(view.headers, name).map((value) => value.trim());
    return given.length === 0
      ? holds(condition, undefined)
      : given.some((value) => holds(condition, value));
  });
}

const places: Readonly<Record<Exclude<ParameterGroup, 'parameters'>, ParameterPlace>> = {
  path: 'path',
  query: 'query',
  cookies: 'cookie',
};

/** Whether a condition applies to a parameter with that location and name. */
export function concernsParameter(
  { group, name }: Pick<ParameterCondition, 'group' | 'name'>,
  parameter: { readonly name: string; readonly in: ParameterPlace },
): boolean {
  return parameter.name === name && (group === 'parameters' || places[group] === parameter.in);
}

/** A value that cannot be parsed is present, but equals nothing. */
function matchesParameter(expected: ParameterCondition, view: RequestView): boolean {
  const found = view
    .parameters()
    .filter(
      ({ parameter, reading }) =>
        concernsParameter(expected, parameter) && reading.kind !== 'absent',
    );
  if (found.length === 0) return holds(expected.condition, undefined);
  return found.some(({ reading }) =>
    reading.kind === 'value'
      ? holds(expected.condition, reading.value)
      : expected.condition.kind === 'present',
  );
}

function matchesBody({ body, bodyAt }: ScenarioMatch, view: RequestView): boolean {
  const conditions = Object.entries(bodyAt);
  if (body === undefined && conditions.length === 0) return true;
  const reading = view.body();
  const value = reading.kind === 'value' ? reading.value : undefined;
  if (body !== undefined && (value === undefined || !holdsAtLeast(value, body))) return false;
  return conditions.every(([pointer, condition]) => holds(condition, valueAt(value, pointer)));
}

/** Whether a value satisfies a condition; undefined stands for a missing value. */
export function holds(condition: Condition, value: JsonValue | undefined): boolean {
  if (condition.kind === 'absent') return value === undefined;
  if (value === undefined) return false;
  if (condition.kind === 'present') return true;
  if (condition.kind === 'pattern') return condition.pattern.decide(textOf(value)) === true;
  return condition.values.some((expected) => isMeant(value, expected));
}

/** `4711` in a scenario matches a number and a text. */
function isMeant(given: JsonValue, expected: JsonValue): boolean {
  if (equalJson(given, expected)) return true;
  return (
    typeof given !== 'object' && typeof expected !== 'object' && String(given) === String(expected)
  );
}

/**
 * Whether a value contains a required one: the members of an object, all items of a list in order.
 */
function holdsAtLeast(value: JsonValue, expected: JsonValue): boolean {
  if (isJsonArray(expected))
    return (
      isJsonArray(value) &&
      value.length === expected.length &&
      expected.every((item, index) => holdsItem(value[index], item))
    );
  if (!isJsonObject(expected)) return equalJson(value, expected);
  return (
    isJsonObject(value) &&
    Object.entries(expected).every(([name, member]) =>
      holdsItem(Object.hasOwn(value, name) ? value[name] : undefined, member),
    )
  );
}

function holdsItem(given: JsonValue | undefined, expected: JsonValue): boolean {
  return given !== undefined && holdsAtLeast(given, expected);
}

/** A request that a rule did not match; `isWhole`: its whole body is known. */
interface PassedBy {
  readonly view: RequestView;
  readonly session: string;
  readonly isWhole: boolean;
}

/**
 * The only condition of a rule that a request does not satisfy, as a clause; undefined if there is
 * none or several.
 */
export function findUnmet(
  rule: ScenarioRule,
  { view, session, isWhole }: PassedBy,
): string | undefined {
  if (rule.match === undefined || !concernsOperation(rule, view.operation)) return undefined;
  const parts = partsOf(rule.match);
  if (!isWhole && parts.some(({ ofBody }) => ofBody)) return undefined;
  const [first, ...others] = parts.filter(
    ({ match }) => !matchesRule({ ...rule, match }, view, session),
  );
  return others.length === 0 ? first?.says : undefined;
}

/** One condition with its description. */
interface Part {
  readonly match: ScenarioMatch;
  readonly says: string;
  readonly ofBody: boolean;
}

const nothing: ScenarioMatch = { parameters: [], headers: {}, bodyAt: {}, probability: 1 };

function partsOf({ parameters, headers, body, bodyAt, session }: ScenarioMatch): Part[] {
  const part = (match: Partial<ScenarioMatch>, says: string, ofBody = false): Part => ({
    match: { ...nothing, ...match },
    says,
    ofBody,
  });
  return [
    ...(session === undefined ? [] : [part({ session }, `the session ${wordsOf(session)}`)]),
    ...parameters.map((expected) =>
      part(
        { parameters: [expected] },
        `${expected.group === 'parameters' ? 'the parameter' : expected.group} ` +
          `${expected.name} ${wordsOf(expected.condition)}`,
      ),
    ),
    ...Object.entries(headers).map(([name, expected]) =>
      part({ headers: { [name]: expected } }, `the header ${name} ${wordsOf(expected)}`),
    ),
    ...(body === undefined ? [] : [part({ body }, `the body must hold ${briefJson(body)}`, true)]),
    ...Object.entries(bodyAt).map(([pointer, expected]) =>
      part(
        { bodyAt: { [pointer]: expected } },
        `${pointer} of the body ${wordsOf(expected)}`,
        true,
      ),
    ),
  ];
}

function wordsOf(condition: Condition): string {
  switch (condition.kind) {
    case 'equal':
      return `must be ${condition.values.map((value) => briefJson(value)).join(' or ')}`;
    case 'pattern':
      return `must match ${String(condition.pattern)}`;
    case 'present':
      return 'must be there';
    case 'absent':
      return 'must not be there';
  }
}
