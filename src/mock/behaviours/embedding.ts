import type { Resource } from '../../contract/model.ts';
import type { Embedded } from '../../contract/protocols/hal.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { type Store, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { textOf } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { editRecords } from '../records/show/edit-records.ts';
import { visible } from '../records/show/present-record.ts';
import { partsOf } from '../records/tallies.ts';

/** A record below another one with its links. */
type LinkPart = (part: JsonObject, request: ValidRequest, resource: Resource) => JsonObject;

/**
 * A behaviour whose answers with one record embed the records below it, as they are now. Lists
 * leave them out: a resource may be embedded in part (draft-kelly-json-hal, section 4.1.2).
 */
export function embedding(behave: Behaviour, link: LinkPart): Behaviour {
  return (request, resource, store) => {
    const reply = behave(request, resource, store);
    const embedded = request.plan.hal()?.embedded ?? [];
    if (embedded.length === 0) return reply;
    return whenReady(reply, (made) => {
      if (made.kind === 'fault' || made.body === undefined) return made;
      return request.plan.role?.action === 'list'
        ? withoutEmbedded(made, request, resource)
        : embed(made, embedded, { request, resource, store, link });
    });
  };
}

/** The same reply with another body; the tag stays that of the record. */
function withBody(reply: Reply, body: Reply['body']): Reply {
  const { bytes: _before, ...rest } = reply;
  return { ...rest, body, state: reply.state ?? reply.body };
}

function withoutEmbedded(reply: Reply, request: ValidRequest, resource: Resource): Reply {
  const { required } = resource.record.flatten();
  if (reply.body === undefined || required.has('_embedded')) return reply;
  const body = editRecords(
    reply.body,
    request,
    resource,
    ({ _embedded: _left, ...record }) => record,
  );
  return withBody(reply, body);
}

interface Embedding {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
  readonly link: LinkPart;
}

async function embed(
  reply: Reply,
  embedded: readonly Embedded[],
  { request, resource, store, link }: Embedding,
): Promise<Reply | Fault> {
  const { body, state = body } = reply;
  const id = isJsonObject(state) ? state[resource.identifier.field] : undefined;
  if (!isJsonObject(body) || !isJsonObject(state) || id === undefined) return reply;
  const above = parentTexts(request, resource);
  const place = { session: request.session, above, id: textOf(id) };
  const shown: Record<string, readonly JsonObject[]> = {};
  for (const { relation, child } of embedded) {
    const parts = await partsOf(child, { resource, place, record: state }, store);
    if (parts.length > 0)
      shown[relation] = parts.map((part) => link(visible(part.record), request, child));
  }
  const { _embedded: _before, ...record } = body;
  const whole = Object.keys(shown).length === 0 ? record : { ...record, _embedded: shown };
  const isAllowed = resource.record.validate(visible(whole), 'response').length === 0;
  return isAllowed ? withBody(reply, whole) : reply;
}
