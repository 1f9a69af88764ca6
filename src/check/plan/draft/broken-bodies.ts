import type { Operation } from '../../../contract/model.ts';
import { matchesMediaRange } from '../../../http/media-type.ts';
import type { Intent } from '../../model/case.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import { writeBody } from '../../request/write-body.ts';
import { bodyOf, type DraftBody, formOf } from './draft-body.ts';

/** A body that is none, is not whole, or is of a media type that the contract does not declare. */
export interface BrokenBody {
  readonly title: string;
  readonly body: BodyTemplate | 'none';
  readonly accepted: Extract<Intent, { kind: 'invalid' }>['accepted'];
  /** No parser can read it. */
  readonly unreadable?: true;
}

/** The bodies of an operation that nobody can read as what the contract declares. */
export function brokenBodies({ requestBody, responses }: Operation, body: DraftBody): BrokenBody[] {
  const isDeclared = (type: string): boolean =>
    requestBody?.content.some(({ mediaType }) => matchesMediaRange(type, mediaType)) === true;
  const strangers = mislabelled(
    body,
    responses.some(({ status }) => status === '415'),
  ).filter(
    ({ body: stranger }) => stranger === 'none' || !isDeclared(writeBody(stranger).mediaType ?? ''),
  );
  return [
    ...(requestBody?.required === true
      ? [{ title: 'there is no body', body: 'none', accepted: 'error' } as const]
      : []),
    ...unreadable(body),
    ...(requestBody?.content.some(({ mediaType }) => mediaType.startsWith('*')) === true
      ? []
      : strangers),
  ];
}

/** Bodies of the right name that are not what it says. */
function unreadable(body: DraftBody): BrokenBody[] {
  const { bytes, mediaType = body.mediaType } = writeBody(bodyOf(body, body.value));
  const half = bytes.slice(0, Math.max(1, Math.ceil(bytes.length / 2)));
  const text = (content: string): BodyTemplate => ({
    kind: 'bytes',
    mediaType,
    bytes: new TextEncoder().encode(content),
  });
  switch (formOf(body)) {
    case 'json':
      return [
        {
          unreadable: true,
          title: 'the body is not JSON',
          body: text('not JSON'),
          accepted: 'error',
        },
        {
          unreadable: true,
          title: 'the body breaks off in the middle',
          body: { kind: 'bytes', mediaType, bytes: half },
          accepted: 'error',
        },
        {
          unreadable: true,
          title: 'the body holds bytes that are not UTF-8',
          body: { kind: 'bytes', mediaType, bytes: invalidUtf8 },
          accepted: 'warning',
        },
      ];
    case 'form':
      return [
        {
          title: 'the body holds a percent sign without two digits',
          body: text('%zz=%zz'),
          accepted: 'fine',
        },
      ];
    case 'multipart':
      return [
        {
          unreadable: true,
          title: 'the body breaks off in the middle',
          body: { kind: 'bytes', mediaType, bytes: half },
          accepted: 'warning',
        },
        {
          title: 'the body names no boundary',
          body: { kind: 'bytes', mediaType: 'multipart/form-data', bytes },
          accepted: 'warning',
        },
      ];
    case 'xml':
      return [
        {
          unreadable: true,
          title: 'the body is not XML',
          body: text('not XML'),
          accepted: 'error',
        },
      ];
    case 'json-lines':
    case 'json-sequence':
      return [
        {
          unreadable: true,
          title: 'the body is not JSON',
          body: text('not JSON\n'),
          accepted: 'warning',
        },
      ];
    case 'text':
    case 'csv':
    case 'events':
    case 'binary':
      return [];
  }
}

const invalidUtf8 = Uint8Array.from([
  ...new TextEncoder().encode('{"'),
  0xff,
  0xfe,
  ...new TextEncoder().encode('":1}'),
]);

/**
 * Bodies of another type. Many servers take a file under any name, and read what they can: not
 * where the contract says that they refuse it.
 */
function mislabelled(body: DraftBody, isRefused: boolean): BrokenBody[] {
  const { bytes } = writeBody(bodyOf(body, body.value));
  const isFile = formOf(body) === 'binary' || formOf(body) === 'text';
  const xml: BodyTemplate = {
    kind: 'bytes',
    mediaType: 'application/xml',
    bytes: new TextEncoder().encode('<value/>'),
  };
  return [
    { title: 'the body is XML', body: xml, accepted: isFile && !isRefused ? 'warning' : 'error' },
    {
      title: 'the body is labelled text/plain',
      body: { kind: 'bytes', mediaType: 'text/plain', bytes },
      accepted: isRefused ? 'error' : 'warning',
    },
  ];
}
