import { isOfClient } from '../../reading/refusal.ts';
import { documents } from '../../../contract/select-response.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { hasSuccess, isSafe, roleOf, showValue } from '../../model/step.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { otherStatus } from '../../reading/related.ts';
import { check } from '../check.ts';
import { type BodyTag, takesTag } from '../../../contract/protocols/body-tag.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { changedMembers } from '../../plan/change-step.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import { creatorDraft, type Made, readerOf, relationTo, Story } from '../../plan/story.ts';
import { recordShown } from '../../reading/shown-records.ts';

/** A change with another tag in its body than the record has is not made. */
export const bodyTagHolds = check({
  id: 'body-tag-holds',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A change or a deletion with the etag (AIP-154) or the version of an earlier state of the ' +
    'record is refused and changes nothing; with that of the record it succeeds; it changes ' +
    'with the record.',
  reason: "Without it, two people who edit one record overwrite each other's changes unnoticed.",
  example: [
    '> PATCH /items/7',
    '> {"name": "new", "etag": "a1"}   (the record has the etag "a2")',
    '< 200 OK',
  ],
  traits: ['machinery'],
  plan: [{ at: 'stories', resource: planBodyTags }],
  relations: { 'stale-tag': staleTaken, 'stale-kept': staleStored, 'own-tag': ownRefused },
});

/** The tags of the record before and after it was changed; undefined if it shows none. */
function tagsOf(related: Related): readonly [former: Tag, latter: Tag] | undefined {
  const { field = '' } = related.intent;
  const [former, latter] = related.of.map(
    (step) => recordShown(related.subject.contract, step)?.[field],
  );
  return isTag(former) && isTag(latter) ? [former, latter] : undefined;
}

type Tag = string | number;

function isTag(value: JsonValue | undefined): value is Tag {
  return typeof value === 'string' || typeof value === 'number';
}

/** Whether the change between the two reads is seen in another member than the tag. */
function isChanged(related: Related): boolean {
  const { subject, of, intent } = related;
  const [former, latter] = of.map((step) => recordShown(related.subject.contract, step));
  const [, read] = of;
  const change = read && subject.earlier[subject.earlier.indexOf(read) - 1];
  const sent = change?.sent.body;
  if (former === undefined || latter === undefined || !isJsonObject(sent)) return false;
  return Object.entries(sent).some(
    ([name, value]) =>
      name !== intent.field &&
      !equalJson(former[name] ?? null, value) &&
      equalJson(latter[name] ?? null, value),
  );
}

function staleTaken(related: Related): RelationFaults {
  const { status, intent } = related;
  const tags = tagsOf(related);
  const { field = '' } = intent;
  if (tags === undefined || !isChanged(related)) return undefined;
  const [former, latter] = tags;
  const stays = `The ${field} of a record stayed ${showValue(latter)}`;
  if (former === latter)
    return {
      message: `${stays} when the record was changed.`,
      expected: `another ${field}`,
      actual: showValue(latter),
      cause: 'tag stays',
    };
  if (!isSuccess(status)) return refusedOtherwise(related);
  const loss = 'a change in between may be lost';
  const why = `, although its ${field} is now ${showValue(latter)}: ${loss}`;
  return {
    ...otherStatus(related, 'a refusal (409 or 412), and no change', why),
    cause: 'stale tag taken',
    momentary: true,
  };
}

/**
 * A refusal of a stale tag as if the request itself were wrong (AIP-154: ABORTED, 409), by an
 * operation that changed the record before.
 */
function refusedOtherwise({ subject, status }: Related): RelationFault | RelationFault[] {
  const { operation, earlier } = subject;
  const named = ['409', '412'].filter((one) => documents(operation, one)).join(' or ');
  const wasDone = earlier.some(
    ({ case: testCase, exchange: { response } }) =>
      testCase.operation === operation && isSuccess(response?.status ?? 0),
  );
  const isFitting = [404, 409, 410, 412].includes(status) || isOfClient(status);
  const isOther = isRefusal(status) && !isFitting;
  if (!isOther || !wasDone || named === '') return [];
  const why = `; the contract documents ${named} for that`;
  return { ...otherStatus({ subject, status }, named, why), cause: 'another status' };
}

/** A value that a refused change stored. */
function staleStored(related: Related): RelationFaults {
  const { subject, of, intent } = related;
  const [read] = of;
  const change = subject.earlier.find((step) => step.case.title === intent.field);
  const status = change?.exchange.response?.status ?? 0;
  const [before, after] = [read, subject].map(
    (step) => step && recordShown(related.subject.contract, step),
  );
  const sent = change?.sent.body;
  const schema = roleOf(subject.contract, subject.operation)?.resource.record;
  const isRefused = status >= 400 && status < 500;
  if (!isRefused || before === undefined || after === undefined || !isJsonObject(sent))
    return undefined;
  if (schema === undefined) return undefined;
  const stored = compareRecords(before, after, { schema, absent: 'fine', except: [] }).find(
    ({ field, got }) => got !== undefined && equalJson(got, sent[field] ?? null),
  );
  if (stored === undefined) return [];
  const { field, got, expected } = stored;
  return {
    message:
      `A change that was refused (${String(status)}) for its tag was stored: ${field} is ` +
      `${showValue(got)} instead of ${showValue(expected)}.`,
    expected: `${field} is ${showValue(expected)}, as before`,
    actual: `${field} is ${showValue(got)}`,
    cause: 'refused and stored',
  };
}

