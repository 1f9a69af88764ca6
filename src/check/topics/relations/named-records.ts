import { isRefusal, isSuccess } from '../../../http/status.ts';
import { membersOf } from '../../../json/body-members.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import type { Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Related, RelationFault } from '../../reading/related.ts';

/** The records that a request named in a member, as a list or as a text with commas. */
function namesIn({ sent: { body } }: Step, field: string): string[] {
  const value = isJsonObject(body) ? body[field] : undefined;
  const names = value !== undefined && isJsonArray(value) ? value : String(value ?? '').split(',');
  return names.map(String).filter((name) => name !== '');
}

/** The texts of an answer that are among some names. */
function shownOf(names: readonly string[], { answer }: Step): string[] {
  const body = jsonOf(answer);
  const shown = new Set(
    body === undefined ? [] : membersOf(body).map(({ value }) => String(value)),
  );
  return names.filter((name) => shown.has(name));
}

/**
 * A read that does not show all that an accepted request named, and showed what one before it
 * named.
 */
export function showsNotAll({ subject, intent, of, status }: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const [first, before, act] = of;
  if (first === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  const isTelling = shownOf(namesIn(first, field), before).length > 0;
  const names = namesIn(act, field);
  const missing = names.filter((name) => !shownOf(names, subject).includes(name));
  if (!isTelling || names.length < 2) return undefined;
  if (missing.length === 0) return [];
  const { operation } = act.case;
  return [
    {
      message:
        `The server accepted ${requestPhrase(act.case)}, and ${subject.case.operation.id} does ` +
        `not show ${missing.map((name) => showValue(name)).join(', ')} after it; it shows what ` +
        'another request named.',
      expected: `each of ${field}`,
      actual: `not ${showValue(missing[0])}`,
      operation,
      at: operation.pointer,
      cause: `named ${operation.id}`,
    },
  ];
}

/** A read that shows what a refused request named, and did not show it before. */
export function showsRefused({
  subject,
  intent,
  of,
  status,
}: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const [first, before] = of;
  const act = subject.earlier.findLast((step) => namesIn(step, field).length > 1);
  if (first === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  if (!isRefusal(act.exchange.response?.status ?? 0)) return undefined;
  if (shownOf(namesIn(first, field), before).length === 0) return undefined;
  const names = namesIn(act, field);
  const known = shownOf(names, before);
  const [added] = shownOf(names, subject).filter((name) => !known.includes(name));
  if (added === undefined) return [];
  const { operation } = act.case;
  return [
    {
      message:
        `The server refused ${requestPhrase(act.case)}, and ${subject.case.operation.id} shows ` +
        `${showValue(added)} after it: the request was half done.`,
      expected: `nothing of ${field}`,
      actual: showValue(added),
      operation,
      at: operation.pointer,
      cause: `half ${operation.id}`,
    },
  ];
}
