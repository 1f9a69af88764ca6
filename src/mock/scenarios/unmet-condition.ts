import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { concernsOperation, matchesRule, type RequestView } from './match-rule.ts';
import type { Condition, ScenarioMatch, ScenarioRule } from './scenario.ts';

/** A request that a rule did not take; `isWhole`: all of its body is known. */
export interface PassedBy {
  readonly view: RequestView;
  readonly session: string;
  readonly isWhole: boolean;
}

/**
 * The one condition of a rule that a request does not meet, as a clause; undefined where it meets
 * all, or several are not met.
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

/** One condition by itself, in words. */
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
    ...parameters.map((wanted) =>
      part(
        { parameters: [wanted] },
        `${wanted.group === 'parameters' ? 'the parameter' : wanted.group} ${wanted.name} ${wordsOf(wanted.condition)}`,
      ),
    ),
    ...Object.entries(headers).map(([name, wanted]) =>
      part({ headers: { [name]: wanted } }, `the header ${name} ${wordsOf(wanted)}`),
    ),
    ...(body === undefined ? [] : [part({ body }, `the body must hold ${brief(body)}`, true)]),
    ...Object.entries(bodyAt).map(([pointer, wanted]) =>
      part({ bodyAt: { [pointer]: wanted } }, `${pointer} of the body ${wordsOf(wanted)}`, true),
    ),
  ];
}

function wordsOf(condition: Condition): string {
  switch (condition.kind) {
    case 'equal':
      return `must be ${condition.values.map(brief).join(' or ')}`;
    case 'pattern':
      return `must match ${String(condition.pattern)}`;
    case 'present':
      return 'must be there';
    case 'absent':
      return 'must not be there';
  }
}

const longest = 80;

function brief(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
