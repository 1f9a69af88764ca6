import { immutableFields } from '../../../contract/words/read-immutable.ts';
import { uniqueFields } from '../../../contract/words/read-unique.ts';
import type { Resource } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { fullBody } from '../../plan/full-body.ts';
import { createWith, type DraftWithBody, hasBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, draftOn, eachMade, readerOf, relationTo, Story } from '../../plan/story.ts';

/** A field of a record, and the change in which it is sent. */
interface Kept {
  readonly resource: Resource;
  readonly field: string;
  readonly create: DraftWithBody;
  readonly change: DraftWithBody;
  /** Whether the contract says that it keeps its value. */
  readonly isImmutable: boolean;
}

/**
 * Changes that repeat a value which the record has, in a field that no other record may share or
 * that does not change, and then give it another one, between reads of the record.
 */
export function planImmutables(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const create = creatorDraft(context, resource);
    const changes = (['replace', 'update'] as const)
      .map((action) => draftOn(context, resource, action))
      .filter((draft) => draft !== undefined)
      .filter(hasBody);
    if (create?.body.schema === undefined || readerOf(context, resource) === undefined) return [];
    const { schema } = create.body;
    const immutable = immutableFields(resource, [
      schema,
      ...changes.map(({ body }) => body.schema),
    ]);
    const unique = uniqueFields(create.operation, schema).map(({ name }) => name);
    return [...new Set([...immutable, ...unique])]
      .filter((field) => field !== resource.identifier.field)
      .filter((field) => schema.flatten().properties.has(field))
      .flatMap((field) =>
        changes.flatMap((change) =>
          tell(context, {
            resource,
            field,
            create,
            change,
            isImmutable: immutable.includes(field),
          }),
        ),
      );
  });
}

function tell(context: PlanContext, kept: Kept): Sequence[] {
  const { resource, field, create, change, isImmutable } = kept;
  const { method } = change.operation;
  const whole = fullBody(create.body, [field]);
  const held = whole[field];
  const takes = change.body.schema?.flatten().properties.has(field) === true;
  if (held === undefined || held === null || (!takes && !isImmutable)) return [];
  const story = new Story(context, `${field} of ${resource.name} in ${change.operation.id}`);
  const made = story.make(resource, { value: whole });
  const [before, plain] = [`a read of ${field} before`, `a plain ${method}`];
  story.read(made, before);
  const rest = without(change.body.value, field);
  story.step(change, { title: plain, of: [made], value: rest });
  if (takes)
    story.step(change, {
      title: `a ${method} with the ${field} that the record has`,
      of: [made],
      value: { ...rest, [field]: held },
      fills: [
        {
          at: joinPointer('', field),
          source: { kind: 'made', step: made.title, resource: resource.name, field },
        },
      ],
      intent: relationTo(change, { rule: 'repeated', of: [made.title, plain], field }),
      optional: true,
    });
  const other = otherValue(context, kept, held);
  if (isImmutable && other !== undefined) {
    story.step(change, {
      title: `a ${method} with another ${field}`,
      of: [made],
      value: { ...rest, [field]: other },
      intent: {
        kind: 'invalid',
        at: change.operation.pointer,
        rule: `${field} is not changed`,
        part: 'body',
        subject: 'the body',
        accepted: 'fine',
      },
    });
    story.read(made, `a read of ${field} after that`, {
      intent: relationTo(change, { rule: 'kept', of: [before, plain], field }),
    });
  }
  return story.sequences();
}

function without(value: JsonValue, field: string): JsonObject {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== field))
    : {};
}

/** A value of the run that another record could have. */
function otherValue(
  context: PlanContext,
  { create, field }: Kept,
  held: JsonValue,
): JsonValue | undefined {
  const title = `another ${field}`;
  const { body } = createWith(context, create, {
    title,
    value: fullBody(create.body, [field]),
  }).request;
  const value =
    body === undefined || body.kind === 'bytes' || !isJsonObject(body.value)
      ? undefined
      : body.value[field];
  return value === undefined || equalJson(value, held) ? undefined : value;
}
