import { type RecordField, recordFields } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { namesChange, namesCreation } from '../../../contract/words/names.ts';
import { headerValue } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { valueAt } from '../../../json/pointer.ts';
import { objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { showValue, type Step } from '../../model/step.ts';
import { changedValue, createdMembers, partialValues } from '../../plan/change-step.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, draftOn, relationTo, Story } from '../../plan/story.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { timeOf } from '../../reading/moments.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { visibleChange } from '../../reading/visible-change.ts';
import { check } from '../check.ts';

/** The moment of the last change, which a record shows, moves with each change. */
export const changeIsDated = check({
  id: 'change-is-dated',
  basis: 'inferred',
  harm: 'results',
  rule:
    'The moment of the last change that the service shows in a record, such as `updatedAt`, is ' +
    'another one after a change; the moment of its creation is the same.',
  reason: 'A client that looks for what has changed since its last visit misses the record.',
  example: [
    '> GET /items/7',
    '< {"id": 7, "name": "old", "updatedAt": "2030-01-01T12:00:00.100Z"}',
    '> PATCH /items/7',
    '> {"name": "new"}',
    '> GET /items/7',
    '< {"id": 7, "name": "new", "updatedAt": "2030-01-01T12:00:00.100Z"}',
  ],
  plan: [{ at: 'stories', resource: planDatedChanges }],
  relations: { dated: isMisdated, undated: isMisdated },
});

/** The moment of a change that is as before, or of a creation that is not. */
function isMisdated({ subject, of, intent, resource }: Related): RelationFault[] | undefined {
  const { earlier } = subject;
  const [made, change] = of;
  const isShown = visibleChange(subject, earlier, subject)?.change === change;
  const { field = '', rule } = intent;
  if (resource === undefined || made === undefined || change === undefined || !isShown)
    return undefined;
  const [former, latter] = [made, subject].map(
    (step) => singleValues(shownRecord(resource, step.answer) ?? {}, field)[0],
  );
  if (former === undefined || latter === undefined) return [];
  if (equalJson(former, latter) === (rule === 'undated')) return [];
  // A clock that stands still shows nothing; one that runs has ticked before the change.
  if (!isNow(former, made)) return undefined;
  const { id } = change.case.operation;
  const [stayed, when] = [`${field} stayed ${showValue(former)}`, 'when the record was changed by'];
  return [
    rule === 'dated'
      ? {
          message: `${stayed} ${when} ${id}.`,
          expected: 'the moment of the change',
          actual: showValue(former),
          cause: 'moment stays',
        }
      : {
          message: `${field} became ${showValue(latter)} ${when} ${id}.`,
          expected: showValue(former),
          actual: showValue(latter),
          cause: 'creation moves',
        },
  ];
}

const before = 'read before the change';

/** The moments that a story compares before and after a change, by the rule for each. */
const moments = [
  ['dated', namesChange],
  ['undated', namesCreation],
] as const;

/** A new record that is read, changed when its clock has moved on, and read. */
function planDatedChanges(context: PlanContext, resource: Resource): Sequence[] {
  const update =
    draftOn(context, resource, 'update') ??
    draftOn(context, resource, 'replace') ??
    actionOn(context, resource);
  const create = creatorDraft(context, resource);
  if (update?.body === undefined || create === undefined) return [];
  const had = createdMembers(create);
  // One member alone where that is allowed: a new name may make it another record.
  const alone = update.role?.action === 'update' ? partialValues(context, update.body) : [];
  const [one] = alone.filter(
    ({ at, value: part }) => !equalJson(valueAt(part, at) ?? null, valueAt(had, at) ?? null),
  );
  const value = one?.value ?? changedValue(context, update.body, had);
  const sent = { ...had, ...objectOf(value) };
  const fields = moments.flatMap(([rule, names]) => {
    const field = shownMoment(resource, sent, names);
    return field === undefined ? [] : [[rule, field] as const];
  });
  const [first] = fields;
  if (first === undefined) return [];
  const story = new Story(context, `the moment of a change by ${update.operation.id}`);
  const made = story.make(resource);
  story.read(made, before);
  const change = 'the record is changed some time after it was made';
  const tick = `/${first[1].name.replaceAll('.', '/')}`;
  story.step(update, { title: change, of: [made], value, more: { tick } });
  for (const [rule, { name, place }] of fields)
    story.read(made, `${name} is read after the change`, {
      intent: relationTo(update, { rule, of: [before, change], field: name, at: place.pointer }),
    });
  return story.sequences();
}

/** An action with a body that answers with the record: `POST /items/{id}/rename`. */
function actionOn(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  const { actions } = context.contract.inference;
  return actions
    .filter((action) => action.resource === resource && action.sets === undefined)
    .map(({ operation }) => bodyDraftOf(context, operation))
    .find((draft) => draft !== undefined);
}

/** The field with a moment whose name tells so, if no member that is sent sets it. */
function shownMoment(
  resource: Resource,
  sent: JsonObject,
  isNamed: (plain: string) => boolean,
): RecordField | undefined {
  const fields = recordFields(resource.record);
  return fields.find(
    (one) =>
      isNamed(plainName(one.name.split('.').at(-1) ?? '')) &&
      isMoment(one) &&
      !((one.name.split('.')[0] ?? '') in sent) &&
      // What an object with a name of its own shows is the change of another record.
      !fields.some(({ name }) => name === one.name.replace(/[^.]+$/, 'id') && name !== 'id'),
  );
}

function isMoment({ flat, many }: RecordField): boolean {
  const { format } = flat.node;
  return !many && format !== 'date' && flat.node.enum === undefined;
}

/** Moments of a new record, and the clock of the response that shows it, are close together. */
const maxApart = 5_000;

/** Whether the service had the moment from a clock that runs, as its `Date` does. */
function isNow(moment: JsonValue, { exchange: { response } }: Step): boolean {
  const date = Date.parse((response && headerValue(response.headers, 'date')) ?? '');
  return Math.abs(date - timeOf(moment)) < maxApart;
}
