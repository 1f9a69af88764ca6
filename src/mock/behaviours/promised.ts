import type { Resource } from '../../contract/model.ts';
import { promise } from '../../contract/protocols/long-running.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { makeReply, type Reply } from '../model/reply.ts';
import { collectionName } from '../records/collection-name.ts';
import { collectionOf, getRecord, textOf } from '../records/find-record.ts';
import { writeName } from '../records/identifier/full-name.ts';
import { firstIdentifier } from '../records/identifier/identifier-rules.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { asPromise } from '../records/make/operation-result.ts';
import { withMetadata } from '../records/make/promise-metadata.ts';

/**
 * The reply of what begins a long-running operation (AIP-151): the operation, which a read of its
 * name shows as done. Any other reply as it is, and one that the contract does not allow so.
 */
export function promised(
  reply: Reply | Fault,
  request: ValidRequest,
  store: Store,
): MaybePromise<Reply | Fault> {
  const resource = reply.kind === 'reply' ? request.plan.promises() : undefined;
  if (reply.kind === 'fault' || resource === undefined) return reply;
  const { body } = reply;
  if (body === undefined || !isJsonObject(body)) return reply;
  return whenReady(recordAbove(request, store), (about) => {
    const schema = request.content?.schema;
    const begun =
      about === undefined || schema === undefined
        ? body
        : withMetadata(body, schema, { ...about, now: request.now });
    return begin(begun, { reply, request, resource, store });
  });
}

/** The record in the path of a request, below which its operation is. */
function recordAbove(
  request: ValidRequest,
  store: Store,
): MaybePromise<{ readonly resource: Resource; readonly record: JsonObject } | undefined> {
  const { above } = request.plan;
  const resource = above.at(-1)?.resource;
  const texts = parentTexts(request, { parents: above });
  if (resource === undefined) return undefined;
  const { session } = request;
  const collection = { session, name: collectionName(resource, texts.slice(0, -1)) };
  return whenReady(
    getRecord(collection, texts.at(-1) ?? '', store),
    (found) => found && { resource, record: found.record },
  );
}

interface Beginning {
  readonly reply: Reply;
  readonly request: ValidRequest;
  /** The resource of the operations. */
  readonly resource: Resource;
  readonly store: Store;
}

/** Stores an operation as done, and shows it as begun. */
function begin(
  body: JsonObject,
  { reply, request, resource, store }: Beginning,
): MaybePromise<Reply | Fault> {
  const collection = collectionOf(request, resource);
  const { makeId, now } = request;
  const chosen = firstIdentifier({ resource, store, collection, makeId, now });
  return whenReady(chosen, (id) => {
    const promises =
      id === undefined ? undefined : promisesOf(writeName(resource, id, []), body, request);
    if (id === undefined || promises === undefined) return reply;
    const [begun, done] = promises;
    return whenReady(store.insert(collection, { id: textOf(id), record: done }), (insertion) =>
      insertion === 'inserted' ? makeReply(reply.status, begun, { headers: reply.headers }) : reply,
    );
  });
}

/** An operation as its beginning shows it, and as reads do; undefined if the contract forbids it. */
function promisesOf(
  name: JsonValue,
  body: JsonObject,
  { content }: ValidRequest,
): readonly [JsonObject, JsonObject] | undefined {
  const named = { ...body, [promise.name]: name };
  const [begun, done] = [asPromise(named, false), asPromise(named, true)];
  const isAllowed = [begun, done].every(
    (operation) => (content?.schema?.validate(operation, 'response').length ?? 0) === 0,
  );
  return isAllowed ? [begun, done] : undefined;
}
