import type { Operation, Parameter } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { splitTarget } from '../../http/query.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { readAnswer } from '../evidence/answer/read-answer.ts';
import { findRequestFault } from '../evidence/request/find-request-fault.ts';
import { type Intent, makeCase } from '../model/case.ts';
import type { Sent, Step } from '../model/step.ts';
import type { PlacedTraffic } from './place-traffic.ts';

/**
 * A recorded exchange as a step of a run. What the client meant is not known: a valid request may
 * have asked for what is not there, so a documented refusal of it proves nothing.
 */
export function toStep({ label, exchange, operation, path }: PlacedTraffic): Step {
  const intent = intentOf(operation, exchange.request, path);
  // Recordings hide credentials, so that another one looks like the same: whoever was not let in
  // had none that is known to be good.
  const isLetIn = exchange.response?.status !== 401 && exchange.response?.status !== 403;
  const credential =
    isLetIn && headerValue(exchange.request.headers, 'authorization') !== undefined
      ? 'given'
      : 'none';
  const title = `a recorded request (${label})${intent.kind === 'invalid' ? ` that the contract forbids (${intent.rule})` : ''}`;
  const recorded = makeCase({
    title,
    phase: 'read',
    operation,
    request: { arguments: [], credential },
    intent,
  });
  return {
    case: { ...recorded, id: `${recorded.id}-${label.replaceAll(/\D/g, '')}` },
    sent: sentBy(operation, exchange.request, path),
    exchange,
    answer: exchange.response === undefined ? { kind: 'empty' } : readAnswer(exchange.response),
  };
}

function intentOf(
  operation: Operation,
  request: HttpRequest,
  path: ReadonlyMap<string, string>,
): Intent {
  const fault = findRequestFault(operation, request, path);
  if (fault === undefined || (fault.part === 'body' && isLossy(operation, request)))
    return { kind: 'valid', rigour: 'invented', at: joinPointer(operation.pointer, 'responses') };
  // Nobody can send the request again without the fault, so that its acceptance is a warning at
  // most. A parameter that is given twice is what servers take as they like.
  return {
    kind: 'invalid',
    ...fault,
    accepted: /is given \d+ times$/.test(fault.rule) ? 'fine' : 'warning',
  };
}

/** Forms and files are recorded with loss: what is wrong with them may be the recording. */
function isLossy({ requestBody }: Operation, { headers, body }: HttpRequest): boolean {
  const media = selectMediaType(
    requestBody?.content ?? [],
    headerValue(headers, 'content-type') ?? '',
  );
  return body.length > 0 && media !== undefined && !isJsonMediaType(media.mediaType);
}

function sentBy(
  { parameters }: Operation,
  { target, headers, body }: HttpRequest,
  path: ReadonlyMap<string, string>,
): Sent {
  const wire = { path, rawQuery: splitTarget(target).rawQuery, headers };
  const values = new Map<Parameter, JsonValue>();
  for (const parameter of parameters) {
    const reading = decodeParameter(parameter, wire);
    if (reading.kind === 'value') values.set(parameter, reading.value);
  }
  const reading =
    body.length > 0 && isJsonMediaType(headerValue(headers, 'content-type') ?? '')
      ? parseJson(body)
      : undefined;
  return { arguments: values, ...(reading?.ok === true ? { body: reading.value } : {}) };
}
