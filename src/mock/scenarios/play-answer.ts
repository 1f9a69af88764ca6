import { contentForm, isJsonMediaType } from '../../http/media-type.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import type { HeaderList, HttpResponse } from '../../http/message.ts';
import { headerValue, withoutHeader } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, stringifyJson } from '../../json/value.ts';
import { impossible } from '../answer/generate-body.ts';
import type { Responder } from '../answer/responder.ts';
import { findExamples, showStatus } from '../answer/show-status.ts';
import { describeIssue } from '../errors/describe-issue.ts';
import type { AnswerContent, AnswerPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeReply } from '../model/reply.ts';
import { planContents } from '../plan/plan-answer.ts';
import { applyJsonPatch, mergePatch, type Patched } from '../records/patch/json-patch.ts';
import type { ScenarioStep } from './scenario-engine.ts';
import type { ScenarioAnswer } from './scenario.ts';

/** Whether a scenario defines the response, as opposed to only a delay or fault. */
export function isScripted({ status, body, example }: ScenarioAnswer): boolean {
  return status !== undefined || body !== undefined || example !== undefined;
}

/** Makes the response of a scenario. A status alone is completed from the contract. */
export function playAnswer(
  step: Pick<ScenarioAnswer, 'status' | 'headers' | 'body' | 'example'> &
    Partial<Pick<ScenarioAnswer, 'offContract'>>,
  request: ValidRequest,
  responder: Responder,
  hint?: string,
): HttpResponse {
  const { offContract = false, headers = [] } = step;
  const example =
    step.example === undefined
      ? undefined
      : findExamples(request.plan, step.status).find(({ name }) => name === step.example);
  const status = step.status ?? example?.status ?? request.plan.status;
  const body = step.body ?? example?.value;
  if (body === undefined)
    return withHeaders(
      responder.show(showStatus(status, request, 'a scenario defines this response'), request),
      headers,
    );
  const content =
    example?.content ??
    scriptedContent(request.plan.answerPlan(status), headerValue(headers, 'content-type'));
  const reply = makeReply(status, body, { headers: withoutHeader(headers, 'content-type') });
  return responder.write(reply, content, { seed: request.requestSeed, offContract, hint });
}

/** Adds header fields of a scenario to a response, replacing its own. */
export function withHeaders(response: HttpResponse, headers: HeaderList = []): HttpResponse {
  const others = headers.reduce<HeaderList>(
    (fields, [name]) => withoutHeader(fields, name),
    response.headers,
  );
  return { ...response, headers: [...others, ...headers] };
}

/** Applies a patch: an object is a merge patch (RFC 7396), a list a JSON Patch (RFC 6902). */
export function applyPatch(value: JsonValue, patch: JsonObject | JsonArray): Patched {
  return isJsonArray(patch)
    ? applyJsonPatch(value, patch)
    : { ok: true, value: mergePatch(value, patch) };
}

/**
 * Applies a scenario's patch to a normal response, if it is a success with a JSON body; a patch
 * that does not apply changes nothing. A result that violates the contract is not sent unless
 * `offContract` is set: an error is answered instead.
 */
export function patchAnswer(
  response: HttpResponse,
  { answer, scenario }: ScenarioStep,
  plan: AnswerPlan,
): HttpResponse | Fault {
  const { patch } = answer;
  const type = headerValue(response.headers, 'content-type') ?? '';
  if (patch === undefined || response.status >= 300 || !isJsonMediaType(type)) return response;
  const body = parseJson(response.body);
  const patched = body.ok ? applyPatch(body.value, patch) : undefined;
  if (patched === undefined || !patched.ok) return response;
  const schema = plan.contents.find(({ mediaType }) => mediaType === type)?.schema;
  const issue = answer.offContract ? undefined : schema?.validate(patched.value, 'response')[0];
  if (issue !== undefined) {
    const { message } = describeIssue(issue, patched.value, { location: 'body', name: '' });
    return impossible(
      `with the patch of the scenario ${scenario.name} its ` +
        `${String(response.status)} would break the contract. ` +
        message.slice(0, -1),
      'Fix the patch, or say offContract: true.',
    );
  }
  return {
    ...response,
    headers: withoutHeader(response.headers, 'content-length'),
    body: new TextEncoder().encode(stringifyJson(patched.value)),
  };
}

/**
 * The media type of a scripted body: the one it names, otherwise the first of the contract.
 * Undefined without either.
 */
function scriptedContent(plan: AnswerPlan, type: string | undefined): AnswerContent | undefined {
  if (type === undefined) return plan.contents[0];
  return (
    documentedContent(plan, type) ?? {
      mediaType: type,
      form: contentForm(type),
      schema: undefined,
      examples: [],
    }
  );
}

/** The documented content of a media type in an answer; undefined if there is none. */
export function documentedContent(
  { response }: AnswerPlan,
  type: string,
): AnswerContent | undefined {
  const spec = selectMediaType(response?.content ?? [], type);
  const [content] = spec === undefined ? [] : planContents({ ...spec, mediaType: type });
  // The media type is sent as written.
  return content === undefined ? undefined : { ...content, mediaType: type };
}
