import {
  type HeaderList,
  headerValue,
  type HttpResponse,
  withHeader,
  withoutHeader,
} from '../../http/message.ts';
import type { Responder } from '../answer/responder.ts';
import { findExamples, showStatus } from '../answer/show-status.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { makeReply } from '../model/reply.ts';
import type { ScenarioAnswer } from './scenario.ts';
import { scriptedContent } from './scripted-content.ts';

/** Whether a scenario says what is answered, and not only what happens to it. */
export function isScripted({ status, body, example }: ScenarioAnswer): boolean {
  return status !== undefined || body !== undefined || example !== undefined;
}

/**
 * Gives the answer that a scenario scripted. Where it names a status alone, the rest is the
 * contract's.
 */
export function playAnswer(
  step: ScenarioAnswer,
  request: ValidRequest,
  responder: Responder,
): HttpResponse {
  const { offContract, headers = {} } = step;
  const example =
    step.example === undefined
      ? undefined
      : findExamples(request.plan, step.status).find(({ name }) => name === step.example);
  const status = step.status ?? example?.status ?? request.plan.status;
  const body = step.body ?? example?.value;
  if (body === undefined)
    return withHeaders(
      responder.show(showStatus(status, request, 'a scenario answers so'), request),
      headers,
    );
  const list = Object.entries(headers);
  const content =
    example?.content ??
    scriptedContent(request.plan.answerPlan(status), headerValue(list, 'content-type'));
  const reply = makeReply(status, body, { headers: withoutHeader(list, 'content-type') });
  return responder.write(reply, content, { seed: request.requestSeed, offContract });
}

/** A response with header fields of a scenario's, which replace its own. */
export function withHeaders(
  response: HttpResponse,
  headers: { readonly [name: string]: string } = {},
): HttpResponse {
  const list = Object.entries(headers).reduce<HeaderList>(
    (fields, [name, value]) => withHeader(fields, name, value),
    response.headers,
  );
  return { ...response, headers: list };
}
