import { errorCodesOf } from '../../../contract/words/error-codes.ts';
import type { JsonValue } from '../../../json/value.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { isRefusal, isSuccess } from '../../../http/status.ts';
import { membersOf } from '../../../json/body-members.ts';
import { showValue } from '../../model/phrases.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { shownRecord } from '../../reading/shown-records.ts';

/** The fewest operations that were refused before one that was not is a fault. */
const fewest = { stated: 2, doubtful: 3 } as const;

/**
 * An operation that was accepted on a record in a state for which others were refused with a code:
 * `archived=true=is_archived` in the intent. The read before and the one after it show the state.
 */
export function acceptedWhileClosed(related: Related): RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', value = '', code = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  if (read === undefined) return undefined;
  const isThere = [read, subject].every(
    (step) => String(fieldShown(related, step, field)) === value,
  );
  if (!isThere) return undefined;
  const { earlier } = subject;
  const tried = earlier
    .slice(earlier.indexOf(read) + 1)
    .filter(({ case: { intent: own } }) => own.kind === 'relation' && own.rule === 'while-closed');
  const refused = tried.filter((step) => isRefusedWith(step, code));
  const accepted = tried.filter(({ exchange }) => isSuccess(exchange.response?.status ?? 0));
  const isDoubtful = intent.doubtful === true;
  const [taken] = accepted;
  if (taken === undefined) return [];
  if (refused.length < fewest[isDoubtful ? 'doubtful' : 'stated']) return undefined;
  // Where no sentence is about all operations, one of several is no exception.
  if (isDoubtful && accepted.length > 1) return undefined;
  const { operation } = taken.case;
  const status = String(taken.exchange.response?.status ?? '');
  return [
    {
      message:
        `The server accepted (${status}) ${operation.id} of a record whose ${field} is ` +
        `${showValue(value === 'true' || value === 'false' ? value === 'true' : value)}, and ` +
        `refused ${String(refused.length)} other operations with ${code}.`,
      expected: code,
      actual: status,
      operation,
      at: operation.pointer,
      cause: `closed ${operation.id}`,
    },
  ];
}

/** The same of one operation that documents the code itself. */
export function acceptedDespiteCode(related: Related): readonly RelationFault[] | undefined {
  const { subject, intent, of } = related;
  const [field = '', value = '', code = ''] = (intent.field ?? '').split('=');
  const [read] = of;
  const isOwn = errorCodesOf(subject.operation).some((one) => one.code === code);
  if (!isOwn || read === undefined || String(fieldShown(related, read, field)) !== value)
    return undefined;
  return notRefused(related);
}

/** The value of a field in the record that a step shows. */
export function fieldShown({ subject }: Related, step: Step, field: string): JsonValue | undefined {
  const role = roleOf(subject.contract, step.case.operation);
  const isShown = role !== undefined && isSuccess(step.exchange.response?.status ?? 0);
  return isShown ? shownRecord(role.resource, step.answer)?.[field] : undefined;
}

/** Whether a refusal has a code among its values. */
function isRefusedWith({ exchange, answer }: Step, code: string): boolean {
  const body = jsonOf(answer);
  return (
    isRefusal(exchange.response?.status ?? 0) &&
    body !== undefined &&
    membersOf(body).some(({ value }) => value === code)
  );
}
