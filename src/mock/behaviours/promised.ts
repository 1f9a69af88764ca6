import { promise } from '../../contract/protocols/long-running.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { makeReply, type Reply } from '../model/reply.ts';
import { collectionOf, textOf } from '../records/find-record.ts';
import { firstIdentifier } from '../records/identifier/identifier-rules.ts';
import { asPromise } from '../records/make/operation-result.ts';

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
  const collection = collectionOf(request, resource);
  const { makeId, now } = request;
  const named = firstIdentifier({ resource, store, collection, makeId, now });
  return whenReady(named, (name) => {
    const promises = name === undefined ? undefined : promisesOf(name, body, request);
    if (name === undefined || promises === undefined) return reply;
    const [begun, done] = promises;
    return whenReady(store.insert(collection, { id: textOf(name), record: done }), (insertion) =>
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