/** A refusal of the tag that the record has. */
function ownRefused(related: Related): RelationFaults {
  const { subject, status, of, intent } = related;
  const tags = tagsOf(related);
  const [, read] = of;
  const since = read === undefined ? [] : subject.earlier.slice(subject.earlier.indexOf(read) + 1);
  const isTouched = since.some(
    ({ case: { operation }, exchange }) => !isSafe(operation) && hasSuccess({ exchange }),
  );
  if (tags === undefined || tags[0] === tags[1] || isTouched) return undefined;
  if (status !== 409 && status !== 412) return [];
  const { field = '' } = intent;
  const why = `: the ${field} that the last read showed is ${showValue(tags[1])}`;
  return { ...otherStatus(related, 'a success', why), cause: 'own tag refused', momentary: true };
}

/** The titles of the reads that show a tag: before and after the record is changed. */
const [former, latter] = ['the record is read with its tag', 'the record is read with its new tag'];

/**
 * Changes, actions and a deletion with the tag that the record had before it was changed, which
 * must fail, and with its own: all on records of the run (AIP-154).
 */
function planBodyTags(context: PlanContext, resource: Resource): Sequence[] {
  const { tag } = protocolsOf(context.contract, resource);
  const changes = (tag?.changes ?? []).flatMap((one) => bodyDraftOf(context, one) ?? []);
  const [first] = changes;
  const isRead = readerOf(context, resource) !== undefined;
  if (tag === undefined || first === undefined || !isRead) return [];
  const tagged: Tagged = { context, resource, tag, change: first };
  const actions = context.contract.inference.actions
    .filter((action) => action.resource === resource && takesTag(action.operation, tag))
    .flatMap(({ operation }) => bodyDraftOf(context, operation) ?? []);
  return [
    ...[...changes, ...actions].flatMap((draft) => changesOf(tagged, draft)),
    ...deletions(tagged),
  ];
}

interface Tagged {
  readonly context: PlanContext;
  readonly resource: Resource;
  readonly tag: BodyTag;
  /** A change without a condition. */
  readonly change: DraftWithBody;
}

/** A record that was changed since its tag was read. */
function changedRecord(story: Story, { context, resource, change }: Tagged): Made {
  const made = story.make(resource);
  story.read(made, former);
  story.step(change, {
    title: 'the record is changed, so that its tag is another',
    of: [made],
    value: newValues(context, resource, change),
  });
  story.read(made, latter);
  return made;
}

function newValues(context: PlanContext, resource: Resource, { body }: DraftWithBody): JsonObject {
  const before = creatorDraft(context, resource)?.body.value ?? {};
  const plain: JsonObject = objectOf(body.value);
  const changed = changedMembers(context, resource, {
    body,
    before: objectOf(before),
  });
  return { ...plain, ...Object.fromEntries(changed) };
}

/** What a read with a title showed as the tag of the record. */
function tagOf(context: PlanContext, { resource, tag }: Tagged, step: string): Source {
  const reader = readerOf(context, resource)?.operation;
  const expression = reader === undefined ? '' : shownField(reader, resource, tag.field);
  return { kind: 'link', operation: reader?.id ?? '', expression, step };
}

function changesOf(tagged: Tagged, draft: DraftWithBody): Sequence[] {
  const { context, tag } = tagged;
  const story = new Story(context, `the ${tag.field} of ${draft.operation.id}`);
  const made = changedRecord(story, tagged);
  const at = joinPointer('', tag.field);
  const stale = `a change with the ${tag.field} that the record had before`;
  const field = tag.field;
  story.step(draft, {
    title: stale,
    of: [made],
    fills: [{ at, source: tagOf(context, tagged, former) }],
    relation: { rule: 'stale-tag', of: [former, latter], field },
  });
  story.read(made, `the record is read after ${stale}`, {
    intent: relationTo(draft, { rule: 'stale-kept', of: [latter], field: stale }),
  });
  // What prevents an action may be the state of the record, and not its tag.
  if (!tag.changes.includes(draft.operation)) return story.sequences();
  story.step(draft, {
    title: `a change with the ${tag.field} that the record has`,
    of: [made],
    fills: [{ at, source: tagOf(context, tagged, latter) }],
    relation: { rule: 'own-tag', of: [former, latter], field },
  });
  return story.sequences();
}

function deletions(tagged: Tagged): Sequence[] {
  const { context, tag } = tagged;
  const draft = draftOf(context, tag.removal?.operation);
  if (draft === undefined || tag.removal === undefined) return [];
  const { parameter } = tag.removal;
  const story = new Story(context, `the ${tag.field} of ${draft.operation.id}`);
  const made = changedRecord(story, tagged);
  const field = tag.field;
  const shownBy = (step: string): Argument => ({
    parameter,
    source: tagOf(context, tagged, step),
  });
  story.step(draft, {
    title: `a deletion with the ${field} that the record had before`,
    of: [made],
    extra: [shownBy(former)],
    relation: { rule: 'stale-tag', of: [former, latter], field },
  });
  story.step(draft, {
    title: `a deletion with the ${field} that the record has`,
    of: [made],
    extra: [shownBy(latter)],
    relation: { rule: 'own-tag', of: [former, latter], field },
  });
  return story.sequences();
}
