import type { Resource, Contract } from '../../../contract/model.ts';
import { contractTexts, factIn, operationTexts } from '../../../contract/words/facts.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { isSuccess } from '../../../http/message.ts';
import type { Sequence } from '../../model/case.ts';
import { hasSuccess, showValue } from '../../model/step.ts';
import type { Argument } from '../../model/request-template.ts';
import { chosenKey } from '../../plan/listing.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { creatorDraft, draftOn, nameOf, Story } from '../../plan/story.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { isMarkedAsGone } from '../../reading/removed-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** A create that names the new record makes one of that name, and no second one. */
export const chosenIdHolds = check({
  id: 'chosen-id-holds',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A create whose query names the new record, such as book_id, makes a record of that name, ' +
    'and is refused if another record has it (AIP-133), also one that is deleted softly and can ' +
    'still be read (AIP-164). A change whose body names another record than its path is refused ' +
    'where the contract says so.',
  reason: 'A client that chose a name finds its record by it, and overwrites nobody’s.',
  example: ['> POST /items?item_id=seven', '< 200 OK', '< {"name": "items/8"}'],
  plan: [{ at: 'stories', resource: planChosenIds }],
  mutants: [() => chosenIdMutants],
  relations: {
    'named-as-chosen': isNamedElse,
    'chosen-taken': isTaken,
    'chosen-of-deleted': isTakenByDeleted,
    'other-id': (related) =>
      related.of.every((step) => step !== undefined && hasSuccess(step))
        ? notRefused(related)
        : undefined,
  },
});

/** The record of a create has another name than the one that was chosen. */
function isNamedElse({ subject, resource, intent, status }: Related): RelationFault[] | undefined {
  const record = resource && shownRecord(resource, subject.answer);
  const chosen = [...subject.sent.arguments].find(([{ name }]) => name === intent.field)?.[1];
  const name = resource && record?.[resource.identifier.field];
  if (!isSuccess(status) || typeof name !== 'string' || typeof chosen !== 'string')
    return undefined;
  if (name === chosen || name.endsWith(`/${chosen}`)) return [];
  return [
    {
      message:
        `${subject.operation.id} with the ${intent.field ?? ''} ${showValue(chosen)} made a ` +
        `record whose ${resource?.identifier.field ?? 'name'} is ${showValue(name)}.`,
      expected: `a name that ends in ${chosen}`,
      actual: name,
      cause: 'chosen name ignored',
    },
  ];
}

/** A second record of the same name, where the first one got it. */
function isTaken(related: Related): readonly RelationFault[] | undefined {
  const [first] = related.of;
  if (first === undefined || !hasSuccess(first)) return undefined;
  // A record of another name is a fault of its own.
  return isNamedElse(related)?.length === 1 ? [] : notRefused(related);
}

/** A second record of the name of a deleted one, which its read still shows. */
function isTakenByDeleted(related: Related): readonly RelationFault[] | undefined {
  const [, read] = related.of;
  const kept = related.resource && read && shownRecord(related.resource, read.answer);
  if (kept === undefined || !isMarkedAsGone(kept)) return undefined;
  return isNamedElse(related)?.length === 1 ? [] : notRefused(related);
}

/** A record whose create names it, and a second one of the same name (AIP-133). */
function planChosenIds(context: PlanContext, resource: Resource): Sequence[] {
  return [
    ...storyOf(context, resource),
    ...afterDeletion(context, resource),
    ...(['replace', 'update'] as const).flatMap((action) => otherIds(context, resource, action)),
  ];
}

/** A change of one record whose body has the identifier of another one, after a plain change. */
function otherIds(
  context: PlanContext,
  resource: Resource,
  action: 'replace' | 'update',
): Sequence[] {
  const draft = draftOn(context, resource, action);
  const { field } = resource.identifier;
  const place = draft?.body?.schema?.flatten().properties.get(field);
  const value = draft?.body?.value;
  if (draft === undefined || place === undefined || !isJsonObject(value)) return [];
  if (draft.body?.schema?.flatten(place).node.readOnly === true) return [];
  const told = [...operationTexts(draft.operation), ...contractTexts(context.contract)];
  if (factIn(told, 'id-is-of-path') === undefined) return [];
  const story = new Story(context, `the ${field} of ${draft.operation.id}`);
  const [made, other] = [story.make(resource), story.make(resource)];
  const title = `a plain ${draft.operation.method}`;
  story.step(draft, { title, of: [made] });
  story.step(draft, {
    title: `a ${draft.operation.method} whose ${field} is that of another record`,
    of: [made],
    value: { ...value, [field]: value[field] ?? '' },
    fills: [{ at: joinPointer('', field), source: nameOf(other) }],
    relation: { rule: 'other-id', of: [title], field, at: place.pointer },
  });
  return story.sequences();
}

