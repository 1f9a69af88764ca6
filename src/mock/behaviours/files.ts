import { type Kept, keptAt } from '../records/collection-name.ts';
import { headerValue } from '../../http/message.ts';
import { isUpload } from '../../contract/infer/record-files.ts';
import { documentsRefusal } from '../../contract/model.ts';
import { binaryText, parseMediaType } from '../../http/media-type.ts';
import type { JsonObject } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { Asking, OperationPlan } from '../model/request.ts';
import { type Fault, makeFault, type Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { recordAbove } from '../records/find-record.ts';
import { shapeOf } from '../records/record-fields.ts';
import { filesIn, itemUrl, selfLink, urlOfNew } from '../records/show/item-url.ts';

/**
 * The files of operations that belong to no resource: what is
 * uploaded on a path is kept, downloads on the path get it byte for byte with its media type, and a
 * deletion removes it. Before an upload, a download is what the contract shows, except below a
 * record that was made by a request.
 */
export const withFile: Convention<Asking> = (plan) => {
  const act = fileAct(plan);
  if (act === undefined) return undefined;
  return {
    after: (reply, on) => {
      const { request, store } = on;
      const place = keptAt('(files)', request.session, request.request.target);
      if (act === 'download') return download(reply, on);
      const kept = act === 'upload' ? upload(place, on) : keep(place, noFile, store);
      return whenReady(kept, () => linkFile(act, on));
    },
  };
};

type FileAct = 'upload' | 'download' | 'removal';

function fileAct({ operation, status, answerPlan }: OperationPlan): FileAct | undefined {
  const { method } = operation;
  if (method === 'DELETE') return 'removal';
  if (method === 'GET')
    return answerPlan(status).contents.some(({ form }) => form === 'binary')
      ? 'download'
      : undefined;
  return isUpload(operation) ? 'upload' : undefined;
}

/** Keeps a file, unless it is longer than a record may be. */
function upload(place: Kept, { request: { request }, store }: Asking): MaybePromise<unknown> {
  const { headers, body } = request;
  const type = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence ?? '';
  // As JSON, a byte takes up to six characters.
  const isLong = body.length * 6 > store.recordLimit;
  return keep(place, isLong ? undefined : { type, content: binaryText(body) }, store);
}

function keep(
  { collection, id }: Kept,
  file: JsonObject | undefined,
  store: Store,
): MaybePromise<unknown> {
  return whenReady(store.delete(collection, id), () =>
    file === undefined ? undefined : store.insert(collection, { id, record: file }),
  );
}

/** What is kept where a file is known to be missing. */
const noFile: JsonObject = {};

function download(
  reply: Reply,
  { request: { session, request, plan }, store }: Asking,
): MaybePromise<Reply | Fault> {
  const { collection, id } = keptAt('(files)', session, request.target);
  return whenReady(store.get(collection, id), (file) => {
    const { type, content } = file ?? {};
    if (typeof type === 'string' && content !== undefined)
      return { ...reply, body: content, mediaType: type };
    return file !== undefined && documentsRefusal(plan.operation, ['404'])
      ? makeFault('not-found', 'not_found', 'No file was uploaded here, or it was removed.')
      : reply;
  });
}

/** A record with a link to its file has the address of it, or null without a file. */
async function linkFile(act: FileAct, on: Asking): Promise<undefined> {
  const { request, store } = on;
  const { above, operation } = request.plan;
  const { resource } = above.at(-1) ?? {};
  const link = resource?.links.find(
    ({ to, operation: { path } }) => to === 'part' && path === operation.path,
  );
  if (resource === undefined || link === undefined) return;
  const found = await recordAbove(on);
  const field = shapeOf(resource).fields.get(link.field);
  if (found === undefined || field === undefined) return;
  const { collection, id, record } = found;
  const url = itemUrl(request, resource, id);
  const value = act === 'upload' ? selfLink(field, () => url, { request, resource }) : null;
  if (value === undefined || !field.schema.accepts(value, 'response')) return;
  await store.replace(collection, { id, record: { ...record, [link.field]: value } });
}

/** A new record has no files until somebody uploads them, where they may be missing. */
export const startingWithoutFiles: Convention = (plan) => {
  const files = plan.derive(filesIn);
  if (files.length === 0) return undefined;
  return {
    after: async (reply, on): Promise<undefined> => {
      const url = urlOfNew(reply, on);
      for (const { below } of url === undefined ? [] : files)
        await keep(keptAt('(files)', on.request.session, `${url}${below}`), noFile, on.store);
    },
  };
};
