import { makeCase, mediaOf, type Case } from '../../model/case.ts';
import type { ChangedRecord } from '../../model/record.ts';
import { restoredValue } from './restorable.ts';

/**
 * The case that puts a changed record back to what was read before; undefined where that can no
 * longer be written.
 */
export function putBack({ change, original }: ChangedRecord): Case | undefined {
  const { operation, request, intent } = change;
  const media = mediaOf(change);
  const value = media && restoredValue(original, media);
  if (media === undefined || value === undefined) return undefined;
  return makeCase({
    title: 'what was there before is put back',
    phase: 'cleanup',
    operation,
    request: { ...request, body: { kind: 'json', mediaType: media.mediaType, value } },
    intent,
  });
}
