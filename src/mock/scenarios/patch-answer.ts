import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse, withoutHeader } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, type JsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { impossible } from '../answer/generate-body.ts';
import { describeIssue } from '../errors/describe-issue.ts';
import type { Fault } from '../model/fault.ts';
import type { AnswerPlan } from '../model/operation-plan.ts';
import { applyJsonPatch, type Patched } from '../records/patch/json-patch.ts';
import { mergePatch } from '../records/patch/merge-patch.ts';
import type { ScenarioStep } from './scenario-engine.ts';

/**
 * Applies a patch: an object merges its members (RFC 7396), a list has its steps taken (RFC 6902).
 */
export function applyPatch(value: JsonValue, patch: JsonObject | JsonArray): Patched {
  return isJsonArray(patch)
    ? applyJsonPatch(value, patch)
    : { ok: true, value: mergePatch(value, patch) };
}

/**
 * A normal answer with the changes of a scenario. Only a success is changed, and only where its
 * body is JSON; a patch that does not apply leaves the body as it is. What would break the contract
 * is not sent, unless that is meant: then the fault says so.
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
    const { message } = describeIssue(issue, patched.value, { place: 'body', name: '' });
    return impossible(
      `with the patch of the scenario ${scenario.name} its ${String(response.status)} would break the contract. ${message.slice(0, -1)}`,
      'Mend the patch, or say offContract: true.',
    );
  }
  return {
    ...response,
    headers: withoutHeader(response.headers, 'content-length'),
    body: new TextEncoder().encode(stringifyJson(patched.value)),
  };
}
