import type { Resource } from '../../contract/model.ts';
import type { Condition, FieldCondition, Query, Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { referencesOf, type RelatedField, relatedField } from '../records/related-fields.ts';
import { storingNothing } from './tried.ts';

/**
 * A list that is filtered by fields of the records to which its own refer, too: `Author/FullName eq
 * 'Poe'` selects those whose author has this name (OData 4.01, Part 2, section 5.1.1.15).
 */
export function acrossReferences(list: Behaviour): Behaviour {
  return (request, resource, store) => {
    if (referencesOf(request.plan, resource).length === 0) return list(request, resource, store);
    const query: Store['query'] = (collection, wanted) => {
      const context = { request, resource, store };
      return wanted.where.some((one) => isRelated(one, context))
        ? resolved(wanted, context).then((plain) => store.query(collection, plain))
        : store.query(collection, wanted);
    };
    return list(request, resource, { ...storingNothing(store), query });
  };
}

interface Context {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

function isRelated(condition: Condition, context: Context): boolean {
  if ('of' in condition) return condition.of.some((one) => isRelated(one, context));
  return relatedField(context.request.plan, context.resource, condition.field) !== undefined;
}

async function resolved(query: Query, context: Context): Promise<Query> {
  return { ...query, where: await resolveAll(query.where, context) };
}

function resolveAll(conditions: readonly Condition[], context: Context): Promise<Condition[]> {
  return Promise.all(conditions.map((one) => resolve(one, context)));
}

/** A condition on fields of other records as one on the fields that refer to them. */
async function resolve(condition: Condition, context: Context): Promise<Condition> {
  if ('of' in condition) return { ...condition, of: await resolveAll(condition.of, context) };
  const related = relatedField(context.request.plan, context.resource, condition.field);
  return related === undefined ? condition : refersTo(condition, related, context);
}

async function refersTo(
  condition: FieldCondition,
  { key, named, field }: RelatedField,
  { request: { session }, store }: Context,
): Promise<Condition> {
  const isNot = condition.op === 'not in';
  const wanted: FieldCondition = isNot
    ? { ...condition, op: 'in', field }
    : { ...condition, field };
  const collection = { session, name: named.collection };
  const found = await store.query(collection, { where: [wanted], order: [], offset: 0 });
  const values = (found?.records ?? []).map(
    ({ id, record }) => record[named.identifier.field] ?? id,
  );
  const refers: Condition = { op: 'in', field: key, values };
  if (isNot) return { op: 'none', of: [refers] };
  return condition.op === 'null' ? { op: 'any', of: [refers, { op: 'null', field: key }] } : refers;
}
