import { wordsIn } from '../../../words-in.ts';
import { type JsonObject, type JsonValue, pickOrNull } from '../../../json/value.ts';
import { usage } from '../../../errors.ts';
import { readJson } from '../../../http/media-type.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import type { OutgoingRequest } from '../../../mock/mock.ts';
import { isWebUrl, judgeAnswer, makeWebhook } from '../../../mock/callbacks/make-callbacks.ts';
import { refuseUrl } from '../../callbacks/outgoing-client.ts';
import type { CallbackReport, CallbackSender } from '../../callbacks/send-callbacks.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { json, readFields, unknownName } from '../fields.ts';
import { anyOf, count, exactly, list, orNull, shows, text } from '../control-schemas.ts';

const webhookView = exactly({ name: text, method: text, summary: orNull(text) });
const reportView = exactly({
  name: text,
  operation: orNull(text),
  method: orNull(text),
  url: orNull(text),
  outcome: { enum: ['answered', 'failed', 'refused', 'dropped'] },
  attempt: count,
  status: orNull({ type: 'integer' }),
  reason: orNull(text),
  retryInMs: orNull({ type: 'number' }),
  durationMs: { type: 'number' },
});

/** Sends webhooks on demand, and reports callbacks. */
export const webhookRoutes: readonly ControlRoute[] = [
  {
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'Every webhook of the contract',
    answers: { 200: shows('The webhooks', { webhooks: list(webhookView) }) },
    answer: async ({ parts }) =>
      json({
        webhooks: parts.mock.options.contract.webhooks.map(({ name, method, summary }) => ({
          name,
          method,
          summary: summary ?? null,
        })),
      }),
  },
  {
    id: 'sendWebhook',
    method: 'POST',
    path: '/webhooks/{name}',
    summary:
      'Sends a webhook, valid under the contract, and reports the response; ' +
      'members of `body` are kept, the rest is made',
    body: { ...anyOf({ url: text, method: text, body: {} }), required: ['url'] },
    answers: {
      200: shows('The request and its response; `broken` lists violations of the contract in it', {
        sent: exactly({ method: text, url: text, body: {} }),
        status: { type: 'integer' },
        body: {},
        valid: { type: 'boolean' },
        broken: list(text),
      }),
      404: 'There is no such webhook',
      502: 'There was no response',
    },
    answer: async (call) => sendWebhook(call),
  },
  {
    id: 'listCallbacks',
    method: 'GET',
    path: '/callbacks',
    summary: 'The last attempts to send callbacks and webhooks, the oldest first',
    answers: { 200: shows('Each attempt, and what became of it', { callbacks: list(reportView) }) },
    answer: async ({ parts }) =>
      json({ callbacks: (parts.callbacks?.reports() ?? []).map(showReport) }),
  },
];

async function sendWebhook({
  parts: { mock, callbacks },
  path: { name = '' },
  request,
}: ControlCall): Promise<HttpResponse> {
  const fields = readFields(request.body, ['url', 'method', 'body']);
  const method = fields.text('method')?.toUpperCase();
  const named = mock.options.contract.webhooks.filter((each) => each.name === name);
  const webhook = method === undefined ? named[0] : named.find((each) => each.method === method);
  if (webhook === undefined)
    return unknownName(
      'webhook',
      method === undefined ? name : `${method} ${name}`,
      mock.options.contract.webhooks.map((each) => each.name),
    );
  const url = fields.text('url');
  if (url === undefined || !isWebUrl(url))
    throw usage('url must be where the webhook goes: a URL that begins with http:// or https://.');
  const body = fields.value('body');
  const made = makeWebhook(webhook, {
    url,
    seed: mock.options.seed,
    making: { now: mock.clock.now(), makeId: mock.options.makeId },
    body,
  });
  if (made.kind === 'unsendable') throw usage(`The webhook ${name} ${made.reason}.`);
  if (callbacks === undefined)
    return problemResponse(503, 'This mock was started without a sender of callbacks.');
  return deliver(made, callbacks, (answer) => judgeAnswer(webhook, answer));
}

async function deliver(
  request: OutgoingRequest,
  callbacks: CallbackSender,
  judge: (answer: HttpResponse) => string[],
): Promise<HttpResponse> {
  const answer = await callbacks.sendOnce(request);
  if ('problem' in answer)
    return problemResponse(
      refuseUrl(new URL(request.url), callbacks.rules) === undefined ? 502 : 403,
      `The webhook ${request.name} to ${request.url} ${answer.problem}.`,
    );
  const broken = judge(answer);
  return json({
    sent: { method: request.method, url: request.url, body: readAny(request) },
    status: answer.status,
    body: readAny(answer),
    valid: broken.length === 0,
    broken,
  });
}

/** A body as JSON if it is JSON, otherwise as text. */
function readAny(message: Pick<HttpResponse, 'headers' | 'body'>): JsonValue {
  if (message.body.length === 0) return null;
  return readJson(message) ?? new TextDecoder().decode(message.body);
}

function showReport(report: CallbackReport): JsonObject {
  return pickOrNull(
    report,
    wordsIn('name operation method url outcome attempt status reason retryInMs durationMs'),
  );
}
