import type { Expanded, Expansion, Navigation } from '../../contract/protocols/expansion.ts';
import { expansionsOf, readExpand } from '../../contract/protocols/expansion.ts';
import { odataFilter } from '../../contract/query-languages/odata-filter.ts';
import type { Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonObject, membersWhere } from '../../json/value.ts';
import type { Condition } from '../../store/store.ts';
import { valueFault } from '../errors/describe-issue.ts';
import type { Acting } from '../model/request.ts';
import type { Fault, Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { collectionName } from '../records/collection-name.ts';
import { conditionsBelow } from '../records/parent-fields.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { conditionOf } from '../records/read-expression.ts';
import { recordsIn, withRecords } from '../records/show/edit-records.ts';
import { visible } from '../records/show/present-record.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * Records have the members that the request expands, with the records to which they lead (OData
 * 4.01, Part 1, section 11.2.5.2).
 */
export const expanding: Convention = ({ operation, contract }, resource) => {
  const expansion = expansionsOf(resource, contract.resources).find(
    (one) => one.operation === operation,
  );
  if (expansion === undefined) return undefined;
  const textIn = ({ request }: Acting): JsonValue | undefined =>
    request.parameters.get(parameterKey(expansion.parameter));
  return {
    before: (on) => {
      const text = textIn(on);
      const isKnown =
        typeof text !== 'string' ||
        readExpand(text)?.every((one) => isUnderstood(one, navigationOf(expansion, one.name)));
      return isKnown === true ? undefined : strayExpansion(expansion, String(text));
    },
    show: (reply, on) => {
      const text = textIn(on);
      return typeof text === 'string'
        ? withExpanded(reply, { ...on, expansion, asked: readExpand(text) ?? [] })
        : undefined;
    },
  };
};

function navigationOf({ navigations }: Expansion, name: string): Navigation | undefined {
  return navigations.find((one) => one.name === name);
}

/** Whether a member has further records, and its options select and order them by their fields. */
function isUnderstood({ filter, order = [] }: Expanded, navigation?: Navigation): boolean {
  if (navigation === undefined) return false;
  const fields = fieldsOf(navigation.resource.record);
  return (
    (filter === undefined || odataFilter.read(filter) !== undefined) &&
    order.every(({ field }) => fields.has(field))
  );
}

function strayExpansion({ parameter: { name } }: Expansion, text: string): Fault {
  const why = `names what is no member with further records: ${quoteExcerpt(text)}`;
  return valueFault(name, 'expansion', why);
}

interface Expanding extends Acting {
  readonly expansion: Expansion;
  readonly asked: readonly Expanded[];
}

async function withExpanded(reply: Reply, context: Expanding): Promise<Reply> {
  const { request, expansion, asked } = context;
  if (reply.body === undefined || request.content?.form !== 'json') return reply;
  // A projection may have taken what leads to the other records.
  const members = await Promise.all(
    recordsIn(reply.state ?? reply.body, context).map(async (record) => {
      const entries = asked.map(async (one) => {
        const navigation = navigationOf(expansion, one.name);
        const value = navigation && (await valueOf(record, { navigation, asked: one }, context));
        return [one.name, value ?? null] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    }),
  );
  return withRecords(reply, context, (record, index) => ({ ...record, ...members[index] }));
}

/** The records to which a member leads: those below the record, or by a reference to or from it. */
async function valueOf(
  record: JsonObject,
  { navigation, asked }: { readonly navigation: Navigation; readonly asked: Expanded },
  { resource, request: { session }, store }: Expanding,
): Promise<JsonValue> {
  const { name, resource: named, many, own } = navigation;
  const id = record[resource.identifier.field];
  if (!many) {
    const key = resource.foreignKeys.find((one) => one.resource === named && !one.many);
    const value = key === undefined ? undefined : record[key.field];
    const held =
      key === undefined
        ? record[name]
        : await store.get({ session, name: named.collection }, String(value ?? ''));
    return isJsonObject(held) ? shownOf(visible(held), named, asked) : null;
  }
  const texts = [String(id)];
  const back = named.foreignKeys.find((one) => one.resource === resource && !one.many);
  const where = [
    ...(own === undefined ? [] : conditionsBelow(texts, own)),
    ...(own === undefined && back !== undefined
      ? [{ op: 'in' as const, field: back.field, values: [id ?? null] }]
      : []),
    ...filterOf(asked),
  ];
  if (own === undefined && back === undefined) return [];
  const collection = own === undefined ? named.collection : collectionName(own, texts);
  const { order = [], skip: offset = 0, top: limit } = asked;
  const keys = order.map((key) => ({ ...key, isNullLowest: true }));
  const found = await store.query(
    { session, name: collection },
    { where, order: keys, offset, ...defined({ limit }) },
  );
  return (found?.records ?? []).map((one) => shownOf(visible(one.record), named, asked));
}

function filterOf({ filter }: Expanded): Condition[] {
  const condition = filter === undefined ? undefined : odataFilter.read(filter);
  return condition === undefined ? [] : [conditionOf(condition)];
}

function shownOf(record: JsonObject, { identifier }: Resource, { select }: Expanded): JsonObject {
  return select === undefined
    ? record
    : membersWhere(record, (name) => name === identifier.field || select.includes(name));
}
