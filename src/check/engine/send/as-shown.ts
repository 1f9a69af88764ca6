import { withHeader } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, mediaOf } from '../../model/case.ts';
import type { Step } from '../../model/step.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { WrittenRequest } from '../../request/write-request.ts';
import type { Look } from './find-created.ts';
import type { Sender } from './sender.ts';

interface Written {
  readonly case: Case;
  readonly written: Extract<WrittenRequest, { ok: true }>;
}

/**
 * A change that is to carry the tag of its record, with that tag: the record is read for it if no
 * answer since its last change showed one. Other requests are as they were.
 */
export async function withTag<Ready extends Written>(
  ready: Ready,
  sender: Sender,
  look: Look,
): Promise<Ready> {
  const { written } = ready;
  const { request, sent } = written;
  const tagged = ready.case.request.arguments.find(({ source }) => source.kind === 'tag');
  if (tagged === undefined) return ready;
  const { tags } = sender.memory;
  if (tags.of(request.target) === undefined) await readRecord(ready, sender, look);
  const tag = tags.of(request.target);
  if (tag === undefined) return ready;
  const values = new Map([...sent.arguments, [tagged.parameter, tag]]);
  const headers = withHeader(request.headers, 'If-Match', tag);
  const own = { request: { ...request, headers }, sent: { ...sent, arguments: values } };
  return { ...ready, written: { ...written, ...own } };
}

/** The plain read of the record that a request changes, if it is the run's own. */
async function readRecord(
  { case: testCase, written }: Written,
  sender: Sender,
  look: Look,
): Promise<Step | undefined> {
  const record = sender.records?.ownRecordOf(testCase.operation, written.sent);
  const read = record && sender.readOf?.(record);
  return read && look(read, `the record is read before ${testCase.operation.id} changes it`);
}

/**
 * The body of a replacement of which the run has learned that its record has to stay as it is in
 * most members: each member that is as planned has the value that a read shows. Undefined for other
 * requests.
 */
export async function valueAsShown(
  ready: Written,
  sender: Sender,
  look: Look,
): Promise<JsonObject | undefined> {
  const { operation, request } = ready.case;
  const planned = sender.lessons?.wholeOf(operation);
  const { body } = request;
  if (planned === undefined || body === undefined || body.kind === 'bytes') return undefined;
  const schema = mediaOf(ready.case)?.schema;
  const resource = sender.records?.ownRecordOf(operation, ready.written.sent)?.resource;
  if (!isJsonObject(body.value) || schema === undefined || resource === undefined) return undefined;
  const step = await readRecord(ready, sender, look);
  const shown = step && shownRecord(resource, step.answer);
  if (shown === undefined) return undefined;
  const isValid = schema.accepts(body.value, 'request');
  return Object.entries(body.value).reduce((whole: JsonObject, [name, value]) => {
    // A text with a mark of its own changes the record.
    if (!equalJson(value, planned[name] ?? null)) return whole;
    const { [name]: _planned, ...rest } = whole;
    const next = shown[name] === undefined ? rest : { ...whole, [name]: shown[name] };
    return !isValid || schema.accepts(next, 'request') ? next : whole;
  }, body.value);
}

export function withBody(testCase: Case, value: JsonValue): Case {
  const { request } = testCase;
  const { body } = request;
  return body === undefined || body.kind === 'bytes'
    ? testCase
    : { ...testCase, request: { ...request, body: { ...body, value } } };
}
