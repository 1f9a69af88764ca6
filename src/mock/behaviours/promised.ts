import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../contract/infer/infer-names.ts';
import type { Resource, Schema } from '../../contract/model.ts';
import { longRunningOf, promise } from '../../contract/protocols/long-running.ts';
import { factIn, fieldTexts } from '../../contract/words/facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type MaybePromise, whenReady } from '../../store/store.ts';
import type { Acting, Asking, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeReply, type Reply } from '../model/reply.ts';
import type { Hook } from '../phases.ts';
import { collectionOf, recordAbove, textOf } from '../records/find-record.ts';
import { writeName } from '../records/identifier/full-name.ts';
import { firstIdentifier } from '../records/identifier/identifier-rules.ts';
import { asPromise } from '../records/make/operation-result.ts';
import { fieldsOf, type SchemaField, writeMoment } from '../records/record-fields.ts';

/**
 * The reply of what begins a long-running operation (AIP-151): the operation, which a read of its
 * name shows as done. Any other reply as it is, and one that the contract does not allow so.
 */
export function promised<On extends Asking>(plan: OperationPlan): Hook<On> | undefined {
  const resource = promisesIn(plan);
  if (resource === undefined) return undefined;
  return {
    show: (reply, on) => {
      const { body } = reply;
      if (!isJsonObject(body)) return undefined;
      return whenReady(recordAbove(on), (found) => {
        const { content, now } = on.request;
        const { above } = on.request.plan;
        const about = above.at(-1)?.resource;
        const begun =
          found === undefined || about === undefined || content?.schema === undefined
            ? body
            : withMetadata(body, content.schema, { resource: about, record: found.record, now });
        return begin(begun, { ...on, resource, reply });
      });
    },
  };
}

/** The records that show what an operation begins, until it is done. */
function promisesIn({ operation, contract }: OperationPlan): Resource | undefined {
  const running = longRunningOf(contract).find(({ start }) => start === operation);
  const placement = running && contract.inference.placementOf(running.read);
  return placement?.kind === 'resource' ? placement.resource : undefined;
}

interface Beginning extends Acting {
  readonly reply: Reply;
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

/** The record that a long-running operation is about, and when it begins. */
interface Begun {
  readonly resource: Resource;
  readonly record: JsonObject;
  readonly now: Date;
}

/**
 * A long-running operation whose metadata name the record that it is about and the moment of its
 * beginning, where a description or a name says so (Google AIP-151).
 */
function withMetadata(operation: JsonObject, schema: Schema, begun: Begun): JsonObject {
  const { [promise.metadata]: before = null } = operation;
  const metadata = fieldsOf(schema).get(promise.metadata);
  if (metadata === undefined || !isJsonObject(before)) return operation;
  const known = [...fieldsOf(metadata.schema).values()].flatMap((field) => {
    const value = valueOf(field, begun);
    const isFit = value !== undefined && field.schema.accepts(value, 'response');
    return isFit ? [[field.name, value] as const] : [];
  });
  return { ...operation, [promise.metadata]: { ...before, ...Object.fromEntries(known) } };
}

function valueOf(field: SchemaField, { resource, record, now }: Begun): JsonValue | undefined {
  if (field.moment === 'creation') return writeMoment(field, now);
  const named = factIn(fieldTexts(field.flat), 'names-record')?.value ?? '';
  const nouns = [singularOf(lastWord(resource.collectionPath)), 'target'];
  return nouns.includes(singularOf(named)) ? record[resource.identifier.field] : undefined;
}
