import { isJsonMediaType } from '../http/media-type.ts';
import { headerValue, withHeader, withoutHeader, type HeaderList, type HttpResponse } from '../http/message.ts';
import type { AnswerContent, AnswerPlan } from './answer-plan.ts';
import type { ValidRequest } from './behaviour.ts';
import { makeReply } from './reply.ts';
import type { Responder } from './respond.ts';
import type { ScenarioAnswer } from './scenario.ts';
import { showStatus } from './show-status.ts';

/** Gives the answer that a scenario scripted. Where it names a status alone, the rest is the contract's. */
export function playAnswer(step: ScenarioAnswer, request: ValidRequest, responder: Responder): HttpResponse {
  const status = step.status ?? request.plan.status;
  const { offContract, headers = {} } = step;
  if (step.body !== undefined) {
    const content = chooseContent(request.plan.answerPlan(status), headerValue(Object.entries(headers), 'content-type'));
    const reply = makeReply(status, step.body, { headers: withoutHeader(Object.entries(headers), 'content-type') });
    return responder.write(reply, content, { seed: request.requestSeed, offContract });
  }
  return withHeaders(responder.show(showStatus(status, request, 'a scenario answers so'), request), headers);
}

/** A response with header fields of a scenario's, which replace its own. */
export function withHeaders(response: HttpResponse, headers: { readonly [name: string]: string } = {}): HttpResponse {
  const list = Object.entries(headers).reduce<HeaderList>((fields, [name, value]) => withHeader(fields, name, value), response.headers);
  return { ...response, headers: list };
}

function chooseContent({ contents }: AnswerPlan, type: string | undefined): AnswerContent | undefined {
  if (type === undefined) return contents[0];
  const schema = contents.find(({ mediaType }) => mediaType === type)?.schema;
  return { mediaType: type, form: isJsonMediaType(type) ? 'json' : 'text', schema, examples: [] };
}
