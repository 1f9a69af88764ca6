import { isJsonMediaType } from '../../http/media-type.ts';
import { withoutHeader } from '../../http/message.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, stringifyJson, editParts } from '../../json/value.ts';
import type { Step } from '../model/step.ts';
import { jsonOf, readAnswer } from './read-answer.ts';

/**
 * The same steps, without the records in the last response that other requests of the run created:
 * a fresh server would not show them. The same object if there are none.
 */
export function withoutOthers(steps: readonly Step[], runId: string): readonly Step[] {
  const last = steps.at(-1);
  const response = last?.exchange.response;
  const value = last === undefined ? undefined : jsonOf(last.answer);
  if (last === undefined || response === undefined || value === undefined) return steps;
  if (!stringifyJson(value).includes(runId)) return steps;
  const marks = new RegExp(`${runId}[\\w-]*`, 'g');
  const own = new Set(
    steps.flatMap(({ sent }) =>
      sent.body === undefined ? [] : (stringifyJson(sent.body).match(marks) ?? []),
    ),
  );
  const isOthers = (item: JsonValue): boolean =>
    (stringifyJson(item).match(marks) ?? []).some((mark) => !own.has(mark));
  const left = leaveOut(value, isOthers);
  if (left === value) return steps;
  // Only JSON is written again.
  if (last.answer.kind === 'json' && !isJsonMediaType(last.answer.mediaType))
    return [...steps.slice(0, -1), { ...last, answer: { ...last.answer, value: left } }];
  const bare = {
    ...response,
    headers: withoutHeader(response.headers, 'content-encoding'),
    body: new TextEncoder().encode(stringifyJson(left)),
  };
  return [
    ...steps.slice(0, -1),
    { ...last, exchange: { ...last.exchange, response: bare }, answer: readAnswer(bare) },
  ];
}

/** A list without such items: the body itself, or one of its members. */
function leaveOut(value: JsonValue, isOthers: (item: JsonValue) => boolean): JsonValue {
  if (isJsonArray(value))
    return value.some(isOthers) ? value.filter((item) => !isOthers(item)) : value;
  return editParts(value, (part) => (isJsonArray(part) ? leaveOut(part, isOthers) : part));
}

/**
 * Whether a value is a text with the mark of a run and of one request: only that request wrote it.
 */
export function isMarked(value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' &&
    /vouch-[0-9a-f]{6}(?:-[a-z])?-[0-9a-fr][0-9a-f]{5}(?![0-9a-f])/.test(value)
  );
}

/**
 * Whether a record has the mark of a run in one of its own texts. A nested mark proves nothing:
 * another client's record may show one of the run, such as an owner with its things.
 */
export function bearsMark(record: JsonObject, mark: string): boolean {
  return Object.values(record).some((value) => typeof value === 'string' && value.includes(mark));
}
