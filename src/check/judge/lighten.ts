import { emptyBody, type HeaderList } from '../../http/message.ts';
import { readAnswer } from '../evidence/read-answer.ts';
import type { Step } from '../subject.ts';

/** Fields of an answer that are still asked for when the run is counted. */
const counted: readonly string[] = ['content-type', 'location', 'retry-after'];

/** A step as it is counted: what was sent and the status of its answer, without bodies. */
export function lighten({ case: tried, sent, exchange, answer }: Step): Step {
  const { baseUrl, request, response, fault, durationMs } = exchange;
  return {
    case: tried,
    sent,
    exchange: {
      baseUrl,
      request: { method: request.method, target: request.target, headers: noHeaders, body: emptyBody },
      ...(response === undefined ? {} : { response: { status: response.status, headers: response.headers.filter(([name]) => counted.includes(name.toLowerCase())), body: emptyBody } }),
      ...(fault === undefined ? {} : { fault }),
      durationMs,
    },
    answer: answer.mediaType === undefined ? { kind: 'empty' } : { kind: 'empty', mediaType: answer.mediaType },
  };
}

const noHeaders: HeaderList = [];

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
