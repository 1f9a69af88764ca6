import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer } from '../../json/pointer.ts';
import { lazy } from '../lazy.ts';
import type { LocatedNode, MediaTypeSpec, Operation, ResponseSpec, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { writeReference } from '../read/cursor.ts';
import { objectMembers } from '../schema/object-members.ts';
import { isAnyObject } from './conventions/envelope-styles.ts';
import { collectionPathOf, pathKey, plainPath } from './conventions/path-styles.ts';
import { changedOperation } from './open-calls.ts';

/**
 * The operations, where answers whose schema says nothing show what the requests on the same paths
 * describe: `POST /things` takes a thing, and `GET /things/{id}` answers with anything. Frameworks
 * write such documents for handlers without a declared result. Each changed operation keeps the one
 * that the document describes; nothing is read before it is asked for.
 */
export function describeSilentAnswers(operations: readonly Operation[]): readonly Operation[] {
  const groups = Map.groupBy(operations, ({ path }) => pathKey(collectionPathOf(path)));
  const records = new Map(
    [...groups].flatMap(([key, group]) => {
      const reader = group.find((one) => one.method === 'GET' && isItem(one));
      const maker =
        group.find((one) => one.method === 'POST' && !isItem(one)) ??
        group.find((one) => one.method === 'PUT' && isItem(one));
      return reader === undefined || maker === undefined
        ? []
        : [[key, lazy(() => recordOf(maker, reader))] as const];
    }),
  );
  return operations.map((operation) => {
    const record = records.get(pathKey(collectionPathOf(operation.path)));
    return record === undefined || operation.method === 'DELETE'
      ? operation
      : describe(operation, record);
  });
}

/** Whether an answer of an operation shows what the document says of requests alone. */
export function isDescribedByRequests({ asWritten, responses }: Operation): boolean {
  return (
    asWritten !== undefined &&
    responses.some(({ content }) => content.some(({ records }) => records !== undefined))
  );
}

function isItem({ path }: Operation): boolean {
  return collectionPathOf(path) !== plainPath(path);
}

/** The record that an operation takes, if the read of such a record says nothing of it. */
function recordOf(maker: Operation, reader: Operation): Schema | undefined {
  const successes = reader.responses.filter(isSuccess).flatMap(({ content }) => content);
  const isUnknown = successes.length > 0 && successes.every(isSilentMedia);
  const taken = isUnknown && isJson(maker) ? bodySchema(maker) : undefined;
  const isObject =
    taken !== undefined && (objectMembers(taken).properties.size > 0 || isAnyObject(taken));
  return isObject ? taken : undefined;
}

function isJson({ requestBody }: Operation): boolean {
  return requestBody?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) === true;
}

function describe(operation: Operation, record: () => Schema | undefined): Operation {
  const asksList = operation.method === 'GET' && !isItem(operation);
  const responses = lazy(() => {
    const shown = record();
    return shown === undefined
      ? operation.responses
      : operation.responses.map((response) =>
          isSuccess(response) ? describeResponse(response, { shown, asksList }) : response,
        );
  });
  return changedOperation(operation, {
    asWritten: operation,
    get responses() {
      return responses();
    },
  });
}

interface Shown {
  readonly shown: Schema;
  readonly asksList: boolean;
}

function describeResponse(response: ResponseSpec, { shown, asksList }: Shown): ResponseSpec {
  const content = response.content.map((media): MediaTypeSpec => {
    if (!isJsonMediaType(media.mediaType)) return media;
    if (!asksList) return isSilentMedia(media) ? { ...media, records: shown } : media;
    const records = listOf(media, shown);
    return records === undefined ? media : { ...media, records };
  });
  return { ...response, content };
}

/** A list of the records, where a body is anything, or an array of anything. */
function listOf({ schema, mediaType }: MediaTypeSpec, shown: Schema): Schema | undefined {
  const place: LocatedNode = {
    node: { type: 'array', items: { $ref: writeReference(shown.pointer) } },
    pointer: joinPointer(schema?.pointer ?? shown.pointer, 'x-vouch-list'),
  };
  return isSilentMedia({ mediaType, schema }) || (schema !== undefined && isSilentList(schema))
    ? shown.part(place)
    : undefined;
}

function isSilentList(schema: Schema): boolean {
  const { types, node, pointer } = schema.flatten();
  const { items } = node;
  return (
    types.join() === 'array' &&
    (items === undefined ||
      isSilent(schema.part(schema.follow(items, joinPointer(pointer, 'items')))))
  );
}

function isSilentMedia({ mediaType, schema }: Pick<MediaTypeSpec, 'mediaType' | 'schema'>) {
  return isJsonMediaType(mediaType) && (schema === undefined || isSilent(schema));
}

/** Whether a schema says nothing of a value: it has annotations alone. */
function isSilent(schema: Schema): boolean {
  return Object.keys(schema.flatten().node).every((keyword) => annotations.has(keyword));
}

const annotations = new Set(['title', 'description', 'deprecated', 'nullable', '$comment']);

function isSuccess({ status }: ResponseSpec): boolean {
  return status.startsWith('2');
}
