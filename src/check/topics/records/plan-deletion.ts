import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import {
  eachMade,
  creatorDraft,
  draftOn,
  type Made,
  nameOf,
  readerOf,
  relationTo,
  sameSet,
  Story,
} from '../../plan/story.ts';

/** The requests that show a deleted record: the deletion, a read, and a list. */
interface Deletion {
  readonly resource: Resource;
  readonly remove: Draft;
  readonly read: Draft | undefined;
  readonly list: Draft | undefined;
}

/**
 * What shows that a deleted record is seen by those alone who ask for deleted ones, with
 * `includeDeleted`, `show_deleted` or `withTrashed`. A record that its client names comes back when
 * it is put again. Each compares two totals: no other sequence may create records meanwhile.
 */
export function planDeletions(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const remove = draftOn(context, resource, 'delete');
    if (remove === undefined) return [];
    const read = readerOf(context, resource);
    const list = sameSet(context, resource)
      .map(({ operations }) => draftOf(context, operations.list))
      .find((draft) => draft !== undefined && deletedToo(draft.operation) !== undefined);
    const asks = read !== undefined && deletedToo(read.operation) !== undefined;
    if (list === undefined && !asks) return [];
    return storyOf(context, { resource, remove, read, list });
  });
}

/** The parameter that asks for deleted records too; by default they are left out. */
function deletedToo({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, name, schema }) => {
    const { types, node } = schema.flatten();
    return (
      place === 'query' &&
      /^(include|show|with)[-_]?(deleted|removed|trashed)$/i.test(name) &&
      types.includes('boolean') &&
      node.default !== true
    );
  });
}

const removal = 'a deletion of the record';
const plainList = 'a list without deleted records';

function storyOf(context: PlanContext, deletion: Deletion): Sequence[] {
  const { resource, remove, read, list } = deletion;
  const story = new Story(context, `the deletion of a record of ${resource.name}`);
  const parents = (list?.names ?? []).map(({ resource: parent }) => story.make(parent));
  const made = story.make(resource, { of: parents });
  const of = [made, ...parents];
  story.step(remove, { title: removal, of });
  if (read !== undefined) readBoth(story, { ...deletion, read }, made);
  if (list !== undefined) listBoth(story, { ...deletion, list }, { made, of });
  putAgain(story, deletion, made);
  return story.sequences();
}

/** The deleted record is read as others do, and by asking for deleted ones. */
function readBoth(story: Story, { remove, read }: Deletion & { read: Draft }, made: Made): void {
  const parameter = deletedToo(read.operation);
  if (parameter === undefined) return;
  story.read(made, 'a read of the deleted record', {
    intent: relationTo(read, { rule: 'missing', of: [made.title, removal] }),
  });
  if (!saysKept(story.context, remove, parameter)) return;
  story.read(made, `a read of the deleted record with ${parameter.name}`, {
    extra: [asking(parameter)],
    intent: relationTo(read, {
      rule: 'shown-deleted',
      of: [made.title, removal],
      at: parameter.pointer,
    }),
  });
}

function listBoth(
  story: Story,
  { resource, remove, list }: Deletion & { list: Draft },
  { made, of }: { readonly made: Made; readonly of: readonly Made[] },
): void {
  const parameter = deletedToo(list.operation);
  const limit = sameSet(story.context, resource)
    .map((one) => one.list?.limit)
    .find((one) => one !== undefined && list.operation.parameters.includes(one.parameter));
  if (parameter === undefined) return;
  const wide: Argument[] =
    limit?.maximum === undefined
      ? []
      : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  story.step(list, {
    title: plainList,
    of,
    extra: wide,
    intent: relationTo(list, { rule: 'unlisted-deleted', of: [made.title, removal] }),
  });
  if (!saysKept(story.context, remove, parameter)) return;
  story.step(list, {
    title: `a list with ${parameter.name}`,
    of,
    extra: [...wide, asking(parameter)],
    intent: relationTo(list, {
      rule: 'listed-deleted',
      of: [made.title, removal, plainList],
      at: parameter.pointer,
    }),
  });
}

/** A client that names its records may use a name again: the record is there again. */
function putAgain(story: Story, { resource, read }: Deletion, made: Made): void {
  const { context } = story;
  const create = creatorDraft(context, resource);
  const named = sameSet(context, resource).some(
    ({ namedCreate }) => namedCreate !== undefined && namedCreate === create?.operation,
  );
  const name = create?.identifier;
  if (!named || create === undefined || name === undefined || read === undefined) return;
  const again = `a ${create.operation.method} of the deleted record`;
  story.step(create, { title: again, extra: [{ parameter: name, source: nameOf(made) }] });
  story.read(made, 'a read of the record after that', {
    intent: relationTo(read, { rule: 'restored', of: [made.title, removal, again] }),
  });
}

function asking(parameter: Parameter): Argument {
  return { parameter, source: { kind: 'value', value: true } };
}

/** Whether the contract says in words that deleted records are kept: others may be purged. */
function saysKept(
  { contract }: PlanContext,
  { operation }: Draft,
  { name, description }: Parameter,
): boolean {
  const texts = [contract.description, operation.description, operation.summary, description];
  return texts.some(
    (text = '') =>
      /\bsoft\b|\btrash|\b(restor|undelet|recover)\w*|\bstill\b/i.test(text) || text.includes(name),
  );
}
