import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Sequence } from '../model/case.ts';
import type { Argument, RequestTemplate } from '../model/request-template.ts';
import { identifierIn, withOwnIdentifier } from '../plan/draft/identifiers.ts';
import { moveAhead } from '../plan/mark-body.ts';

/** The same request with the run's mark changed, for servers that keep names unique. */
export function reMarkRequest(
  written: RequestTemplate,
  mark: string,
  runId: string,
): RequestTemplate {
  const template = reMarkNames(written, mark, runId);
  const { body } = template;
  if (body === undefined || body.kind === 'bytes') return template;
  const marked = replaceText(body.value, runId, mark);
  const value = body.period === undefined ? marked : moveAhead(marked, body.period, mark);
  const path = body.namedBy === undefined ? body.identifier : undefined;
  const before = path && identifierIn(value, path);
  if (path === undefined || before === undefined) return { ...template, body: { ...body, value } };
  const salt = `${mark} ${String(before)}`;
  return {
    ...template,
    body: { ...body, value: withOwnIdentifier(value, { path, schema: undefined, salt }) },
  };
}

/** The names of the run in the path, where the parameter takes the other mark too. */
function reMarkNames(template: RequestTemplate, mark: string, runId: string): RequestTemplate {
  const isOwn = ({ parameter, source }: Argument): boolean =>
    parameter.in === 'path' && source.kind === 'value' && String(source.value).includes(runId);
  if (!template.arguments.some(isOwn)) return template;
  return {
    ...template,
    arguments: template.arguments.map((argument) => {
      const { parameter, source } = argument;
      if (!isOwn(argument) || source.kind !== 'value') return argument;
      const value = replaceText(source.value, runId, mark);
      return parameter.schema.accepts(value, 'request')
        ? { parameter, source: { kind: 'value', value } }
        : argument;
    }),
  };
}

/** The same for every request of a sequence. */
export function reMarkSequence(sequence: Sequence, mark: string, runId: string): Sequence {
  return {
    ...sequence,
    cases: sequence.cases.map((testCase) => ({
      ...testCase,
      request: reMarkRequest(testCase.request, mark, runId),
    })),
  };
}

function replaceText(value: JsonValue, from: string, to: string): JsonValue {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (isJsonArray(value)) return value.map((item) => replaceText(item, from, to));
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, replaceText(member, from, to)]),
      )
    : value;
}
