import type { Operation, SchemaIssue } from '../../../contract/model.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { type ScenarioFault, slipOf } from '../scenario-fault.ts';
import type { AnswerTemplates } from '../scenario.ts';
import type { OpenPlace } from '../templates/json-template.ts';
import type { Placeholder } from '../templates/read-template.ts';

/** The placeholders of an answer that no request of an operation has a value for. */
export function judgePlaceholders(
  templates: AnswerTemplates | undefined,
  operation: Operation,
): ScenarioFault[] {
  return (templates?.open ?? []).flatMap(({ at, template }) =>
    template.flatMap((part) => {
      const fault = typeof part === 'string' ? undefined : judgeOne(part, operation);
      return fault === undefined ? [] : [{ pointer: at, ...fault }];
    }),
  );
}

function judgeOne(
  placeholder: Placeholder,
  { id, parameters, requestBody }: Operation,
): Omit<ScenarioFault, 'pointer'> | undefined {
  if (placeholder.kind !== 'request') return undefined;
  const { expression, text } = placeholder;
  const unreadable = `{${text}} cannot be read: ${id} `;
  if (expression.kind === 'body')
    return requestBody === undefined ? { message: `${unreadable}takes no body.` } : undefined;
  if (!('name' in expression)) return undefined;
  const { kind, name } = expression;
  const names = parameters.filter((each) => each.in === kind).map((each) => each.name);
  if (kind === 'path')
    return names.includes(name)
      ? undefined
      : {
          message: `${unreadable}has no path parameter ${name}.`,
          hint: suggestWord(name, names),
        };
  const meant = slipOf(name, names);
  return meant === undefined
    ? undefined
    : { message: `${unreadable}has no ${kind} ${name}.`, hint: `Did you mean ${meant}?` };
}

/** Keywords that judge a whole value by what stands within it. */
const combining: ReadonlySet<string> = new Set(
  'oneOf anyOf not if contains uniqueItems dependentRequired discriminator'.split(' '),
);

/**
 * Whether a violation depends on a placeholder, so that only a request can tell. Of a text around a
 * placeholder it is known that it is a text.
 */
export function isOpen(
  { at, keyword }: Pick<SchemaIssue, 'at' | 'keyword'>,
  below: Pointer,
  open: readonly OpenPlace[],
): boolean {
  const place = below + at;
  return open.some((each) => {
    if (each.at === place) return keyword !== 'type' || each.template.length === 1;
    if (place.startsWith(`${each.at}/`)) return true;
    return combining.has(keyword) && each.at.startsWith(`${place}/`);
  });
}
