import type { Resource } from '../../contract/model.ts';
import { isJsonObject } from '../../json/value.ts';
import { type Store, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { textOf } from '../records/find-record.ts';
import { itemUrl } from '../records/show/item-url.ts';
import { markNoFiles } from './files.ts';
import { markNoParts } from './open-parts.ts';

/**
 * A behaviour that makes records: a new one has no files, where the contract documents that they
 * may be missing, and no parts without identifiers until somebody adds them.
 */
export function startingEmpty(create: Behaviour): Behaviour {
  return (request, resource, store) => {
    const reply = create(request, resource, store);
    const { plan } = request;
    if (plan.files().length === 0 && plan.parts().length === 0) return reply;
    return whenReady(reply, (made) => markEmpty(made, { request, resource, store }));
  };
}

interface Making {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

async function markEmpty(
  made: Reply | Fault,
  { request, resource, store }: Making,
): Promise<Reply | Fault> {
  const { state, body } = made.kind === 'reply' && made.status === 201 ? made : {};
  const record = state ?? body ?? null;
  const id = isJsonObject(record) ? record[resource.identifier.field] : undefined;
  const url = id === undefined ? undefined : itemUrl(request, resource, textOf(id));
  if (url === undefined) return made;
  await markNoFiles(url, request, store);
  await markNoParts(url, request, store);
  return made;
}
