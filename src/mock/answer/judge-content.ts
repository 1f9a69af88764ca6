import type { SchemaIssue } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import type { AnswerContent } from '../model/operation-plan.ts';

/**
 * Every way in which a value breaks what an answer's content asks of it. A text that is the body
 * itself, such as an example in XML, cannot be held against the schema of the value that it stands
 * for.
 */
export function judgeContent(
  value: JsonValue,
  { schema, itemSchema, form }: AnswerContent,
): readonly SchemaIssue[] {
  if (schema !== undefined)
    return isOwnText(value, form) && !schema.flatten().types.includes('string')
      ? []
      : schema.validate(value, 'response');
  if (itemSchema === undefined || isOwnText(value, form)) return [];
  const items = isJsonArray(value) ? value : [value];
  return items.flatMap((item, index) =>
    itemSchema
      .validate(item, 'response')
      .map((issue) => ({ ...issue, at: joinPointer('', index) + issue.at })),
  );
}

function isOwnText(value: JsonValue, form: AnswerContent['form']): boolean {
  return typeof value === 'string' && form !== 'json';
}
