import { parseJson } from '../../../json/parse-json.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../json/value.ts';
import type { Case } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';

/**
 * Reads refusals that a success carries, as `{ "ok": false, "error": "not_found" }` in a 200: such
 * an answer counts as 400, and as 404 where the service answers the same to a request for a record
 * that cannot exist. `sentStatus` keeps the status that was sent.
 */
export class Verdicts {
  /** The answers to requests for records that cannot exist, without what differs from each to each. */
  readonly #missing = new Set<string>();

  /** The exchange of a case with the status that its answer means. */
  read({ operation: { verdict }, intent }: Case, exchange: Exchange): Exchange {
    const { response } = exchange;
    if (verdict === undefined || response === undefined || !isSuccess(response.status))
      return exchange;
    const reading = parseJson(response.body);
    if (!reading.ok || !isJsonObject(reading.value) || reading.value[verdict] !== false)
      return exchange;
    const said = wordsOf(reading.value);
    if (intent.kind === 'missing') this.#missing.add(said);
    const status = this.#missing.has(said) ? 404 : 400;
    return { ...exchange, response: { ...response, status, sentStatus: response.status } };
  }
}

/** What a refusal says, in words without blanks: a message may repeat what was sent. */
function wordsOf(refusal: JsonObject): string {
  const codes = Object.entries(refusal).filter(
    ([, value]) => typeof value === 'number' || (typeof value === 'string' && !value.includes(' ')),
  );
  return stringifyJson(Object.fromEntries(codes));
}
