import { namingNothing, referencesOf } from '../../plan/references.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { idempotencyKey, isSecured } from '../../../contract/model/operation.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { onlyReads } from '../../model/effect-rules.ts';
import type { IdentityOutcome, Intent, Sequence } from '../../model/case.ts';
import type { Identity } from '../../secrets/identities.ts';
import { type Draft, isSafe } from '../../plan/draft.ts';
import { newKey } from '../../plan/unique-text.ts';
import { operationFor } from '../../model/step.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { showingOf } from '../../plan/change-step.ts';
import { uploadFor } from '../../plan/upload.ts';
import type { Made } from '../../plan/story.ts';
import { eachMade, creatorDraft, keysOf, nameOf, readerOf, Story } from '../../plan/story.ts';

/** An identity that must see nothing of the run's, and the plan that tests it. */
interface Strange {
  readonly context: PlanContext;
  readonly identity: Identity;
}

/**
 * What an identity reaches beside the records that it must not see: what is below them, tables
 * that hold them, references to them, and their creates under a repeated key.
 */
export function planStrangers(context: PlanContext, identity: Identity): Sequence[] {
  if (identity.seesNothingOf === undefined) return [];
  const strange: Strange = { context, identity };
  return eachMade(context).flatMap((resource) => [
    ...underName(strange, resource),
    ...(isHiddenFrom(identity, readerOf(context, resource)) ? besideRecord(strange, resource) : []),
  ]);
}

function besideRecord(strange: Strange, resource: Resource): Sequence[] {
  return [
    ...belowRecord(strange, resource),
    ...tablesOf(strange, resource),
    ...referencesTo(strange, resource),
    ...repeatedKey(strange, resource),
  ];
}

/** Whether an identity must not see what an operation shows to the run. */
export function isHiddenFrom<D extends Pick<Draft, 'operation'>>(
  identity: Identity,
  draft: D | undefined,
): draft is D {
  return draft !== undefined && isSecured(draft.operation) && !identity.isShared(draft.operation);
}

/** What the run put under a name, shown to both; what it posts is asked for with its changes. */
function underName({ context, identity }: Strange, resource: Resource): Sequence[] {
  const shown = showingOf(context, resource)?.('the created record is read');
  if (resource.operations.create !== undefined || shown === undefined) return [];
  const { operation, request } = shown;
  if (!isHiddenFrom(identity, { operation })) return [];
  const story = new Story(context, `${resource.name} that ${identity.name} must not see`);
  story.make(resource);
  story.add(shown, shown.intent);
  const wanted = operation === resource.operations.list ? 'unlisted' : 'hidden';
  const { intent, more } = asked(identity, { operation }, wanted);
  const title = `a GET by ${identity.name}`;
  story.add({ ...shown, title, phase: 'auth', request: { ...request, ...more } }, intent);
  return story.sequences();
}

/** Reads and creates below a record of the run. */
function belowRecord(strange: Strange, resource: Resource): Sequence[] {
  const { context, identity } = strange;
  return context.drafts
    .filter((draft) => isHiddenFrom(identity, draft) && isBelow(draft, resource))
    .flatMap((draft) => {
      if (isSafe(draft.operation))
        return onlyReads(draft.operation, context.rules) ? readBelow(strange, resource, draft) : [];
      return draft.role?.action === 'create' ? createBelow(strange, resource, draft) : [];
    });
}

function isBelow({ names, role }: Draft, { collection }: Resource): boolean {
  const isOwn = role?.resource.collection === collection;
  return names.length === 1 && names[0]?.resource.collection === collection && !isOwn;
}

/** What is below a record, such as its file or its parts, read by the run and the identity. */
function readBelow(strange: Strange, resource: Resource, draft: Draft): Sequence[] {
  const { context, identity } = strange;
  const { operation, role } = draft;
  const story = new Story(context, `what ${identity.name} sees at ${operation.path}`);
  const made = story.make(resource);
  const upload = context.drafts.find(
    (other) => other.operation.path === operation.path && uploadFor(other) !== undefined,
  );
  const body = upload && uploadFor(upload);
  if (upload !== undefined && body !== undefined)
    story.step(upload, { title: 'an upload of a file', of: [made], body });
  else if (role?.resource.operations.create?.path === operation.path)
    story.make(role.resource, { of: [made] });
  else return [];
  return seenByBoth(strange, story, { draft, of: [made] });
}

function seenByBoth(
  { identity }: Strange,
  story: Story,
  { draft, of }: { readonly draft: Draft; readonly of: readonly Made[] },
): Sequence[] {
  const { method } = draft.operation;
  story.step(draft, { title: `a ${method} by the run`, of });
  story.step(draft, {
    title: `a ${method} by ${identity.name}`,
    of,
    ...asked(identity, draft, 'unshown'),
  });
  return story.sequences();
}

