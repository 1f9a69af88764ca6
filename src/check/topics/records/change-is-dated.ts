import type { RecordField } from '../../../contract/infer/record-fields.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { namesChange } from '../../../contract/words/names.ts';
import { headerValue } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { changedValue, createdMembers } from '../../plan/change-step.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, draftOn, relationTo, Story } from '../../plan/story.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { visibleChange } from '../../reading/visible-change.ts';
import { check } from '../check.ts';

/** The moment of the last change, which a record shows, moves with each change. */
export const changeIsDated = check({
  id: 'change-is-dated',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'The moment of the last change that the service shows in a record, such as `updatedAt`, is ' +
    'another one after a change.',
  reason: 'A client that looks for what has changed since its last visit misses the record.',
  example: [
    '> GET /items/7',
    '< {"id": 7, "name": "old", "updatedAt": "2030-01-01T12:00:00.100Z"}',
    '> PATCH /items/7',
    '> {"name": "new"}',
    '> GET /items/7',
    '< {"id": 7, "name": "new", "updatedAt": "2030-01-01T12:00:00.100Z"}',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planDatedChanges }],
  intents: ['relation'],
  relations: { dated: isUndated },
});

/** A moment that is as it was when the record was made, although the read shows a change. */
function isUndated({ subject, of, intent }: Related): RelationFault[] | undefined {
  const { contract, earlier, operation } = subject;
  const resource = roleOf(contract, operation)?.resource;
  const [made, change] = of;
  const isShown = visibleChange(subject, earlier, subject)?.change === change;
  const { field = '' } = intent;
  if (resource === undefined || made === undefined || change === undefined || !isShown)
    return undefined;
  const [former, latter] = [made, subject].map(
    (step) => shownRecord(resource, step.answer)?.[field] ?? null,
  );
  if (former === undefined || former === null || !equalJson(former, latter ?? null)) return [];
  // Within one tick of its clock, a service cannot know better; a clock that stands still shows
  // nothing.
  const isTold = passed(earlier, made, change) > resolution(former) && isNow(former, made);
  if (!isTold) return undefined;
  const { id } = change.case.operation;
  return [
    {
      message: `${field} stayed ${showValue(former)} when the record was changed by ${id}.`,
      expected: 'the moment of the change',
      actual: showValue(former),
      cause: 'moment stays',
    },
  ];
}

/** Reads before the change: time passes meanwhile, in milliseconds at least. */
const readsBefore = 16;

function readTitle(count: number): string {
  return `read ${String(count)} of ${String(readsBefore)} before the change`;
}

/** A new record that is read several times, changed, and read. */
function planDatedChanges(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const update =
      draftOn(context, resource, 'update') ??
      draftOn(context, resource, 'replace') ??
      actionOn(context, resource);
    const create = creatorDraft(context, resource);
    const field = update?.body && datedField(resource, update.body.schema);
    if (update?.body === undefined || create === undefined || field === undefined) return [];
    const story = new Story(context, `the moment of a change by ${update.operation.id}`);
    const made = story.make(resource);
    for (let count = 1; count <= readsBefore; count += 1) story.read(made, readTitle(count));
    const change = 'the record is changed some time after it was made';
    story.step(update, {
      title: change,
      of: [made],
      value: changedValue(context, update.body, createdMembers(create)),
    });
    story.read(made, 'the changed record is read', {
      intent: relationTo(update, {
        rule: 'dated',
        of: [readTitle(1), change],
        field: field.name,
        at: field.place.pointer,
      }),
    });
    return story.sequences();
  });
}

/** An action with a body that answers with the record: `POST /items/{id}/rename`. */
function actionOn(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  const { actions } = context.contract.inference;
  return actions
    .filter((action) => action.resource === resource && action.sets === undefined)
    .map(({ operation }) => bodyDraftOf(context, operation))
    .find((draft) => draft !== undefined);
}

/** The field with the moment of the last change, if requests of a schema do not set it. */
function datedField(resource: Resource, request: Schema | undefined): RecordField | undefined {
  const settable = request?.flatten().properties;
  return recordFields(resource.record).find(
    (one) => namesChange(one.plain) && isMoment(one) && !isSettable(one, settable),
  );
}

function isMoment({ flat, many }: RecordField): boolean {
  const { format } = flat.node;
  return !many && format !== 'date' && flat.node.enum === undefined;
}

/** Whether a change may set the field itself. */
function isSettable(
  { name, flat }: RecordField,
  properties: ReadonlyMap<string, unknown> | undefined,
): boolean {
  return flat.node.readOnly !== true && properties?.has(name) !== false;
}

/** Moments of a new record, and the clock of the response that shows it, are close together. */
const maxApart = 5_000;

/** Whether the service had the moment from a clock that runs, as its `Date` does. */
function isNow(moment: JsonValue, { exchange: { response } }: Step): boolean {
  const date = Date.parse((response && headerValue(response.headers, 'date')) ?? '');
  const time =
    typeof moment === 'number' ? moment * resolution(moment) : Date.parse(String(moment));
  return Math.abs(date - time) < maxApart;
}

/** The time that passed at least between the answers to a step and the change, in milliseconds. */
function passed(earlier: readonly Step[], since: Step, change: Step): number {
  return earlier
    .slice(earlier.indexOf(since) + 1, Math.max(0, earlier.indexOf(change)))
    .reduce((sum, { exchange }) => sum + exchange.durationMs, 0);
}

/** The smallest difference that a moment is written with, in milliseconds. */
function resolution(moment: JsonValue): number {
  if (typeof moment === 'string') return /\.\d{3}/.test(moment) ? 1 : 1_000;
  return typeof moment === 'number' && moment > 1e12 ? 1 : 1_000;
}
