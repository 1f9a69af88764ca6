import type { Expression } from '../../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { hash, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Listing, valued, widestPage } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, relationTo, Story } from '../../plan/story.ts';
import { comparedFields } from './compared-fields.ts';
import { isPlainText } from './compound-conditions.ts';

/**
 * A record with a quote in a text, and the list of those that have this text: an expression escapes
 * the quote. Before it the list of those with a part of the text, which shows that the record is
 * there.
 */
export function planQuotedTexts(context: PlanContext, listing: Listing): Sequence[] {
  // The record of a story may be below another parent than the list is.
  if (listing.resource.parents.length > 0) return [];
  return (listing.shape.expressions ?? []).flatMap((expression) => {
    const word = `Qz${hash(`${context.runId} ${listing.resource.name} quote`).slice(0, 8)}`;
    const text = `${word}'s own`;
    const field = textField(context, listing, expression, text);
    const ask = (op: 'eq' | 'starts', value: string): Argument[] => {
      const written =
        field === undefined ? undefined : expression.language.write({ field, op, value });
      return written === undefined ? [] : valued(expression.parameter, written);
    };
    const [whole, part] = [ask('eq', text), ask('starts', word)];
    const { draft, resource } = listing;
    const isWritten = whole.length > 0 && part.length > 0 && expression.parts.includes('starts');
    if (field === undefined || !isWritten) return [];
    const story = new Story(
      context,
      `the quotes in ${expression.parameter.name} of ${draft.operation.id}`,
    );
    const made = story.make(resource, { fixed: { [field]: text } });
    story.step(draft, {
      title: `a list of what starts as the ${field} of a record does`,
      extra: [...part, ...widestPage(listing)],
    });
    story.step(draft, {
      title: `a list of what has the ${field} of a record, which has a quote`,
      extra: [...whole, ...widestPage(listing)],
      intent: relationTo(draft, {
        rule: 'listed',
        of: [made.title],
        field,
        at: expression.parameter.pointer,
      }),
    });
    return story.sequences();
  });
}

/** A text that a create may set to a value. */
function textField(
  context: PlanContext,
  listing: Listing,
  expression: Expression,
  value: JsonValue,
): string | undefined {
  const create = creatorDraft(context, listing.resource);
  const plain = create?.body.value;
  if (create === undefined || !isJsonObject(plain)) return undefined;
  const { schema } = create.body;
  return comparedFields(listing, expression)
    .filter(isPlainText)
    .map(({ name }) => name)
    .find(
      (name) =>
        schema?.flatten().properties.has(name) === true &&
        schema.accepts({ ...plain, [name]: value }, 'request'),
    );
}
