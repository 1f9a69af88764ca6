import { VouchError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { decodeUtf8 } from '../../../json/decode-utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json } from '../../control/control-response.ts';
import { anyOf, count, list, orNull, record, text } from '../../control/control-schemas.ts';
import { readFields, type Fields } from '../../control/fields.ts';
import { askOther, askOurselves, type Asking } from '../try/ask-service.ts';
import { composeRequest, type FilledParameter } from '../try/compose-request.ts';

/** By this name the mock itself is asked. */
export const ourselves = 'mock';

const filled = {
  type: 'object',
  required: ['in', 'name', 'value'],
  properties: { in: text, name: text, value: text },
  additionalProperties: false,
};
const reply = anyOf({
  service: text,
  status: { type: 'integer' },
  headers: list({ type: 'array', items: text }),
  body: orNull(record),
  bytes: count,
  delayMs: count,
  fault: orNull(text),
  durationMs: { type: 'number' },
  problem: text,
});

/** One request, asked of the mock and of others. */
export const tryRoutes: readonly ControlRoute[] = [
  {
    id: 'try',
    method: 'POST',
    path: '/try',
    summary:
      'Sends one request to the mock, or to a service that the configuration names, and shows the answer',
    body: {
      ...anyOf({
        operation: text,
        service: text,
        parameters: list(filled),
        headers: list({ type: 'array', items: text, minItems: 2, maxItems: 2 }),
        body: orNull(text),
        mediaType: orNull(text),
        key: orNull(text),
      }),
      required: ['operation'],
    },
    answers: { 200: { description: 'The answer, or why none came', schema: reply } },
    answer: tryRequest,
  },
];

const members = ['operation', 'service', 'parameters', 'headers', 'body', 'mediaType', 'key'];

async function tryRequest({ parts, request }: ControlCall): Promise<HttpResponse> {
  const fields = readFields(request.body, members);
  const asking = readAsking(parts, fields);
  const service = fields.text('service') ?? ourselves;
  const started = performance.now();
  const told =
    service === ourselves ? await tellOurs(parts, asking) : await tellOther(service, asking, parts);
  return json({
    service,
    ...told,
    durationMs: Math.round((performance.now() - started) * 10) / 10,
  });
}

async function tellOurs(parts: ControlParts, asking: Asking): Promise<JsonObject> {
  const answer = await askOurselves(parts, asking);
  return { ...showAnswer(answer), delayMs: answer.delayMs, fault: answer.fault?.kind ?? null };
}

/** That a service gives no answer is what was asked about; that it was asked wrongly is not. */
async function tellOther(
  service: string,
  asking: Asking,
  parts: ControlParts,
): Promise<JsonObject> {
  try {
    return showAnswer(await askOther(service, asking, parts));
  } catch (error) {
    if (error instanceof VouchError || !(error instanceof Error)) throw error;
    return { problem: `The request ${error.message}.` };
  }
}

function showAnswer({ status, headers, body }: HttpResponse): JsonObject {
  const decoded = decodeUtf8(body);
  const shown =
    body.length === 0
      ? null
      : decoded.ok
        ? { text: decoded.text }
        : { base64: Buffer.from(body).toString('base64') };
  return {
    status,
    headers: headers.map(([name, value]) => [name, value]),
    body: shown,
    bytes: body.length,
  };
}

function readAsking({ mock }: ControlParts, fields: Fields): Asking {
  const { operations } = mock.options.contract;
  const id = fields.text('operation');
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined)
    throw new VouchError(
      'usage',
      id === undefined
        ? 'The body must name an operation.'
        : `The contract has no operation ${id.slice(0, 80)}.`,
      {
        hint: suggestWord(
          id ?? '',
          operations.map((each) => each.id),
        ),
      },
    );
  const request = composeRequest({
    operation,
    parameters: readParameters(fields.value('parameters')),
    headers: readHeaders(fields.value('headers')),
    body: textOrNothing(fields, 'body'),
    mediaType: textOrNothing(fields, 'mediaType'),
  });
  return { operation, request, key: textOrNothing(fields, 'key') };
}

function textOrNothing(fields: Fields, name: string): string | undefined {
  return fields.value(name) === null ? undefined : fields.text(name);
}

function readParameters(written: JsonValue = []): FilledParameter[] {
  if (!isJsonArray(written)) throw new VouchError('usage', 'parameters must be a list.');
  return written.map((each) => {
    const { in: place, name, value } = isJsonObject(each) ? each : {};
    if (typeof place === 'string' && typeof name === 'string' && typeof value === 'string')
      return { in: place, name, value };
    throw new VouchError(
      'usage',
      'Each of parameters must have in, name and value, which are texts.',
    );
  });
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What the connection itself decides (RFC 9110, section 7.6.1), and what would say who asks. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*)$/i;

function readHeaders(written: JsonValue = []): [name: string, value: string][] {
  if (!isJsonArray(written)) throw new VouchError('usage', 'headers must be a list.');
  return written.map((each) => {
    const [name, value] = isJsonArray(each) ? each : [];
    if (
      typeof name !== 'string' ||
      typeof value !== 'string' ||
      !fieldName.test(name) ||
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
      throw new VouchError(
        'usage',
        'Each of headers must be a list of a name and a value that a header can have.',
      );
    if (reserved.test(name))
      throw new VouchError('usage', `The header ${name} is the connection's to say.`, {
        hint: 'Leave it out.',
      });
    return [name, value];
  });
}
