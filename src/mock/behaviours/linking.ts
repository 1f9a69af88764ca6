import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import type { Embedded, LinkedOperation } from '../../contract/protocols/hal.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { allowedStates } from '../../contract/words/read-states.ts';
import { isJsonObject, mapMembers, memberOf, type JsonObject } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import type { Acting, Concern, ValidRequest } from '../model/request.ts';
import type { Fault, Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { textOf } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { editRecords, withBody, withRecords } from '../records/show/edit-records.ts';
import { itemUrl } from '../records/show/item-url.ts';
import { visible } from '../records/show/present-record.ts';
import { partsOf } from '../records/tallies.ts';
import { neededField } from './in-state.ts';

/**
 * Records link to themselves, and to the operations that their states allow, and answers with one
 * record embed the records below it, as they are now (draft-kelly-json-hal, section 4.1). Lists
 * leave these out: a resource may be embedded in part.
 */
export const linking: Convention = ({ contract, role }, resource) => {
  const hal = protocolsOf(contract, resource).hal;
  if (hal === undefined) return undefined;
  const { linked, embedded } = hal;
  return {
    show: (reply, on) => {
      const plain =
        embedded.length === 0 || reply.body === undefined
          ? reply
          : role?.action === 'list'
            ? withoutEmbedded(reply, on)
            : embed(reply, embedded, on);
      return whenReady(plain, (shown) =>
        withRecords(shown, on, (record) => withLinks(record, on, linked)),
      );
    },
  };
};

/** The record with its links; as it is, where the contract does not allow them. */
function withLinks(
  record: JsonObject,
  { request, resource }: Concern,
  linked: readonly LinkedOperation[],
): JsonObject {
  const id = record[resource.identifier.field];
  const url = id === undefined ? undefined : itemUrl(request, resource, textOf(id));
  if (url === undefined) return record;
  const before = isJsonObject(record['_links'] ?? null) ? (record['_links'] as JsonObject) : {};
  const depth = resource.itemPath?.length ?? 0;
  const usable = linked.filter(({ operation }) => {
    const allowed = allowedStates(operation, resource);
    const needed = allowed && neededField(resource, allowed);
    const hasNeeded = needed === undefined || Number(record[needed] ?? 0) > 0;
    return hasNeeded && allowed?.others.includes(String(record[allowed.field])) !== true;
  });
  const links = {
    ...before,
    self: { href: url },
    ...Object.fromEntries(
      usable.map(({ relation, operation: { path } }) => [
        relation,
        { href: url + path.slice(depth) },
      ]),
    ),
  };
  const whole = { ...record, _links: links };
  return resource.record.validate(whole, 'response').length === 0 ? whole : record;
}

/**
 * A document that is no record, with its links to collections: each by the last word of a path, and
 * one whose relation ends with that word as a template of the parameters of the list (RFC 6570).
 */
export function showStart(reply: Reply | Fault, request: ValidRequest): Reply | Fault {
  if (reply.kind === 'fault' || !isJsonObject(reply.body)) return reply;
  const { _links: before = null } = reply.body;
  if (!isJsonObject(before) || request.content?.form !== 'json') return reply;
  const links = mapMembers(before, (link, relation) =>
    relation === 'self'
      ? { href: request.basePath + request.plan.operation.path }
      : (linkTo(relation, request) ?? link),
  );
  const body = { ...reply.body, _links: links };
  const isAllowed = request.content.schema?.validate(body, 'response').length === 0;
  return isAllowed ? withBody(reply, body, true) : reply;
}

/** The link to the collection that a relation names. */
function linkTo(relation: string, { plan, basePath }: ValidRequest): JsonObject | undefined {
  for (const { collectionPath, operations, parents } of plan.contract.resources) {
    const word = lastWord(collectionPath);
    if (parents.length > 0 || operations.list === undefined) continue;
    const href = basePath + operations.list.path;
    if (relation === word) return { href };
    if (!relation.endsWith(`-${word}`)) continue;
    const names = operations.list.parameters.flatMap(({ in: location, name }) =>
      location === 'query' ? [name] : [],
    );
    return { href: `${href}{?${names.join(',')}}`, templated: true };
  }
  return undefined;
}

function withoutEmbedded(reply: Reply, on: Concern): Reply {
  const { required } = on.resource.record.flatten();
  if (reply.body === undefined || required.has('_embedded')) return reply;
  return withBody(
    reply,
    editRecords(reply.body, on, ({ _embedded: _left, ...record }) => record),
  );
}

async function embed(
  reply: Reply,
  embedded: readonly Embedded[],
  { request, resource, store }: Acting,
): Promise<Reply> {
  const { body, state = body } = reply;
  const id = memberOf(state, resource.identifier.field);
  if (!isJsonObject(body) || !isJsonObject(state) || id === undefined) return reply;
  const above = parentTexts(request, resource);
  const place = { session: request.session, above, id: textOf(id) };
  const shown: Record<string, readonly JsonObject[]> = {};
  for (const { relation, child } of embedded) {
    const parts = await partsOf(child, { resource, place, record: state }, store);
    if (parts.length > 0)
      shown[relation] = parts.map((part) =>
        withLinks(visible(part.record), { request, resource: child }, []),
      );
  }
  const { _embedded: _before, ...record } = body;
  const whole = Object.keys(shown).length === 0 ? record : { ...record, _embedded: shown };
  const isAllowed = resource.record.validate(visible(whole), 'response').length === 0;
  return isAllowed ? withBody(reply, whole) : reply;
}
