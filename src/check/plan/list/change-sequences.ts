import type { Resource } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { boundaryValues } from '../../../values/boundary-values.ts';
import { makeCase, makeSequence, type Case, type Sequence } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import { bodyOf, requestOf, type Draft, type DraftBody } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';
import { rebase } from '../rebase.ts';
import { planEasilyLost } from './easily-lost.ts';
import { askList, listingsOf, widestPage } from './listing.ts';
import { narrowing, newestFirst } from './narrowing.ts';

/**
 * What becomes of a record beyond what is sent: fields that an update leaves out, those that a
 * replacement leaves out, and all of them after a deletion.
 */
export function planChanges(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = draftOf(context, resource.operations.create);
    if (create?.body === undefined) return [];
    return [
      ...updated(context, resource, create),
      ...replaced(context, resource, create),
      ...planEasilyLost(context, resource, create),
      ...deleted(context, resource, create),
    ];
  });
}

function created(
  context: PlanContext,
  create: Draft,
  { title, value }: { readonly title: string; readonly value: JsonValue },
): Case {
  return makeCreate(context, create, {
    title,
    value,
    intent: plainIntent(create),
    phase: 'sequence',
  });
}

/** A record with all that it may have, updated in one field, and read. */
function updated(context: PlanContext, resource: Resource, create: Draft): Sequence[] {
  const [update, read] = [
    draftOf(context, resource.operations.update),
    draftOf(context, resource.operations.read),
  ];
  const full = create.body && fullest(create.body);
  const change = update?.body && isJsonObject(full) ? oneField(update.body, full) : undefined;
  if (
    update?.body === undefined ||
    read === undefined ||
    full === undefined ||
    change === undefined
  )
    return [];
  return [
    makeSequence(
      created(context, create, {
        title: 'a record is created to be updated in one field',
        value: full,
      }),
      step(read, 'the created record is read'),
      step(
        update,
        `the created record gets another ${Object.keys(change)[0] ?? 'field'}, and nothing else`,
        change,
      ),
      step(read, 'the record is read after one field was updated'),
    ),
  ];
}

/** A record with all that it may have, replaced by one with what it must have, and read. */
function replaced(context: PlanContext, resource: Resource, create: Draft): Sequence[] {
  const [replace, read] = [
    draftOf(context, resource.operations.replace),
    draftOf(context, resource.operations.read),
  ];
  const full = create.body && fullest(create.body);
  const bare = replace?.body && isJsonObject(full) ? required(replace.body, full) : undefined;
  if (replace?.body === undefined || read === undefined || full === undefined || bare === undefined)
    return [];
  return [
    makeSequence(
      created(context, create, {
        title: 'a record is created to be replaced by less',
        value: full,
      }),
      step(read, 'the created record is read'),
      step(replace, 'the created record is replaced by its required fields alone', bare),
      step(read, 'the record is read after it was replaced by less'),
    ),
  ];
}

/** A record that is created, deleted, and looked for in the list. */
function deleted(context: PlanContext, resource: Resource, create: Draft): Sequence[] {
  const [remove, read] = [
    draftOf(context, resource.operations.delete),
    draftOf(context, resource.operations.read),
  ];
  const listing = listingsOf(context).find((candidate) => candidate.resource === resource);
  if (remove === undefined || listing === undefined || create.body === undefined) return [];
  return [
    makeSequence(
      created(context, create, {
        title: 'a record is created to be deleted',
        value: create.body.value,
      }),
      ...(read === undefined ? [] : [step(read, 'the created record is read')]),
      step(remove, 'the created record is deleted'),
      askList(listing, {
        title: 'the deleted record is looked for in the list',
        query: [
          ...widestPage(listing),
          ...newestFirst(listing),
          ...narrowing(listing, [create.body.value]),
        ],
      }),
    ),
  ];
}

function step(draft: Draft, title: string, value?: JsonValue): Case {
  const body =
    value === undefined || draft.body === undefined ? {} : { body: bodyOf(draft.body, value) };
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created', body),
    intent: plainIntent(draft),
  });
}

/** The plain body with every optional field. */
function fullest(body: DraftBody): JsonValue {
  const edges = body.schema === undefined ? [] : boundaryValues(body.schema, 'request');
  const full = edges.find(({ valueClass }) => valueClass === 'all-optional');
  return full === undefined ? body.value : rebase(full, body).value;
}

/**
 * One field of a record with another value than it has; undefined where the body has to name more.
 */
function oneField(body: DraftBody, full: JsonObject): JsonObject | undefined {
  const { schema } = body;
  if (schema === undefined) return undefined;
  for (const edge of boundaryValues(schema, 'request')) {
    const { value: moved } = rebase(edge, body);
    for (const [name, member] of isJsonObject(moved) ? Object.entries(moved) : []) {
      const isNew =
        Object.hasOwn(full, name) &&
        member !== null &&
        member !== '' &&
        !equalJson(member, full[name] ?? null);
      if (isNew && schema.accepts({ [name]: member }, 'request')) return { [name]: member };
    }
  }
  return undefined;
}

/**
 * The required fields of a record as it has them; undefined where that is all that it has, or not
 * enough.
 */
function required({ schema }: DraftBody, full: JsonObject): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const names = schema.flatten().required;
  const bare = Object.fromEntries(Object.entries(full).filter(([name]) => names.has(name)));
  return Object.keys(bare).length < Object.keys(full).length && schema.accepts(bare, 'request')
    ? bare
    : undefined;
}
