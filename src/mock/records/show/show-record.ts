import type { Schema } from '../../../contract/model.ts';
import type { HeaderList } from '../../../http/message.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { generateBody } from '../../answer/generate-body.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import type { Fault } from '../../model/fault.ts';
import type { AnswerContent } from '../../model/operation-plan.ts';
import { makeReply, type Reply } from '../../model/reply.ts';
import { isSameSchema } from '../make/record-shapes.ts';
import { presentRecord, sharesNames } from './present-record.ts';
import { recordBytes } from './record-texts.ts';

/** How a record is shown where it is not the usual answer. */
export interface Showing {
  readonly status?: number;
  readonly content?: AnswerContent | undefined;
  readonly headers?: HeaderList;
  /** A schema that the record is known to keep. */
  readonly kept?: Schema | undefined;
}

/**
 * Answers a record, in the form that the contract gives the answer; without a body where the
 * contract documents none.
 */
export function showRecord(
  request: ValidRequest,
  record: JsonObject,
  showing: Showing = {},
): Reply | Fault {
  const status = showing.status ?? request.plan.status;
  const content = 'content' in showing ? showing.content : request.content;
  const { headers = [] } = showing;
  const bytes =
    content?.form === 'json' && content.schema !== undefined && sharesNames(content.schema, record)
      ? bytesOf(content.schema, record, showing.kept)
      : undefined;
  if (bytes !== undefined) return { kind: 'reply', status, body: record, headers, bytes };
  const body = bodyOf(content, record, request);
  return body.kind === 'fault' ? body : makeReply(status, body.value, { headers, state: record });
}

/** What keeps a schema is not judged by it again. */
function bytesOf(
  schema: Schema,
  record: JsonObject,
  kept: Schema | undefined,
): Uint8Array | undefined {
  return kept !== undefined && isSameSchema(schema, kept)
    ? Buffer.from(stringifyJson(record))
    : recordBytes(schema, record);
}

function bodyOf(
  content: AnswerContent | undefined,
  record: JsonObject,
  request: ValidRequest,
): { readonly kind: 'body'; readonly value: JsonValue | undefined } | Fault {
  if (content === undefined) return { kind: 'body', value: undefined };
  if (content.schema === undefined) return { kind: 'body', value: record };
  const presented = presentRecord(content.schema, record, recordSeed(request, record));
  return presented === undefined
    ? generateBody(content, request, record)
    : { kind: 'body', value: presented };
}

/** A record is completed in the same way wherever it is shown. */
export function recordSeed({ seed, plan }: ValidRequest, record: JsonObject): string {
  const resource = plan.role?.resource;
  return resource === undefined
    ? seed
    : `${seed} ${resource.name} ${String(record[resource.identifier.field])}`;
}