function storyOf(context: PlanContext, resource: Resource): Sequence[] {
  const draft = creatorDraft(context, resource);
  if (draft === undefined || draft.operation !== resource.operations.create) return [];
  const extra = chosenKey(context, resource, draft, 'chosen');
  const [key] = extra;
  if (key === undefined) return [];
  const { name, pointer } = key.parameter;
  const story = new Story(context, `the ${name} of ${draft.operation.id}`);
  const of = story.makeNamed(draft);
  const title = `a create with ${name}`;
  story.make(resource, {
    of,
    extra,
    title,
    relation: { rule: 'named-as-chosen', of: [], field: name, at: pointer },
  });
  story.make(resource, {
    of,
    extra: [sameName(draft, key, title)],
    title: `${name} is that of another record`,
    relation: { rule: 'chosen-taken', of: [title], field: name, at: pointer },
  });
  return story.sequences();
}

/** The name that an earlier create chose, once more. */
function sameName({ operation }: Draft, { parameter }: Argument, step: string): Argument {
  const expression = `$request.query.${parameter.name}`;
  return { parameter, source: { kind: 'link', operation: operation.id, expression, step } };
}

/**
 * A record that is deleted softly, read under its name, and a second one of that name: the name is
 * still taken (AIP-133, AIP-164).
 */
function afterDeletion(context: PlanContext, resource: Resource): Sequence[] {
  const { softDelete } = protocolsOf(context.contract, resource);
  const draft = creatorDraft(context, resource);
  const remove = softDelete?.restore && draftOf(context, softDelete.removal);
  if (draft === undefined || draft.operation !== resource.operations.create) return [];
  const [key] = chosenKey(context, resource, draft, 'kept');
  if (key === undefined || remove === undefined) return [];
  const { name, pointer } = key.parameter;
  const story = new Story(context, `the ${name} of what ${remove.operation.id} deletes`);
  const of = story.makeNamed(draft);
  const made = story.make(resource, { of, extra: [key] });
  const [deletion, read] = ['a soft deletion of it', 'a read of it under its name'];
  story.step(remove, { title: deletion, of: [made] });
  story.read(made, read);
  story.make(resource, {
    of,
    extra: [sameName(draft, key, made.title)],
    title: `${name} is that of a record that is deleted softly, and can be read`,
    relation: {
      rule: 'chosen-of-deleted',
      of: [deletion, read],
      field: name,
      at: pointer,
      ...unlessAip(context),
    },
  });
  return story.sequences();
}

const mutant = mutantsOf('state');

interface NamingPlace extends Place {
  readonly name: string;
}

function naming({ resources }: Contract): NamingPlace[] {
  return resources.flatMap((resource) => {
    const operation = resource.operations.create;
    const key = operation?.parameters.find((parameter) => isKeyParameter(resource, parameter));
    return operation === undefined || key === undefined ? [] : [{ operation, name: key.name }];
  });
}

/** Mutations of creates that name the new record (AIP-133). */
const chosenIdMutants: readonly Mutator[] = [
  mutant('names-otherwise', {
    rule: 'A create gives the new record another name than the request chose.',
    where: naming,
    says: ({ name }) => `changes the ${name} of a new record`,
    request: (request, { name }) => {
      const [chosen, bare] = [queryOf(request, name), withoutQuery(request, [name])];
      if (chosen === undefined || bare === undefined || !/^[a-z][\w-]+$/.test(chosen))
        return undefined;
      return withQuery(bare, encodeURIComponent(name), encodeURIComponent(`${chosen}-2`));
    },
  }),
];
