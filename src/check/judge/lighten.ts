import { emptyBody, type HeaderList, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { isSuccess } from '../../http/status.ts';
import { readAnswer } from '../evidence/answer/read-answer.ts';
import type { Step } from '../subject.ts';

/** Fields of an answer that are still asked for when the run is counted. */
const counted: readonly string[] = ['location', 'retry-after'];

/** A step as it is counted: which case it was, and the status of its answer; neither what was sent nor a body. */
export function lighten({ case: tried, exchange }: Step): Step {
  const { baseUrl, request, response, fault, durationMs } = exchange;
  return {
    case: tried,
    sent: nothingSent,
    exchange: {
      baseUrl,
      request: requestBy(request.method),
      ...(response === undefined ? {} : { response: lightResponse(response) }),
      ...(fault === undefined ? {} : { fault }),
      durationMs,
    },
    answer: nothingAnswered,
  };
}

// A run keeps one of these for each request, and nearly all of them are alike.
const noHeaders: HeaderList = [];
const nothingSent: Step['sent'] = { arguments: new Map() };
const nothingAnswered: Step['answer'] = { kind: 'empty' };
const requests = new Map<string, HttpRequest>();
const responses = new Map<number, HttpResponse>();

function requestBy(method: string): HttpRequest {
  const known = requests.get(method) ?? { method, target: '', headers: noHeaders, body: emptyBody };
  requests.set(method, known);
  return known;
}

function lightResponse({ status, headers }: HttpResponse): HttpResponse {
  const fields = headers.filter(([name]) => counted.includes(name.toLowerCase()));
  if (fields.length > 0 && !isSuccess(status)) return { status, headers: fields, body: emptyBody };
  const known = responses.get(status) ?? { status, headers: noHeaders, body: emptyBody };
  responses.set(status, known);
  return known;
}

/** The same step, whose answer is read out of its bytes again whenever it is asked for. */
export function withoutValue({ case: tried, sent, exchange }: Step): Step {
  return {
    case: tried,
    sent,
    exchange,
    get answer() {
      return exchange.response === undefined ? ({ kind: 'empty' } as const) : readAnswer(exchange.response);
    },
  };
}
