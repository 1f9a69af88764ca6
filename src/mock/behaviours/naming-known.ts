import { resourceIdentifiedBy } from '../../contract/infer/shared-identifiers.ts';
import type { Resource, Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { type MaybePromise, whenReady } from '../../store/store.ts';
import type { Asking } from '../model/request.ts';
import { type Fault, makeReply, type Reply } from '../model/reply.ts';
import { inTurn } from '../phases.ts';
import { firstOf } from './named-lists.ts';
import { fieldsOf } from '../records/record-fields.ts';

/**
 * A generated answer of no resource whose members name records that exist, where the document
 * writes their schema and that of an identifier once: whose a token is, for example.
 */
export function namingKnown(reply: Reply | Fault, on: Asking): MaybePromise<Reply | Fault> {
  const { content, plan, sampler } = on.request;
  const schema = content?.form === 'json' ? content.schema : undefined;
  if (reply.kind === 'fault' || schema === undefined || sampler !== undefined) return reply;
  if (content?.examples.length !== 0 || plan.assumption?.body !== undefined) return reply;
  const { body = null } = reply;
  const named = isJsonObject(body)
    ? namedIn(schema, plan.contract.resources).filter(({ name }) => Object.hasOwn(body, name))
    : [];
  return inTurn(named, reply, (known, one) => nameOne(known, one, { ...on, schema }));
}

interface Named {
  readonly name: string;
  readonly resource: Resource;
}

/** The members of an answer that name records. */
function namedIn(schema: Schema, resources: readonly Resource[]): Named[] {
  return [...fieldsOf(schema)].flatMap(([name, { schema: own }]) => {
    const resource = resourceIdentifiedBy(own, own, resources);
    return resource === undefined ? [] : [{ name, resource }];
  });
}

interface Naming extends Asking {
  readonly schema: Schema;
}

function nameOne(
  reply: Reply,
  { name, resource }: Named,
  { schema, request, store }: Naming,
): MaybePromise<Reply> {
  const { session, parameters } = request;
  const isEcho = [...parameters.keys()].some((key) => key.endsWith(` ${name}`));
  return whenReady(firstOf(resource, session, store), (id) => {
    const { body } = reply;
    if (id === undefined || isEcho || !isJsonObject(body)) return reply;
    const told: JsonValue = { ...body, [name]: id };
    return schema.validate(told, 'response').length === 0
      ? makeReply(reply.status, told, { headers: reply.headers })
      : reply;
  });
}
