import type { Filter, Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { boundaryValues } from '../../values/boundary-values.ts';
import { exoticPlaces } from '../../values/exotic-values.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import { reachedInBody } from '../coverage/input-classes.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import { type Creation, intentOf, isFragile, makeCreate } from './boundary.ts';
import { bodyOf, type Draft, type DraftBody, requestOf } from './draft.ts';
import { edgeBodies } from './draft/body-values.ts';
import { operationFor } from './draft/operation-for.ts';
import { isKeyLike } from './draft/own-identifier.ts';
import { markBody } from './mark-body.ts';
import { draftOf, plainIntent, type PlanContext } from './plan-context.ts';
import { rebase } from './rebase.ts';
import { planActions } from './sequence/actions.ts';
import { planLinks } from './sequence/links.ts';
import { refusedChange } from './sequence/refused-change.ts';
import { planSingletons } from './sequence/singletons.ts';

/**
 * What only several requests can show: that lists hold what they should, and that what is written
 * can be read.
 */
export function planSequences(context: PlanContext): Sequence[] {
  const records = context.contract.resources.flatMap((resource) => [
    ...createAndRead(context, resource),
    ...lifeOfRecord(context, resource),
  ]);
  return [...records, ...planActions(context), ...planLinks(context), ...planSingletons(context)];
}

function enumerated({ parameter }: Filter): readonly JsonValue[] {
  return parameter.schema.flatten().node.enum ?? [];
}

/**
 * Create, read by the new identifier, and look for the record in the list: plain data, then each
 * value that is easily mangled.
 */
function createAndRead(context: PlanContext, resource: Resource): Sequence[] {
  const create = draftOf(context, resource.operations.create);
  if (create?.body === undefined) return [];
  const plain: Creation = {
    title: 'a record is created',
    value: create.body.value,
    intent: plainIntent(create),
  };
  const fragile = fragileValues(context, create).map((edge): Creation => ({
    title: edge.label,
    value: edge.value,
    at: edge.at,
    intent: intentOf(edge),
    reaches: reachedInBody(edge),
  }));
  return [plain, ...fragile].map((creation) => {
    const first = makeCreate(context, create, { ...creation, phase: 'sequence' });
    return makeSequence(
      first,
      ...lookups(context, resource, creation.value),
      ...(creation === plain ? located(context, resource, create) : []),
    );
  });
}

function fragileValues({ room }: PlanContext, { body }: Draft): LabelledValue[] {
  if (body?.schema === undefined) return [];
  const edges = boundaryValues(body.schema, 'request').filter(isFragile).slice(0, room.fragile);
  for (const { values, at } of exoticPlaces(body.schema, 'request')) {
    // An odd text may be the key of somebody's record.
    if (isKeyLike(splitPointer(at)[0] ?? '')) continue;
    if (edges.length >= room.fragile) break;
    edges.push(
      ...values()
        .filter(isFragile)
        .slice(0, room.fragile - edges.length),
    );
  }
  return edges.map((edge) => rebase(edge, body));
}

function lookups(context: PlanContext, resource: Resource, body: JsonValue): Case[] {
  const read = draftOf(context, operationFor(context.contract, resource, 'read'));
  const list = draftOf(context, resource.operations.list);
  return [
    ...(read === undefined ? [] : [step(read, 'the created record is read')]),
    ...(list === undefined ? [] : [listing(list, resource, body)]),
  ];
}

/**
 * The address that the create named, where the record can be read: asked only where it is another
 * than the contract has for it.
 */
function located(context: PlanContext, resource: Resource, { operation: { id } }: Draft): Case[] {
  const read = draftOf(context, resource.operations.read);
  if (read === undefined) return [];
  const { operation } = read;
  return [
    makeCase({
      title: 'the address is the Location of the created record',
      phase: 'sequence',
      operation,
      request: { ...requestOf(read, 'created'), locatedBy: id },
      intent: { kind: 'condition', at: operation.pointer, wanted: 'located' },
      optional: true,
    }),
  ];
}

/** The list in which the record must stand: of its own kind, and as long as may be. */
function listing(list: Draft, resource: Resource, body: JsonValue): Case {
  const limit = resource.list?.limit;
  const page: Argument[] =
    limit?.maximum === undefined
      ? []
      : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  const filters = (resource.list?.filters ?? []).flatMap((filter): Argument[] => {
    const value = isJsonObject(body) ? body[filter.field] : undefined;
    return value !== undefined && enumerated(filter).includes(value)
      ? [{ parameter: filter.parameter, source: { kind: 'value', value } }]
      : [];
  });
  const request = requestOf(list, 'created', { extra: [...page, ...filters.slice(0, 1)] });
  return makeCase({
    title: 'the created record is looked for in the list',
    phase: 'sequence',
    operation: list.operation,
    request,
    intent: plainIntent(list),
  });
}

/**
 * Create, replace, read, update, read, delete, read, and after each change one that is to be
 * refused: as far as the contract has the operations. Only the run's own record is touched.
 */
function lifeOfRecord(context: PlanContext, resource: Resource): Sequence[] {
  const create = draftOf(context, resource.operations.create);
  const [replace, update, remove, read] = (['replace', 'update', 'delete', 'read'] as const).map(
    (action) => draftOf(context, operationFor(context.contract, resource, action)),
  );
  if (
    create?.body === undefined ||
    (replace === undefined && update === undefined && remove === undefined)
  )
    return [];
  const first = makeCreate(context, create, {
    title: 'a record is created to be changed',
    value: create.body.value,
    intent: plainIntent(create),
    phase: 'sequence',
  });
  const gone: Intent | undefined = read?.identifier && {
    kind: 'missing',
    at: read.identifier.pointer,
    rigour: 'plain',
  };
  const reread = (title: string): Case[] => (read === undefined ? [] : [step(read, title)]);
  const sentBefore = [create, replace, update].flatMap((draft) =>
    draft?.body === undefined ? [] : [draft.body.value, changedValue(draft.body)],
  );
  const refused = (draft: Draft): Case[] => {
    const broken = read === undefined ? undefined : refusedChange(draft, sentBefore);
    return broken === undefined
      ? []
      : [broken, ...reread('the record is read after a change that was to be refused')];
  };
  return [
    makeSequence(
      first,
      ...reread('the created record is read'),
      ...(replace === undefined
        ? []
        : [
            change(context, replace, 'the created record is replaced'),
            ...reread('the replaced record is read'),
            ...refused(replace),
          ]),
      ...(update === undefined
        ? []
        : [
            change(context, update, 'the created record is updated'),
            ...reread('the updated record is read'),
            ...refused(update),
          ]),
      ...(remove === undefined
        ? []
        : [
            step(remove, 'the created record is deleted'),
            ...(read === undefined || gone === undefined
              ? []
              : [step(read, 'the record was deleted', gone), ...deletedAgain(remove, read)]),
          ]),
    ),
  ];
}

/**
 * Where the contract says what the deletion of a record gets that there is not, it is asked for
 * once more: as long as the read before did not find it, for a service may have given its
 * identifier to somebody else's.
 */
function deletedAgain(remove: Draft, { role }: Draft): Case[] {
  const { identifier, operation } = remove;
  if (
    identifier === undefined ||
    role === undefined ||
    !operation.responses.some(({ status }) => status === '404' || status === '410')
  )
    return [];
  const request = requestOf(remove, 'created', {
    extra: [{ parameter: identifier, source: { kind: 'absent', resource: role.resource.name } }],
  });
  return [
    makeCase({
      title: 'the record was deleted before',
      phase: 'sequence',
      operation,
      request,
      intent: { kind: 'missing', at: identifier.pointer, rigour: 'exotic' },
      optional: true,
    }),
  ];
}

/** As many as any operation is sent: they are only looked through. */
const manyEdges = 60;

/**
 * A plain value that differs from the one that the record was created with, so that a lost change
 * shows.
 */
export function changedValue(body: DraftBody): JsonValue {
  const edges = edgeBodies(body, manyEdges);
  const telling = [
    'enum-value',
    'inside-minimum',
    'inside-maximum',
    'boolean-value',
    'minimum',
    'maximum',
  ];
  return (
    edges.find((edge) => telling.includes(edge.valueClass) && !equalJson(edge.value, body.value))
      ?.value ?? body.value
  );
}

function step(draft: Draft, title: string, intent: Intent = plainIntent(draft)): Case {
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created'),
    intent,
  });
}

function change({ runId }: PlanContext, draft: Draft, title: string): Case {
  const body =
    draft.body === undefined
      ? undefined
      : bodyOf(
          draft.body,
          markBody(draft.body, changedValue(draft.body), {
            runId,
            label: `${draft.operation.id} ${title}`,
          }),
        );
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created', body === undefined ? {} : { body }),
    intent: plainIntent(draft),
  });
}
