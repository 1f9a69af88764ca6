import type { Operation } from '../../../contract/model.ts';
import { isJsonMediaType, parseMediaType } from '../../../http/media-type.ts';

/** Media types of responses that last as long as the client listens. */
const endless: ReadonlySet<string> = new Set([
  'text/event-stream',
  'multipart/x-mixed-replace',
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
  return operation.responses.some(({ content }) =>
    content.some(({ mediaType }) => endless.has(parseMediaType(mediaType)?.essence ?? '')),
  );
}

/** Whether the contract declares responses that are files: they may have any size. */
export function downloads(operation: Operation): boolean {
  return operation.responses.some(({ content }) =>
    content.some(({ mediaType }) => !isJsonMediaType(mediaType)),
  );
}
