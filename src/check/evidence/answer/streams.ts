import { wordsOf } from '../../../contract/infer/infer-names.ts';
import type { Operation } from '../../../contract/model.ts';
import { isJsonMediaType, parseMediaType } from '../../../http/media-type.ts';

/** Media types of responses that last as long as the client listens. */
const endless: ReadonlySet<string> = new Set([
  'text/event-stream',
  'multipart/x-mixed-replace',
  'multipart/mixed',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-seq',
  'application/stream+json',
]);

/**
 * Whether the contract declares responses that may be endless: deadlines and size limits prove
 * nothing about them.
 */
export function streams(operation: Operation): boolean {
  return (
    saysStream(operation) ||
    operation.responses.some(({ content }) =>
      content.some(({ mediaType }) => endless.has(parseMediaType(mediaType)?.essence ?? '')),
    )
  );
}

/** Words with which contracts describe endless responses: `/pets/watch`, `streamEvents`. */
function saysStream({ id, path }: Operation): boolean {
  const words = [id, path.split('/').at(-1) ?? ''].flatMap((name) => wordsOf(name));
  return words.some((word) => ['stream', 'streams', 'watch', 'tail', 'subscribe'].includes(word));
}

/** Whether the contract declares responses that are files: they may have any size. */
export function downloads(operation: Operation): boolean {
  return operation.responses.some(({ content }) =>
    content.some(({ mediaType }) => !isJsonMediaType(mediaType)),
  );
}
