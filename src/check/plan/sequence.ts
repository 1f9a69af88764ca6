import type { Filter, Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { boundaryValues } from '../../values/boundary-values.ts';
import { exoticValues } from '../../values/exotic-values.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import { makeCase, makeSequence, type Argument, type Case, type Intent, type Sequence } from '../case.ts';
import { intentOf, isFragile, makeCreate, type Creation } from './boundary.ts';
import { jsonBody, requestOf, type Draft, type DraftBody } from './draft.ts';
import { markBody } from './mark-body.ts';
import { draftOf, plainIntent, type PlanContext } from './plan-context.ts';
import { rebase } from './rebase.ts';

const mostFragile = 20;

/** What only several requests can show: that lists hold what they should, and that what is written can be read. */
export function planSequences(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => [...limitAfterFilter(context, resource), ...createAndRead(context, resource), ...lifeOfRecord(context, resource)]);
}

/** For each value of an enumerated filter: the filtered list, one record of it, and the filtered list again. */
function limitAfterFilter(context: PlanContext, { operations, list }: Resource): Sequence[] {
  const draft = draftOf(context, operations.list);
  const limit = list?.limit?.parameter;
  if (draft === undefined || limit === undefined || limit.schema.validate(1, 'request').length > 0) return [];
  return (list?.filters ?? []).flatMap((filter) => enumerated(filter).map((value) => {
    const filtered: Argument = { parameter: filter.parameter, source: { kind: 'value', value } };
    const one: Argument = { parameter: limit, source: { kind: 'value', value: 1 } };
    const words = `${filter.parameter.name} is ${String(value)}`;
    const intent: Intent = { kind: 'valid', rigour: 'plain', at: joinPointer(filter.parameter.schema.flatten().pointer, 'enum') };
    const listing = (title: string, extra: readonly Argument[]): Case =>
      makeCase({ title, phase: 'sequence', operation: draft.operation, request: requestOf(draft, 'known', { extra }), intent, control: requestOf(draft, 'known') });
    return makeSequence(listing(words, [filtered]), listing(`${words} and ${limit.name} is 1`, [filtered, one]), listing(`${words} once more`, [filtered]));
  }));
}

function enumerated({ parameter }: Filter): readonly JsonValue[] {
  return parameter.schema.flatten().node.enum ?? [];
}

/** Create, read by the new identifier, and look for the record in the list: plain data, then each value that is easily mangled. */
function createAndRead(context: PlanContext, resource: Resource): Sequence[] {
  const create = draftOf(context, resource.operations.create);
  if (create?.body === undefined) return [];
  const plain: Creation = { title: 'a record is created', value: create.body.value, intent: plainIntent(create) };
  const fragile = fragileValues(create).map((edge): Creation => ({ title: edge.label, value: edge.value, at: edge.at, intent: intentOf(edge) }));
  return [plain, ...fragile].map((creation) => {
    const first = makeCreate(context, create, { ...creation, phase: 'sequence' });
    return makeSequence(first, ...lookups(context, resource, creation.value));
  });
}

function fragileValues({ body }: Draft): LabelledValue[] {
  if (body?.schema === undefined) return [];
  const edges = [...boundaryValues(body.schema, 'request'), ...exoticValues(body.schema, 'request')].filter(isFragile).slice(0, mostFragile);
  return edges.map((edge) => rebase(edge, body));
}

function lookups(context: PlanContext, resource: Resource, body: JsonValue): Case[] {
  const read = draftOf(context, resource.operations.read);
  const list = draftOf(context, resource.operations.list);
  return [
    ...(read === undefined ? [] : [step(read, 'the created record is read')]),
    ...(list === undefined ? [] : [listing(list, resource, body)]),
  ];
}

/** The list in which the record must stand: of its own kind, and as long as may be. */
function listing(list: Draft, resource: Resource, body: JsonValue): Case {
  const limit = resource.list?.limit;
  const page: Argument[] = limit?.maximum === undefined ? [] : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  const filters = (resource.list?.filters ?? []).flatMap((filter): Argument[] => {
    const value = isJsonObject(body) ? body[filter.field] : undefined;
    return value !== undefined && enumerated(filter).includes(value) ? [{ parameter: filter.parameter, source: { kind: 'value', value } }] : [];
  });
  const request = requestOf(list, 'known', { extra: [...page, ...filters.slice(0, 1)] });
  return makeCase({ title: 'the created record is looked for in the list', phase: 'sequence', operation: list.operation, request, intent: plainIntent(list) });
}

/** Create, replace, read, update, read, delete, read: as far as the contract has the operations. Only the run's own record is touched. */
function lifeOfRecord(context: PlanContext, resource: Resource): Sequence[] {
  const { operations } = resource;
  const create = draftOf(context, operations.create);
  const [replace, update, remove, read] = [operations.replace, operations.update, operations.delete, operations.read].map((operation) => draftOf(context, operation));
  if (create?.body === undefined || (replace === undefined && update === undefined && remove === undefined)) return [];
  const first = makeCreate(context, create, { title: 'a record is created to be changed', value: create.body.value, intent: plainIntent(create), phase: 'sequence' });
  const gone: Intent | undefined = read?.identifier && { kind: 'missing', at: read.identifier.pointer, rigour: 'plain' };
  const reread = (title: string): Case[] => (read === undefined ? [] : [step(read, title)]);
  return [
    makeSequence(
      first,
      ...reread('the created record is read'),
      ...(replace === undefined ? [] : [change(context, replace, 'the created record is replaced'), ...reread('the replaced record is read')]),
      ...(update === undefined ? [] : [change(context, update, 'the created record is updated'), ...reread('the updated record is read')]),
      ...(remove === undefined ? [] : [step(remove, 'the created record is deleted'), ...(read === undefined || gone === undefined ? [] : [step(read, 'the record was deleted', gone)])]),
    ),
  ];
}

/** A plain value that differs from the one that the record was created with, so that a lost change shows. */
function changedValue(body: DraftBody): JsonValue {
  const edges = body.schema === undefined ? [] : boundaryValues(body.schema, 'request').map((edge) => rebase(edge, body));
  const telling = ['enum-value', 'inside-minimum', 'inside-maximum', 'boolean-value', 'minimum', 'maximum'];
  return edges.find((edge) => telling.includes(edge.valueClass) && !equalJson(edge.value, body.value))?.value ?? body.value;
}

function step(draft: Draft, title: string, intent: Intent = plainIntent(draft)): Case {
  return makeCase({ title, phase: 'sequence', operation: draft.operation, request: requestOf(draft, 'created'), intent });
}

function change({ runId }: PlanContext, draft: Draft, title: string): Case {
  const body = draft.body === undefined ? undefined : jsonBody(draft.body, markBody(draft.body, changedValue(draft.body), { runId, label: `${draft.operation.id} ${title}` }));
  return makeCase({ title, phase: 'sequence', operation: draft.operation, request: requestOf(draft, 'created', body === undefined ? {} : { body }), intent: plainIntent(draft) });
}
