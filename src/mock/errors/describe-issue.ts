import type { ParameterPlace, SchemaIssue } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import { type Fault, type FaultIssue, makeFault } from '../model/reply.ts';
import { cutText, joinSentences, showInvisible } from './visible-text.ts';

/** The location of an invalid value. */
export interface IssuePlace {
  readonly location: ParameterPlace | 'body';
  /** The parameter's name; `''` for the body. */
  readonly name: string;
  /** A name for the whole value, if it is not the body as sent. */
  readonly whole?: string;
}

const wholes = {
  path: 'path',
  query: 'query',
  header: 'header',
  cookie: 'cookie',
  body: 'body',
} as const;

/** A parameter in a message: `` `limit` in the query ``. */
export function nameParameter({ location, name, whole = wholes[location] }: IssuePlace): string {
  return `${quoteExcerpt(name)} in the ${whole}`;
}

/** The fault of a query parameter whose value breaks a rule; `why` is the rest of the sentence. */
export function valueFault(name: string, rule: string, why: string): Fault {
  const message = `${nameParameter({ location: 'query', name })} ${why}.`;
  return makeFault('parameter-value', 'invalid_value', message, {
    issues: [{ location: 'query', name, rule, message }],
  });
}

/** The maximum number of reported violations: a body can have a million. */
const maxIssues = 20;

/** The first violations, and a message with as many as fit and the number of others. */
export function describeIssues(
  issues: readonly SchemaIssue[],
  value: JsonValue,
  place: IssuePlace,
): { readonly reported: readonly FaultIssue[]; readonly message: string } {
  const reported = issues.slice(0, maxIssues).map((issue) => describeIssue(issue, value, place));
  return {
    reported,
    message: joinSentences(
      reported.map(({ message }) => message),
      issues.length,
    ),
  };
}

/** A violation as a sentence with the field, the rule and the actual value. */
export function describeIssue(
  issue: SchemaIssue,
  value: JsonValue,
  { location, name, whole = wholes[location] }: IssuePlace,
): FaultIssue {
  const path = pathOf(issue.at, { location, name });
  const subject = path === '' ? `The ${whole}` : nameParameter({ location, name: path, whole });
  const concerned =
    issue.property === undefined
      ? path
      : pathOf(joinPointer(issue.at, issue.property), { location, name });
  return {
    location,
    name: cutText(showInvisible(concerned), 100),
    ...(location === 'body' ? {} : { parameter: name }),
    rule: issue.keyword,
    message: `${subject} ${clauseOf(issue)}${instead(issue, value)}.`,
    value: issue.at === '' ? value : valueAt(value, issue.at),
    stated: issue.pointer,
  };
}

/** The clause of a violation; cuts property names of the client, which may be long. */
function clauseOf({ message, property }: SchemaIssue): string {
  const clause =
    property !== undefined && property.length > 40
      ? message.replaceAll(property, cutText(property, 40))
      : message;
  return cutText(showInvisible(clause), 300);
}

/** `/items/0/name` as `items[0].name`; below a parameter in its own notation, `filter[name]`. */
function pathOf(at: Pointer, { location, name }: IssuePlace): string {
  const isInBrackets = (token: string): boolean => /^\d+$/.test(token) || location === 'query';
  return splitPointer(at).reduce(
    (path, token) =>
      isInBrackets(token) ? `${path}[${token}]` : path === '' ? token : `${path}.${token}`,
    name,
  );
}

/** Keywords whose message already has the value, or for which a value is not helpful. */
const saidAlready = new Set([
  'required',
  'type',
  'additionalProperties',
  'unevaluatedProperties',
  'writeOnly',
  'oneOf',
]);

/** The actual value, if it is short. */
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
