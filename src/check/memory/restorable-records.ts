import { isRefusal, isSuccess } from '../../http/status.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { jsonOf } from '../evidence/answer/read-answer.ts';
import type { ChangedRecord } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import { isSafe } from '../plan/draft/is-safe.ts';

/** Records that the run did not create and changes only to put them back: what each was before. */
export class RestorableRecords {
  readonly #originals = new Map<string, JsonValue>();
  readonly #changed = new Map<string, ChangedRecord>();

  /** The changes that were not put back, each with what was read before it. */
  get unrestored(): readonly ChangedRecord[] {
    return [...this.#changed.values()];
  }

  /** Takes in a step. A change without a whole answer may have been made; a refused one was not. */
  note({ case: tried, exchange: { response }, answer }: Step): void {
    const {
      operation,
      request: { body },
    } = tried;
    const status = response?.status;
    const value = jsonOf(answer);
    const isRead =
      isSafe(operation) && status !== undefined && isSuccess(status) && value !== undefined;
    if (isRead && !this.#changed.has(operation.id)) this.#originals.set(operation.id, value);
    if (body?.kind !== 'json' || body.onto === undefined) return;
    if (status !== undefined && isRefusal(status)) return;
    const original = this.#originals.get(body.onto);
    if (isJsonObject(body.value) && Object.keys(body.value).length === 0) {
      if (status !== undefined && isSuccess(status)) this.#changed.delete(body.onto);
    } else if (original !== undefined) this.#changed.set(body.onto, { change: tried, original });
  }
}
