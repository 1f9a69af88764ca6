import { parseJson } from '../../../json/parse-json.ts';
import { isSuccess } from '../../../http/message.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, stringifyJson } from '../../../json/value.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Case } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';

/**
 * Reads refusals that a success carries, as `{ "ok": false, "error": "not_found" }` in a 200: such
 * an answer counts as 400, and as 404 where the service answers the same to a request for a record
 * that cannot exist. `sentStatus` keeps the status that was sent.
 *
 * Where no member says so by its type, the run learns it: `{ "code": 1, "data": null }` is a
 * refusal of a service whose answers with data have the code 0.
 */
export class Verdicts {
  /** The answers to requests for records that cannot exist, without what differs from each to each. */
  readonly #missing = new Set<string>();
  /** By a member of the envelope and its value, the operations that answered so with content. */
  readonly #stated = new Map<string, Map<JsonValue, Set<string>>>();

  /** The exchange of a case with the status that its answer means. */
  read({ operation, intent }: Case, exchange: Exchange): Exchange {
    const { response } = exchange;
    const isJudged = operation.verdict !== undefined || operation.envelope !== undefined;
    if (!isJudged || response === undefined || !isSuccess(response.status)) return exchange;
    const reading = parseJson(response.body);
    if (!reading.ok || !isJsonObject(reading.value)) return exchange;
    if (intent.kind === 'valid') this.#learn(operation, reading.value);
    if (!this.#isRefusal(operation, reading.value)) return exchange;
    const said = wordsOf(reading.value);
    if (intent.kind === 'missing') this.#missing.add(said);
    const status = this.#missing.has(said) ? 404 : 400;
    return { ...exchange, response: { ...response, status, sentStatus: response.status } };
  }

  #learn({ id, envelope }: Operation, answer: JsonObject): void {
    if (!hasContent(answer)) return;
    for (const name of envelope ?? []) {
      const values = this.#stated.get(name) ?? new Map<JsonValue, Set<string>>();
      const value = answer[name] ?? null;
      this.#stated.set(name, values.set(value, (values.get(value) ?? new Set()).add(id)));
    }
  }

  /** Whether an answer has no content, and says something else than all answers with content. */
  #isRefusal({ verdict, envelope, sign }: Operation, answer: JsonObject): boolean {
    if (verdict !== undefined) return answer[verdict] === false;
    if (sign?.isStated === true && answer[sign.name] !== undefined)
      return (
        answer[sign.name] !== sign.value &&
        // A service may have another code than its document states.
        (!hasContent(answer) || this.#stated.get(sign.name)?.has(sign.value) === true)
      );
    if (hasContent(answer)) return false;
    return (envelope ?? []).some((name) => {
      const [only, ...others] = this.#stated.get(name) ?? [];
      if (only === undefined || others.length > 0) return false;
      const [value, operations] = only;
      return operations.size > 1 && answer[name] !== undefined && answer[name] !== value;
    });
  }
}

/** Whether an answer has more than an envelope: an object or a list. */
function hasContent(answer: JsonObject): boolean {
  return Object.values(answer).some((value) => typeof value === 'object' && value !== null);
}

/** What a refusal says, in words without blanks: a message may repeat what was sent. */
function wordsOf(refusal: JsonObject): string {
  const codes = Object.entries(refusal).filter(
    ([, value]) => typeof value === 'number' || (typeof value === 'string' && !value.includes(' ')),
  );
  return stringifyJson(Object.fromEntries(codes));
}
