import { suggestId, usage, VouchError } from '../../../errors.ts';
import { emptyBody, type HttpRequest, type HttpResponse } from '../../../http/message.ts';
import { decodeUtf8 } from '../../../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, stringifyJson, objectOf, arrayOf } from '../../../json/value.ts';
import { basePathsOf } from '../../../mock/route/mounted-paths.ts';
import { ownOrigin } from './operations.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { type ControlReply, type Fields, json, readFields } from '../../control/fields.ts';
import {
  anyOf,
  count,
  exactly,
  list,
  orNull,
  record,
  text,
} from '../../control/control-schemas.ts';
import type { Outlet } from '../../send-stream.ts';
import type { TryRequest, FilledParameter } from '../send-try.ts';
import { requestOther, requestMock, composeRequest, readLoopbackUrl } from '../send-try.ts';
import type { ShownAnswer } from '../console-api.ts';
import type { CheckNews, CheckStart, ConsoleServices } from '../console-services.ts';
import { unknownService } from '../console-services.ts';

/** The name of the mock itself among the services. */
const thisMock = 'mock';

/** The members of a request that a person filled in. */
export const requestMembers: readonly string[] =
  'operation service parameters headers body mediaType key'.split(' ');
/** The schema of a request that a person filled in. */
export const requestBody: JsonObject = {
  ...anyOf({
    operation: text,
    service: text,
    parameters: list(exactly({ in: text, name: text, value: text })),
    headers: list({ type: 'array', items: text, minItems: 2, maxItems: 2 }),
    body: orNull(text),
    mediaType: orNull(text),
    key: orNull(text),
  }),
  required: ['operation'],
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
  exchange: count,
  problem: text,
});

/** One request, sent to the mock or to another service. */
export const tryRoutes: readonly ControlRoute[] = [
  {
    id: 'try',
    method: 'POST',
    path: '/try',
    summary:
      'Sends one request to the mock, or to a service that the configuration names, and shows ' +
      'the answer',
    body: requestBody,
    answers: { 200: { description: 'The response, or why there is none', schema: reply } },
    answer: tryRequest,
  },
];

async function tryRequest({ parts, request }: ControlCall): Promise<HttpResponse> {
  const fields = readFields(request.body, requestMembers);
  const trial = readAsking(parts, fields);
  const service = fields.text('service') ?? thisMock;
  const started = performance.now();
  const outcome =
    service === thisMock ? await tryMock(parts, trial) : await tryOther(service, trial, parts);
  return json({
    service,
    ...outcome,
    durationMs: Math.round((performance.now() - started) * 10) / 10,
  });
}

async function tryMock(
  parts: ControlParts,
  trial: TryRequest,
): Promise<ShownAnswer & { readonly exchange: number }> {
  const { answer, exchange } = await requestMock(parts, trial);
  const { delayMs, fault } = answer;
  return { ...showAnswer(answer), delayMs, fault: fault?.kind ?? null, exchange };
}

/** A service that does not answer is a result, not an error; a usage error is one. */
async function tryOther(
  service: string,
  trial: TryRequest,
  parts: ControlParts,
): Promise<ShownAnswer | { readonly problem: string }> {
  try {
    return showAnswer(await requestOther(service, trial, parts));
  } catch (error) {
    if (error instanceof VouchError || !(error instanceof Error)) throw error;
    return { problem: `The request ${error.message}.` };
  }
}

function showAnswer({ status, headers, body }: HttpResponse): ShownAnswer {
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

/** Reads a request that a person filled in. Throws `usage`. */
export function readAsking({ mock }: ControlParts, fields: Fields): TryRequest {
  const { operations } = mock.options.contract;
  const id = fields.text('operation');
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined)
    throw usage(
      id === undefined
        ? 'The body must name an operation.'
        : `The contract has no operation ${id.slice(0, 80)}.`,
      { hint: suggestId(id ?? '', operations) },
    );
  const request = composeRequest({
    operation,
    parameters: readParameters(fields.value('parameters')),
    headers: readHeaders(fields.value('headers')),
    body: readTextOrNull(fields, 'body'),
    mediaType: readTextOrNull(fields, 'mediaType'),
  });
  return { operation, request, key: readTextOrNull(fields, 'key') };
}

