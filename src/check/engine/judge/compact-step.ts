import { matchesMediaRange } from '../../../http/media-type.ts';
import { emptyBody, type HeaderList, isSameName, isSuccess } from '../../../http/message.ts';
import { isHidden, readAnswer, readLargeAnswer } from '../../reading/read-answer.ts';
import type { Case } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Step } from '../../model/step.ts';

/**
 * A step reduced to what is counted: its intent, the status of its response, and why that could not
 * be read; without target, body and duration.
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

/** The intent of a case, without its title and request, which are not read of a counted step. */
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

/** An exchange reduced to the method and the status. */
function compactExchange({ request: { method }, response, fault }: Exchange): Exchange {
  const { status = 0, headers = noHeaders } = response ?? {};
  const fields = headers.filter(isSuccess(status) ? isOfPage : isCounted);
  const name = `${method} ${String(status)}`;
  const known = fault === undefined && fields.length === 0 ? exchanges.get(name) : undefined;
  if (known !== undefined) return known;
  const light: Exchange = {
    baseUrl: '',
    request: { method, target: '', headers: noHeaders, body: emptyBody },
    response: response && { status, headers: fields, body: emptyBody },
    fault,
    durationMs: 0,
  };
  if (fault === undefined && fields.length === 0) exchanges.set(name, light);
  return light;
}

/** The field that shows that a success is a web page. */
function isOfPage([name, value]: HeaderList[number]): boolean {
  return isSameName(name, 'content-type') && matchesMediaRange(value, 'text/html');
}

/** Response fields that are still read when the run is counted. */
function isCounted(field: HeaderList[number]): boolean {
  return isSameName(field[0], 'location') || isSameName(field[0], 'retry-after');
}

// A run keeps one step for each request, and almost all of their exchanges are alike.
const noHeaders: HeaderList = [];
const nothingSent: Step['sent'] = { arguments: new Map() };
const nothingAnswered: Step['answer'] = { kind: 'empty' };
const exchanges = new Map<string, Exchange>();

/** A larger body is parsed again when it is needed, rather than kept parsed. */
const maxKeptBytes = 128 * 1024;

/** Steps to keep for later: of a large response, only its bytes. */
export function keptSteps(steps: readonly Step[]): readonly Step[] {
  return steps.some(isLarge)
    ? steps.map((step) => (isLarge(step) ? storeStep(step) : step))
    : steps;
}

/** Whether the response of a step should not be kept parsed. */
export function isLarge({ exchange: { response } }: Pick<Step, 'exchange'>): boolean {
  return response !== undefined && response.body.length > maxKeptBytes;
}

/** The same step; its response is parsed again from its bytes whenever it is read. */
export function storeStep({ case: testCase, sent, exchange }: Omit<Step, 'answer'>): Step {
  return {
    case: testCase,
    sent,
    exchange,
    get answer(): Step['answer'] {
      const { response } = exchange;
      if (response === undefined) return nothingAnswered;
      const { operation } = testCase;
      const read = isLarge({ exchange }) ? readLargeAnswer : readAnswer;
      return read(response, operation);
    },
  };
}
