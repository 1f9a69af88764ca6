import { creatorDraft, draftOn, readerOf, relationTo, Story } from '../../plan/story.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { createWith, type DraftWithBody, hasBody } from '../../plan/make-create.ts';
import { fullBody } from '../../plan/full-body.ts';
import { invalidBodyIntent, type Sequence } from '../../model/case.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Resource } from '../../../contract/model.ts';
import { uniqueFields } from '../../../contract/words/read-unique.ts';
import { immutableFields } from '../../../contract/words/read-immutable.ts';
import { isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, membersWhere } from '../../../json/value.ts';
import { requestPhrase, showValue, type Step } from '../../model/step.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { otherStatus, type Related, type RelationFaults } from '../../reading/related.ts';
import { check } from '../check.ts';
import { recordShown } from '../../reading/shown-records.ts';

/** A field that does not change keeps its value, and its own value may be sent again. */
export const immutableIsKept = check({
  id: 'immutable-is-kept',
  basis: 'contract',
  harm: 'data',
  rule:
    'A change of a field that the contract calls immutable is refused or ignored, and a change ' +
    'that repeats the value which a record has is accepted (AIP-203), also where no two records ' +
    'may share one.',
  reason:
    'A client that refers to a record by such a field loses it, and one that sends back what it ' +
    'read cannot change anything.',
  example: [
    '> PATCH /items/7',
    '> {"code": "B-2"}   (code cannot be changed after creation)',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "code": "B-2"}',
  ],
  plan: [{ at: 'stories', made: planImmutables }],
  covers: ['status-documented'],
  relations: { repeated: refusedAgain, kept: changedInRead },
});

/** Refusals that are about the body. */
const refusals = [400, 409, 422];

function refusedAgain({ subject, intent, status }: Related): RelationFaults {
  if (isSuccess(status)) return [];
  if (!refusals.includes(status)) return undefined;
  const why = `: without ${intent.field ?? 'the field'} it accepted it`;
  return otherStatus({ subject, status }, 'a success', why);
}

/** The value that an answer shows in a field of its record. */
function shownIn({ subject }: Related, step: Step, field: string): JsonValue | undefined {
  const record = recordShown(subject.contract, step);
  return record && singleValues(record, field)[0];
}

function changedInRead(related: Related): RelationFaults {
  const { subject, intent, of, status } = related;
  const { field = '' } = intent;
  const [before] = of;
  const change = subject.earlier.at(-1);
  if (before === undefined || change === undefined || !isSuccess(status)) return undefined;
  const [had, got] = [shownIn(related, before, field), shownIn(related, subject, field)];
  if (had === undefined || got === undefined) return undefined;
  if (equalJson(had, got)) return [];
  return {
    message:
      `${field} is ${showValue(got)} after ${requestPhrase(change.case)}; the contract says ` +
      `that it does not change, and it was ${showValue(had)}.`,
    expected: `${field} is ${showValue(had)}`,
    actual: `${field} is ${showValue(got)}`,
    operation: change.case.operation,
  };
}

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
function planImmutables(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  const changes = (['replace', 'update'] as const)
    .map((action) => draftOn(context, resource, action))
    .filter((draft) => draft !== undefined)
    .filter(hasBody);
  if (create?.body.schema === undefined || readerOf(context, resource) === undefined) return [];
  const { schema } = create.body;
  const immutable = immutableFields(resource, [schema, ...changes.map(({ body }) => body.schema)]);
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
  const source = { kind: 'made', step: made.title, resource: resource.name, field } as const;
  const repeated = {
    of: [made],
    value: { ...rest, [field]: held },
    fills: [{ at: joinPointer('', field), source }],
  };
  const isRequired = change.body.schema?.flatten().required.has(field) === true;
  story.step(change, { title: plain, ...(isRequired ? repeated : { of: [made], value: rest }) });
  if (takes)
    story.step(change, {
      ...repeated,
      title: `a ${method} with the ${field} that the record has`,
      relation: { rule: 'repeated', of: [made.title, plain], field },
      optional: true,
    });
  const other = otherValue(context, kept, held);
  if (isImmutable && other !== undefined) {
    story.step(change, {
      title: `a ${method} with another ${field}`,
      of: [made],
      value: { ...rest, [field]: other },
      intent: invalidBodyIntent(`${field} is not changed`, change.operation.pointer, {
        accepted: 'fine',
      }),
    });
    story.read(made, `a read of ${field} after that`, {
      intent: relationTo(change, { rule: 'kept', of: [before, plain], field }),
    });
  }
  return story.sequences();
}

function without(value: JsonValue, field: string): JsonObject {
  return isJsonObject(value) ? membersWhere(value, (name) => name !== field) : {};
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
