import { headerValue } from '../../http/message.ts';
import { binaryText, contentForm, parseMediaType } from '../../http/media-type.ts';
import { type Collection, type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';

/**
 * The reply of an operation that belongs to no resource, where files are concerned: what is
 * uploaded on a path is kept, downloads on the path get it byte for byte with its media type, and a
 * deletion removes it. Before an upload, a download is what the contract shows.
 */
export function withFile(
  reply: Reply | Fault,
  request: ValidRequest,
  store: Store,
): MaybePromise<Reply | Fault> {
  const act = reply.kind === 'reply' ? request.plan.derive(fileAct) : undefined;
  if (reply.kind === 'fault' || act === undefined) return reply;
  const file = fileOf(request);
  if (act === 'download') return download(reply, file, store);
  const done =
    act === 'upload' ? upload(request, file, store) : store.delete(file.collection, file.id);
  return whenReady<unknown, Reply>(done, () => reply);
}

type FileAct = 'upload' | 'download' | 'removal';

function fileAct({ operation, status, answerPlan }: OperationPlan): FileAct | undefined {
  const { method, requestBody } = operation;
  const sent = requestBody?.content ?? [];
  if (method === 'DELETE') return 'removal';
  if (method === 'GET')
    return answerPlan(status).contents.some(({ form }) => form === 'binary')
      ? 'download'
      : undefined;
  const isUpload =
    ['PUT', 'POST'].includes(method) &&
    sent.length > 0 &&
    sent.every(({ mediaType }) => contentForm(mediaType) === 'binary');
  return isUpload ? 'upload' : undefined;
}

/** Where a file is kept: by its path. */
interface FilePlace {
  readonly collection: Collection;
  readonly id: string;
}

function fileOf({ session, request: { target } }: ValidRequest): FilePlace {
  return { collection: { session, name: '(files)' }, id: target.split('?', 1)[0] ?? '' };
}

/** Keeps a file, unless it is longer than a record may be. */
function upload(
  { request: { headers, body } }: ValidRequest,
  { collection, id }: FilePlace,
  store: Store,
): MaybePromise<unknown> {
  const type = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence ?? '';
  return whenReady(store.delete(collection, id), () =>
    // As JSON, a byte takes up to six characters.
    body.length * 6 > store.recordLimit
      ? undefined
      : store.insert(collection, { id, record: { type, content: binaryText(body) } }),
  );
}

function download(reply: Reply, { collection, id }: FilePlace, store: Store): MaybePromise<Reply> {
  return whenReady(store.get(collection, id), (file) => {
    const { type, content } = file ?? {};
    return typeof type === 'string' && content !== undefined
      ? { ...reply, body: content, mediaType: type }
      : reply;
  });
}
