import { isSuccess } from '../../../http/status.ts';
import { joinPointer, valueAt } from '../../../json/pointer.ts';
import { countWords } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { namesMore } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';

/**
 * A count that is missing, that differs from the one which the list itself shows, or that is not
 * the number of records in the list: at least as many if the list is only a part of them.
 */
export function miscountedBeside(related: Related): RelationFault[] | undefined {
  const [list, beside] = related.of;
  const shown =
    beside && countIn({ ...related.subject, ...beside, operation: beside.case.operation });
  const found = countIn(related.subject);
  const isSuccessful = isSuccess(related.status);
  if (list === undefined || shown === undefined || found === undefined || !isSuccessful)
    return miscounted(related);
  if (shown === found) return [];
  return [
    {
      message:
        `${related.subject.operation.id} counts ${countWords(found, 'record')}, and the list ` +
        `says that there are ${String(shown)}.`,
      expected: String(shown),
      actual: String(found),
      cause: 'count',
      momentary: true,
    },
  ];
}

/**
 * A count that is missing, or that is not the number of records in the list: at least as many if
 * the list is only a part of them.
 */
function miscounted({ subject, of, status }: Related): RelationFault[] | undefined {
  const [list] = of;
  const resource = list && roleOf(subject.contract, list.case.operation)?.resource;
  const records = resource && listedRecords(resource, list.answer);
  if (list === undefined || records === undefined || !isSuccess(status)) return undefined;
  const isPart = namesMore(list);
  const found = countIn(subject);
  const least = `${isPart ? 'at least ' : ''}${String(records.length)}`;
  if (found === undefined)
    return [
      {
        message: `${subject.operation.id} shows no number of records, where it is asked for one.`,
        expected: least,
        actual: 'no number',
        cause: 'no count',
        momentary: true,
      },
    ];
  const isRight = isPart ? found >= records.length : found === records.length;
  if (isRight) return [];
  return [
    {
      message:
        `${subject.operation.id} counts ${String(found)}, and the same list has ` +
        `${isPart ? 'a page of ' : ''}${countWords(records.length, 'record')}.`,
      expected: least,
      actual: String(found),
      cause: 'count',
      momentary: true,
    },
  ];
}

/** The number in an answer: where the contract shows it in a list, or all of the answer. */
function countIn(subject: CheckInput): number | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const at = resource && pagesOf(subject, resource)?.count?.at;
  const { answer } = subject;
  const value =
    answer.kind === 'bytes'
      ? new TextDecoder().decode(answer.bytes).trim()
      : valueAt(jsonOf(answer), at ?? joinPointer(''));
  const count = Number(value === undefined || value === null || value === '' ? NaN : value);
  return Number.isInteger(count) ? count : undefined;
}