function readTextOrNull(fields: Fields, name: string): string | undefined {
  return fields.value(name) === null ? undefined : fields.text(name);
}

function readParameters(written: JsonValue = []): FilledParameter[] {
  if (!isJsonArray(written)) throw usage('parameters must be a list.');
  return written.map((each) => {
    const { in: place, name, value } = objectOf(each);
    if (typeof place === 'string' && typeof name === 'string' && typeof value === 'string')
      return { in: place, name, value };
    throw usage('Each of parameters must have in, name and value, which are texts.');
  });
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers of the connection (RFC 9110, section 7.6.1), and the host. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*)$/i;

function readHeaders(written: JsonValue = []): [name: string, value: string][] {
  if (!isJsonArray(written)) throw usage('headers must be a list.');
  return written.map((each) => {
    const [name, value] = arrayOf(each);
    if (
      typeof name !== 'string' ||
      typeof value !== 'string' ||
      !fieldName.test(name) ||
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
      throw usage('Each of headers must be a list of a name and a value that a header can have.');
    if (reserved.test(name))
      throw usage(`The header ${name} is set by the connection.`, { hint: 'Leave it out.' });
    return [name, value];
  });
}

/** A conformance check of a service, with an event for each step. */
export const checkRoutes: readonly ControlRoute[] = [
  {
    id: 'check',
    method: 'POST',
    path: '/check',
    summary:
      'Checks this mock (`itself`), a service that the configuration names, or one on this ' +
      'machine, against the contract: a line of JSON for each event',
    body: anyOf({
      target: text,
      url: text,
      itself: { type: 'boolean' },
      mode: { enum: ['read-only', 'read-write'] },
    }),
    answers: {
      200: {
        description: 'Events, the last of which has the verdict',
        schema: text,
        mediaType: 'application/x-ndjson',
      },
    },
    answer: async (call) => startCheck(call),
  },
];

function startCheck({ parts, request }: ControlCall): ControlReply {
  const { check } = parts.services;
  const fields = readFields(request.body, ['target', 'url', 'itself', 'mode']);
  const start = readCheckStart(fields, parts.services, () => ownUrl(parts, request));
  if (check === undefined)
    throw usage('This mock cannot check servers.', {
      hint: `Run: npx vouch check ${start.target ?? start.url ?? ''}`,
    });
  return {
    status: 200,
    headers: [['Content-Type', 'application/x-ndjson']],
    body: emptyBody,
    follow: (out) => writeCheck(check(start, out.ended), out),
  };
}

/** The base URL of this mock. */
function ownUrl(parts: ControlParts, request: HttpRequest): string {
  const { contract, mounting } = parts.mock.options;
  const [first] = contract.operations;
  const base = first === undefined ? '' : basePathsOf(first, mounting?.base)[0];
  return `${ownOrigin(parts, request) ?? ''}${base ?? ''}`;
}

function readCheckStart(
  fields: Fields,
  services: ConsoleServices,
  urlOfThis: () => string,
): CheckStart {
  const [target, url, mode = 'read-only'] = [
    fields.text('target'),
    fields.text('url'),
    fields.text('mode'),
  ];
  if (mode !== 'read-only' && mode !== 'read-write')
    throw usage('mode must be read-only or read-write.');
  if (fields.flag('itself') === true) return { url: urlOfThis(), itself: true, mode };
  if ((target === undefined) === (url === undefined))
    throw usage('The body must name a target or a URL, one of the two.');
  if (url !== undefined) return { url: readLoopbackUrl(url), mode };
  if (target === undefined || services.others?.().every(({ name }) => name !== target) !== false)
    throw unknownService(target ?? '', services);
  return { target, mode };
}

async function writeCheck(news: AsyncIterable<CheckNews>, { write, ended }: Outlet): Promise<void> {
  try {
    for await (const each of news) {
      if (ended.aborted) return;
      await write(`${stringifyJson(each)}\n`);
    }
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    await write(
      `${stringifyJson({ type: 'failed', message: error.message, hint: error.hint ?? '' })}\n`,
    );
  }
}
