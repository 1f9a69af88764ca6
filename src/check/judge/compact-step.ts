import { emptyBody, type HeaderList, isSameName } from '../../http/message.ts';
import { isSuccess } from '../../http/status.ts';
import { isHidden, readAnswer } from '../evidence/answer/read-answer.ts';
import type { Case } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Step } from '../model/step.ts';

/**
 * A step as it is counted: what it was for, and the status of its answer, and why that could not be
 * read; neither where it went, what was sent, nor how long it took.
 */
export function compactStep({ case: testCase, exchange, answer }: Step): Step {
  const kept = isHidden(answer) ? answer : nothingAnswered;
  return {
    case: compactCase(testCase),
    sent: nothingSent,
    exchange: compactExchange(exchange),
    answer: kept,
  };
}

/**
 * What a case was for; not what it is called and asks for, which nobody reads of a step that is
 * only counted.
 */
function compactCase({ id, phase, operation, intent }: Case): Case {
  return {
    id,
    title: '',
    phase,
    operation,
    request: nothingAsked,
    intent: intent.kind === 'valid' ? validIntents[intent.rigour] : intent,
  };
}

const nothingAsked: Case['request'] = { arguments: [], credential: 'given' };
const validIntents = {
  plain: { kind: 'valid', rigour: 'plain', at: '' },
  invented: { kind: 'valid', rigour: 'invented', at: '' },
  exotic: { kind: 'valid', rigour: 'exotic', at: '' },
} as const;

/** An answer of which only the status is counted is told by that and the method. */
function compactExchange({ request: { method }, response, fault }: Exchange): Exchange {
  const { status = 0, headers = noHeaders } = response ?? {};
  const fields = isSuccess(status) ? noHeaders : headers.filter(isCounted);
  const name = `${method} ${String(status)}`;
  const known = fault === undefined && fields.length === 0 ? exchanges.get(name) : undefined;
  if (known !== undefined) return known;
  const light: Exchange = {
    baseUrl: '',
    request: { method, target: '', headers: noHeaders, body: emptyBody },
    ...(response === undefined ? {} : { response: { status, headers: fields, body: emptyBody } }),
    ...(fault === undefined ? {} : { fault }),
    durationMs: 0,
  };
  if (fault === undefined && fields.length === 0) exchanges.set(name, light);
  return light;
}

/** Fields of an answer that are still asked for when the run is counted. */
function isCounted(field: HeaderList[number]): boolean {
  return isSameName(field[0], 'location') || isSameName(field[0], 'retry-after');
}

// A run keeps one step for each request, and nearly all of their exchanges are alike.
const noHeaders: HeaderList = [];
const nothingSent: Step['sent'] = { arguments: new Map() };
const nothingAnswered: Step['answer'] = { kind: 'empty' };
const exchanges = new Map<string, Exchange>();

/** The same step, whose answer is read out of its bytes again whenever it is asked for. */
export class StoredStep implements Step {
  readonly case: Step['case'];
  readonly sent: Step['sent'];
  readonly exchange: Step['exchange'];

  constructor({ case: testCase, sent, exchange }: Step) {
    this.case = testCase;
    this.sent = sent;
    this.exchange = exchange;
  }

  get answer(): Step['answer'] {
    return this.exchange.response === undefined
      ? nothingAnswered
      : readAnswer(this.exchange.response);
  }
}
