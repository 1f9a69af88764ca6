import { sampleContent } from '../../values/sample-content.ts';
import { contentForm, parseMediaType } from '../../http/media-type.ts';
import type { BodyTemplate } from '../model/request-template.ts';
import type { Draft } from './draft.ts';
import type { Operation } from '../../contract/model.ts';

/** A file that an operation takes as its body; undefined if it takes anything else. */
export function uploadFor({ operation }: Draft): BodyTemplate | undefined {
  const [mediaType] = ['PUT', 'POST'].includes(operation.method) ? fileTypes(operation) : [];
  if (mediaType === undefined) return undefined;
  return { kind: 'bytes', mediaType, bytes: sampleFile(mediaType, 17) };
}

/** A file of a media type, with bytes that are no UTF-8, longer than a usual buffer. */
export function sampleFile(mediaType: string, salt: number): Uint8Array {
  const essence = parseMediaType(mediaType)?.essence ?? mediaType;
  const begin = Buffer.from(sampleContent(essence) ?? '', 'latin1');
  const noise = Uint8Array.from({ length: fileSize }, (_byte, index) => (index * 7 + salt) & 0xff);
  return Buffer.concat([begin, noise]);
}

/** The media types of files that an operation takes; empty if it takes anything else. */
export function fileTypes({ requestBody }: Operation): string[] {
  const types = requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  return types.every((type) => contentForm(type) === 'binary' && !type.includes('*')) ? types : [];
}

const fileSize = 2600;
