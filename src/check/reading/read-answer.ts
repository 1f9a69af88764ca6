import { wordsOf } from '../../contract/infer/infer-names.ts';
import type { MediaTypeSpec, Operation } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { contentForm, isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import { jsonLength, type JsonValue } from '../../json/value.ts';
import { type Answer, type Step, hasSuccess } from '../model/step.ts';
import { decodeContent } from './decode-content.ts';
import { readContent } from './read-content.ts';

/**
 * Reads a body: content codings decoded, JSON parsed exactly; XML as a value, if the schema of the
 * operation leaves no doubt. Never throws.
 */
export function readAnswer(response: HttpResponse, operation?: Operation): Answer {
  const mediaType = headerValue(response.headers, 'content-type');
  const decoded = response.body.length === 0 ? undefined : decodeContent(response);
  if (mediaType !== undefined && decoded?.ok === true && isJsonMediaType(mediaType))
    return readJson(decoded.bytes, mediaType);
  const named = mediaType === undefined ? {} : { mediaType };
  if (decoded === undefined) return { kind: 'empty', ...named };
  if (decoded.ok)
    return (
      unknownCharset(mediaType) ??
      readDocument(decoded.bytes, mediaType ?? '', documentedIn(response, operation)) ?? {
        kind: 'bytes',
        ...named,
        bytes: decoded.bytes,
        ...(response.cut === undefined ? {} : { isCut: true }),
      }
    );
  const { reason, kind, isBomb } = decoded;
  const hidden = { kind: 'unreadable', ...named, reason, content: kind } as const;
  return isBomb === undefined ? hidden : { ...hidden, isBomb };
}

function documentedIn({ status }: HttpResponse, operation: Operation | undefined): MediaTypeSpec[] {
  const documented = operation && selectResponse(operation, status);
  return [...(documented?.content ?? [])];
}

/** A larger document is judged, and not compared with others. In bytes. */
const maxDocument = 512 * 1024;

/**
 * An XML document as a value, where its schema describes all of it and it conforms: then it can be
 * compared with what was sent. Otherwise it stays as it is.
 */
function readDocument(
  bytes: Uint8Array,
  mediaType: string,
  content: readonly MediaTypeSpec[],
): Answer | undefined {
  if (content.length === 0 || contentForm(mediaType) !== 'xml') return undefined;
  if (bytes.length > maxDocument) return undefined;
  const media = selectMediaType(content, mediaType);
  const reading = media?.schema && readContent({ bytes, mediaType }, media);
  if (reading?.kind !== 'xml' || !reading.reading.isClear) return undefined;
  const { value } = reading.reading;
  return media?.schema?.validate(value, 'response').length === 0
    ? { kind: 'json', mediaType, value }
    : undefined;
}

/** The last large responses that were read. */
const lastLarge: {
  readonly response: HttpResponse;
  readonly operation: Operation | undefined;
  readonly answer: Answer;
}[] = [];
const maxLarge = 3;

/**
 * The same for a large body, which is seldom kept parsed: one of the last few is not parsed again,
 * and neither is one with the same bytes, such as a list that has not changed.
 */
export function readLargeAnswer(response: HttpResponse, operation?: Operation): Answer {
  const known =
    lastLarge.find((last) => last.response === response) ??
    lastLarge.find(
      (last) => last.operation === operation && hasSameContent(last.response, response),
    );
  const answer = known?.answer ?? readAnswer(response, operation);
  if (known?.response !== response) {
    lastLarge.unshift({ response, operation, answer });
    lastLarge.splice(maxLarge);
  }
  return answer;
}

const describing = ['content-type', 'content-encoding'] as const;

function hasSameContent(one: HttpResponse, other: HttpResponse): boolean {
  return (
    describing.every(
      (name) => headerValue(one.headers, name) === headerValue(other.headers, name),
    ) && Buffer.compare(one.body, other.body) === 0
  );
}

/** The result for a text in an unknown charset; undefined if the charset is known or unused. */
function unknownCharset(mediaType: string | undefined): Answer | undefined {
  const charset =
    mediaType === undefined ? undefined : parseMediaType(mediaType)?.parameters.get('charset');
  if (mediaType === undefined || charset === undefined || !isText(mediaType) || isCharset(charset))
    return undefined;
  return {
    kind: 'unreadable',
    mediaType,
    reason: `the charset of the body is ${charset}`,
    content: 'charset.unknown',
  };
}

function isText(mediaType: string): boolean {
  return !['binary', 'multipart'].includes(contentForm(mediaType));
}

function isCharset(charset: string): boolean {
  try {
    return new TextDecoder(charset) instanceof TextDecoder;
  } catch {
    return false;
  }
}

/** A service may nest values deeply and repeat names; only invalid JSON is unreadable. */
const lenient = {
  maxDepth: 1000,
  duplicateKeys: 'refuse',
  forbiddenKeys: [],
  loneSurrogates: 'allow',
} as const;

function readJson(bytes: Uint8Array, mediaType: string): Answer {
  const reading = parseJson(bytes, lenient);
  if (reading.ok) return { kind: 'json', mediaType, value: reading.value };
  const again =
    reading.problem.code === 'duplicate-key'
      ? parseJson(bytes, { ...lenient, duplicateKeys: 'allow' })
      : reading;
  if (again.ok)
    return { kind: 'json', mediaType, value: again.value, repeats: reading.problem.message };
  return {
    kind: 'unreadable',
    mediaType,
    reason:
      'the body says that it is ' +
      `${parseMediaType(mediaType)?.essence ?? mediaType}, but is not: ` +
      again.problem.message,
  };
}

/** The JSON value of a parsed response; undefined if it is not JSON. */
export function jsonOf(answer: Answer): JsonValue | undefined {
  return answer.kind === 'json' ? answer.value : undefined;
}

const largeLength = 100_000;

/** Whether a response takes much more memory than usual ones. */
export function isLargeAnswer(answer: Answer): boolean {
  return answer.kind === 'json' && jsonLength(answer.value, largeLength) > largeLength;
}

/** Whether there is a complete response whose body could be read. */
export function isRead({ exchange, answer }: Pick<Step, 'exchange' | 'answer'>): boolean {
  return exchange.response !== undefined && !isHidden(answer);
}

/** Whether a success is an XML document that its schema does not describe without a doubt. */
export function isUnclear({ exchange, answer }: Pick<Step, 'exchange' | 'answer'>): boolean {
  return (
    answer.kind === 'bytes' &&
    contentForm(answer.mediaType ?? '') === 'xml' &&
    hasSuccess({ exchange })
  );
}

/** Whether the content is unreadable because of a content coding or a charset. */
export function isHidden(answer: Answer): boolean {
  return answer.kind === 'unreadable' && answer.content !== undefined;
}

/** Media types of responses that last as long as the client listens. */
const endless: ReadonlySet<string> = new Set(
  (
    'text/event-stream multipart/x-mixed-replace multipart/mixed application/x-ndjson ' +
    'application/ndjson application/jsonl application/json-seq application/stream+json'
  ).split(' '),
);

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
