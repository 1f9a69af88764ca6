import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import type { Resource } from '../../contract/model.ts';
import type { LinkedOperation } from '../../contract/protocols/hal.ts';
import { embedding } from './embedding.ts';
import { neededField } from './in-state.ts';
import { allowedStates } from '../../contract/words/read-states.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { textOf } from '../records/find-record.ts';
import { editRecords } from '../records/show/edit-records.ts';
import { itemUrl } from '../records/show/item-url.ts';

/**
 * A behaviour whose records link to themselves, and to the operations that their states allow, and
 * embed the records below them (draft-kelly-json-hal, section 4.1).
 */
export function linking(plain: Behaviour): Behaviour {
  const behave = embedding(plain, (record, request, resource) =>
    withLinks(record, { request, resource, linked: [] }),
  );
  return (request, resource, store) => {
    const reply = behave(request, resource, store);
    const hal = request.plan.hal();
    if (hal === undefined) return reply;
    return whenReady(reply, (made) => {
      if (made.kind === 'fault' || made.body === undefined || request.content?.form !== 'json')
        return made;
      const { state = made.body } = made;
      const body = editRecords(made.body, request, resource, (record) =>
        withLinks(record, { request, resource, linked: hal.linked }),
      );
      return { ...made, state, body, bytes: encoder.encode(stringifyJson(body)) };
    });
  };
}

const encoder = new TextEncoder();

interface Linking {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly linked: readonly LinkedOperation[];
}

/** The record with its links; as it is, where the contract does not allow them. */
function withLinks(record: JsonObject, { request, resource, linked }: Linking): JsonObject {
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
  if (reply.kind === 'fault' || reply.body === undefined || !isJsonObject(reply.body)) return reply;
  const { _links: before = null } = reply.body;
  if (!isJsonObject(before) || request.content?.form !== 'json') return reply;
  const links = Object.fromEntries(
    Object.entries(before).map(([relation, link]) => [
      relation,
      relation === 'self'
        ? { href: request.basePath + request.plan.operation.path }
        : (linkTo(relation, request) ?? link),
    ]),
  );
  const body = { ...reply.body, _links: links };
  const isAllowed = request.content.schema?.validate(body, 'response').length === 0;
  return isAllowed ? { ...reply, body, bytes: encoder.encode(stringifyJson(body)) } : reply;
}

/** The link to the collection that a relation names. */
function linkTo(relation: string, { plan, basePath }: ValidRequest): JsonObject | undefined {
  for (const { collectionPath, operations, parents } of plan.resources()) {
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
