import { createHash } from 'node:crypto';
import { valueAt, withValueAt } from '../../../json/pointer.ts';
import { editParts, type JsonValue } from '../../../json/value.ts';
import { hash, type Sequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import {
  identifierIn,
  inFormOf,
  placeOfCode,
  withOwnIdentifier,
} from '../../reading/identifiers.ts';
import { markIn, moveAhead } from '../../plan/mark-body.ts';

/**
 * The same request with the run's marks changed, for servers that keep names unique. Texts stay as
 * long as they are, since a service may take no longer ones. With a salt, a replay of a later run
 * with the same seed writes other texts, and does not take what an earlier one left for its own.
 */
export function reMarkRequest(
  written: RequestTemplate,
  mark: string,
  runId: string,
  salt = '',
): RequestTemplate {
  const change = (value: JsonValue): JsonValue =>
    typeof value === 'string' ? reMarkText(value, mark, runId, salt) : editParts(value, change);
  const template = reMarkNames(written, runId, change);
  const { body } = template;
  if (body === undefined || body.kind === 'bytes') return template;
  const marked = recode(change(body.value), body.codes, `${mark}${salt}`);
  const value =
    body.period === undefined ? marked : moveAhead(marked, body.period, `${mark}${salt}`);
  const path = body.namedBy === undefined ? body.identifier : undefined;
  const before = path && identifierIn(value, path);
  if (path === undefined || before === undefined) return { ...template, body: { ...body, value } };
  const own = `${mark}${salt} ${String(before)}`;
  return {
    ...template,
    body: { ...body, value: withOwnIdentifier(value, { path, schema: undefined, salt: own }) },
  };
}

/** Other texts of the same form: a service may take each of them once. */
function recode(value: JsonValue, codes: readonly string[] = [], salt: string): JsonValue {
  return codes.reduce((whole, code) => {
    const text = valueAt(whole, placeOfCode(code));
    if (typeof text !== 'string') return whole;
    const digest = createHash('sha256').update(`${salt} ${text}`).digest('hex');
    return withValueAt(whole, placeOfCode(code), inFormOf(text, digest));
  }, value);
}

/** The names of the run in the path, where the parameter takes the other mark too. */
function reMarkNames(
  template: RequestTemplate,
  runId: string,
  change: (value: JsonValue) => JsonValue,
): RequestTemplate {
  const isOwn = ({ parameter, source }: Argument): boolean =>
    parameter.in === 'path' && source.kind === 'value' && String(source.value).includes(runId);
  if (!template.arguments.some(isOwn)) return template;
  return {
    ...template,
    arguments: template.arguments.map((argument) => {
      const { parameter, source } = argument;
      if (!isOwn(argument) || source.kind !== 'value') return argument;
      const value = change(source.value);
      return parameter.schema.accepts(value, 'request')
        ? { parameter, source: { kind: 'value', value } }
        : argument;
    }),
  };
}

/** The same for every request of a sequence. */
export function reMarkSequence(
  sequence: Sequence,
  mark: string,
  runId: string,
  salt?: string,
): Sequence {
  return {
    ...sequence,
    cases: sequence.cases.map((testCase) => ({
      ...testCase,
      request: reMarkRequest(testCase.request, mark, runId, salt),
    })),
  };
}

/** The marks of the run in a text, each with another hash behind the run's id. */
function reMarkText(text: string, mark: string, runId: string, salt: string): string {
  const prefix = `${runId}-`;
  const found = markIn(text, prefix);
  if (found === undefined) return text.replaceAll(runId, mark);
  // The end of the mark stays, so that what is made again stands behind the rest in an order.
  const label = `${mark.slice(prefix.length)}${hash(`${mark}${salt} ${found}`)}`;
  return text.replaceAll(found, `${prefix}${label.slice(0, found.length - prefix.length)}`);
}
