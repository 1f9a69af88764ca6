import type { Condition, FieldCondition, Query, Store } from '../../store/store.ts';
import type { Acting } from '../model/request.ts';
import type { Convention } from '../phases.ts';
import { among, recordsWhere } from '../records/collections-below.ts';
import { referencesOf, type RelatedField, relatedField } from '../records/related-fields.ts';
import { readAs } from './tried.ts';

/**
 * A list that is filtered by fields of the records to which its own refer, too: `Author/FullName eq
 * 'Poe'` selects those whose author has this name (OData 4.01, Part 2, section 5.1.1.15).
 */
export const acrossReferences: Convention = (plan, resource) => {
  if (referencesOf(plan, resource).length === 0) return undefined;
  return {
    select: (on) => {
      const query: Store['query'] = (collection, wanted) =>
        wanted.where.some((one) => isRelated(one, on))
          ? resolved(wanted, on).then((plain) => on.store.query(collection, plain))
          : on.store.query(collection, wanted);
      return readAs(on.store, { query });
    },
  };
};

function isRelated(condition: Condition, on: Acting): boolean {
  if ('of' in condition) return condition.of.some((one) => isRelated(one, on));
  return relatedField(on.request.plan, on.resource, condition.field) !== undefined;
}

async function resolved(query: Query, on: Acting): Promise<Query> {
  return { ...query, where: await resolveAll(query.where, on) };
}

function resolveAll(conditions: readonly Condition[], on: Acting): Promise<Condition[]> {
  return Promise.all(conditions.map((one) => resolve(one, on)));
}

/** A condition on fields of other records as one on the fields that refer to them. */
async function resolve(condition: Condition, on: Acting): Promise<Condition> {
  if ('of' in condition) return { ...condition, of: await resolveAll(condition.of, on) };
  const related = relatedField(on.request.plan, on.resource, condition.field);
  return related === undefined ? condition : refersTo(condition, related, on);
}

async function refersTo(
  condition: FieldCondition,
  { key, named, field }: RelatedField,
  { request: { session }, store }: Acting,
): Promise<Condition> {
  const isNot = condition.op === 'not in';
  const wanted: FieldCondition = isNot
    ? { ...condition, op: 'in', field }
    : { ...condition, field };
  const collection = { session, name: named.collection };
  const values = (await recordsWhere(store, collection, [wanted])).map(
    ({ id, record }) => record[named.identifier.field] ?? id,
  );
  const refers = among(key, values);
  if (isNot) return { op: 'none', of: [refers] };
  return condition.op === 'null' ? { op: 'any', of: [refers, { op: 'null', field: key }] } : refers;
}
