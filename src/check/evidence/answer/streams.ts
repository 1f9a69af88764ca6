import type { Operation } from '../../../contract/model.ts';
import { isJsonMediaType, parseMediaType } from '../../../http/media-type.ts';

/** Media types of answers that go on for as long as the client listens. */
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
 * Whether the contract gives an operation answers that need not end: no deadline and no bound shows
 * anything about them.
 */
export function streams(operation: Operation): boolean {
  return operation.responses.some(({ content }) =>
    content.some(({ mediaType }) => endless.has(parseMediaType(mediaType)?.essence ?? '')),
  );
}

/**
 * Whether the contract gives an operation answers that are files rather than values: they may be of
 * any size.
 */
export function downloads(operation: Operation): boolean {
  return operation.responses.some(({ content }) =>
    content.some(({ mediaType }) => !isJsonMediaType(mediaType)),
  );
}
