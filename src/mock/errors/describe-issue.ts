import type { ParameterPlace, SchemaIssue } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FaultIssue } from '../model/fault.ts';
import { cutText, joinSentences, showInvisible } from './visible-text.ts';

/** Where a value stands that breaks a rule. */
export interface IssuePlace {
  readonly place: ParameterPlace | 'body';
  /** The parameter's name; `''` for the body. */
  readonly name: string;
  /** What the value is, where it is not the body as it was sent. */
  readonly whole?: string;
}

const wholes = {
  path: 'path',
  query: 'query',
  header: 'header',
  cookie: 'cookie',
  body: 'body',
} as const;

/** A parameter in words: `` `limit` in the query ``. */
export function nameParameter({ place, name, whole = wholes[place] }: IssuePlace): string {
  return `${quoteExcerpt(name)} in the ${whole}`;
}

/**
 * How many broken rules are told: whoever breaks more has read enough, and a body may break a
 * million.
 */
const mostIssues = 20;

/**
 * The first broken rules, and a message that tells as many of them as fit and how many there are
 * besides.
 */
export function describeIssues(
  issues: readonly SchemaIssue[],
  value: JsonValue,
  place: IssuePlace,
): { readonly told: readonly FaultIssue[]; readonly message: string } {
  const told = issues.slice(0, mostIssues).map((issue) => describeIssue(issue, value, place));
  return {
    told,
    message: joinSentences(
      told.map(({ message }) => message),
      issues.length,
    ),
  };
}

/** A broken rule as a sentence that names the field, the rule and what came instead. */
export function describeIssue(
  issue: SchemaIssue,
  value: JsonValue,
  { place, name, whole = wholes[place] }: IssuePlace,
): FaultIssue {
  const path = pathOf(issue.at, { place, name });
  const subject = path === '' ? `The ${whole}` : nameParameter({ place, name: path, whole });
  const concerned =
    issue.property === undefined
      ? path
      : pathOf(joinPointer(issue.at, issue.property), { place, name });
  return {
    place,
    name: cutText(showInvisible(concerned), 100),
    rule: issue.keyword,
    message: `${subject} ${clauseOf(issue)}${instead(issue, value)}.`,
  };
}

/** The clause of the issue; a property that a client made up may be long, and hold anything. */
function clauseOf({ message, property }: SchemaIssue): string {
  const clause =
    property !== undefined && property.length > 40
      ? message.replaceAll(property, cutText(property, 40))
      : message;
  return cutText(showInvisible(clause), 300);
}

/**
 * `/items/0/name` as people write it: `items[0].name`; below a parameter as they write that,
 * `filter[name]`.
 */
function pathOf(at: Pointer, { place, name }: IssuePlace): string {
  const isInBrackets = (token: string): boolean => /^\d+$/.test(token) || place === 'query';
  return splitPointer(at).reduce(
    (path, token) => (isInBrackets(token) ? `${path}[${token}]` : joinPath(path, token)),
    name,
  );
}

function joinPath(path: string, token: string): string {
  return path === '' ? token : `${path}.${token}`;
}

/** Keywords whose sentence says already what came, or for which a value says nothing. */
const saidAlready = new Set([
  'required',
  'type',
  'additionalProperties',
  'unevaluatedProperties',
  'writeOnly',
  'oneOf',
]);

/** What came, where it can be shown in a word. */
function instead(issue: SchemaIssue, value: JsonValue): string {
  const found = issue.at === '' ? value : valueAt(value, issue.at);
  if (
    saidAlready.has(issue.keyword) ||
    found === undefined ||
    (typeof found === 'object' && found !== null)
  )
    return '';
  return (
    ', but is ' +
    (found === ''
      ? 'empty'
      : quoteExcerpt(typeof found === 'string' ? found : stringifyJson(found)))
  );
}