/** What only an identity and its expected outcome add to a step. */
function asked(
  { name }: Identity,
  { operation }: Pick<Draft, 'operation'>,
  expected: IdentityOutcome,
): { readonly intent: Intent; readonly more: { readonly identity: string } } {
  return { intent: intentFor(name, { operation }, expected), more: { identity: name } };
}

/** What a request of an identity is to show. */
export function intentFor(
  identity: string,
  { operation }: Pick<Draft, 'operation'>,
  wanted: IdentityOutcome,
): Intent {
  return { kind: 'identity', at: joinPointer(operation.pointer, 'security'), identity, wanted };
}

/** A create below a record of the run, in the state that it needs. */
function createBelow(strange: Strange, resource: Resource, draft: Draft): Sequence[] {
  const { context, identity } = strange;
  const { operation } = draft;
  const read = readerOf(context, resource);
  if (read === undefined || !identity.mayDo(operation)) return [];
  const story = new Story(context, `what ${identity.name} adds at ${operation.path}`);
  const made = story.make(resource);
  story.prepare(made, operation);
  // A change below a record is sent only if it is known which one the identifier means to whom.
  story.read(made, 'the created record is read');
  story.read(made, `a GET by ${identity.name}`, asked(identity, read, 'hidden'));
  story.step(draft, {
    title: `a ${operation.method} by ${identity.name} below the record`,
    of: [made],
    ...asked(identity, draft, 'denied'),
  });
  return story.sequences();
}

/** Tables and other answers below the list of a resource that hold all its records. */
function tablesOf(strange: Strange, resource: Resource): Sequence[] {
  const { context, identity } = strange;
  const isTable = ({ names, role, operation }: Draft): boolean =>
    names.length === 0 &&
    role === undefined &&
    isSafe(operation) &&
    onlyReads(operation, context.rules) &&
    operation.path.startsWith(resource.collectionPath) &&
    /^[/.:]/.test(operation.path.slice(resource.collectionPath.length));
  return context.drafts
    .filter((draft) => isHiddenFrom(identity, draft) && isTable(draft))
    .flatMap((draft) => {
      const about = `what ${identity.name} gets from ${draft.operation.path}`;
      const story = new Story(context, about);
      story.make(resource);
      return seenByBoth(strange, story, { draft, of: [] });
    });
}

/** Creates of the identity that refer to a record of the run; before it, to none at all. */
function referencesTo(strange: Strange, resource: Resource): Sequence[] {
  const { context, identity } = strange;
  return eachMade(context).flatMap((child) => {
    const create = creatorDraft(context, child);
    if (
      !isHiddenFrom(identity, create) ||
      create.names.length > 0 ||
      !identity.mayDo(create.operation)
    )
      return [];
    const [named, ...others] = referencesOf(context, child, create);
    const unknown = named && namingNothing(create, named, create);
    if (others.length > 0 || named?.resource.collection !== resource.collection) return [];
    if (unknown === undefined || named.address !== undefined) return [];
    const story = new Story(context, `${named.field} by ${identity.name}`);
    const made = story.make(resource);
    story.step(create, {
      title: `a POST by ${identity.name} whose ${named.field} names no record`,
      value: unknown.value,
      ...asked(identity, create, 'attempted'),
    });
    story.step(create, {
      title: `a POST by ${identity.name} whose ${named.field} names the record`,
      value: unknown.value,
      fills: unknown.fills.map(({ at }) => ({ at, source: nameOf(made) })),
      ...asked(identity, create, 'denied'),
    });
    return story.sequences();
  });
}

/** A create of the run, and the same by the identity: the same key is another key there. */
function repeatedKey(strange: Strange, resource: Resource): Sequence[] {
  const { context, identity } = strange;
  const create = creatorDraft(context, resource);
  const parameter = create && idempotencyKey(create.operation);
  const source = parameter && newKey(parameter);
  if (!isHiddenFrom(identity, create) || parameter === undefined || source === undefined) return [];
  if (create.names.length > 0 || keysOf(resource, create).length > 0) return [];
  // What the identity creates is deleted by it.
  if (!identity.mayDo(create.operation) || !isDeletable(strange, resource)) return [];
  const story = new Story(context, `${parameter.name} by ${identity.name}`);
  const made = story.make(resource, { extra: [{ parameter, source }] });
  const again = {
    kind: 'link',
    operation: create.operation.id,
    expression: `$request.${parameter.in}.${parameter.name}`,
    first: true,
  } as const;
  story.step(create, {
    title: `a POST by ${identity.name} with the ${parameter.name} of the run`,
    body: story.bodyOf(made),
    extra: [{ parameter, source: again }],
    ...asked(identity, create, 'unrepeated'),
  });
  return story.sequences();
}

function isDeletable({ context, identity }: Strange, resource: Resource): boolean {
  const remove: Operation | undefined = operationFor(context.contract, resource, 'delete');
  return remove !== undefined && context.maySend(remove) && identity.mayDo(remove);
}
