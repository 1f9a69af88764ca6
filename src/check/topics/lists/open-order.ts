import { openListOf } from '../../../contract/infer/open-lists.ts';
import { orderByAge } from '../../../contract/words/read-list.ts';
import { isSuccess } from '../../../http/status.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import type { Violation } from '../../model/violation.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { misplaced } from '../../reading/sort-order.ts';

/** A list that is no resource, in another order than its description states. */
export function againstOpenOrder(subject: CheckInput): Violation[] | undefined {
  const { contract, operation, sent } = subject;
  const list = openListOf(contract, operation);
  const order = list?.item && orderByAge(operation, list.item);
  const items = list && valueAt(jsonOf(subject.answer), list.items);
  if (list === undefined || order === undefined || !isJsonArray(items ?? null)) return undefined;
  // A later page begins with another item.
  if (!isSuccess(subject.exchange.response?.status ?? 0) || sent.arguments.has(list.token))
    return undefined;
  const { field, descending } = order;
  const values = [items ?? []]
    .flat()
    .flatMap((item: JsonValue) => (isJsonObject(item) ? singleValues(item, field) : []));
  const wrong = misplaced(values, { descending });
  if (wrong === undefined) return [];
  const [one, other] = wrong.map((value) => showValue(value));
  return [
    {
      at: operation.pointer,
      message:
        'The list is not in the order that its description states: ' +
        `${field} is ${one ?? ''} and then ${other ?? ''}.`,
      expected: `${field} in ${descending ? 'descending' : 'ascending'} order`,
      actual: `${one ?? ''} before ${other ?? ''}`,
      basis: 'contract',
      cause: 'described',
    },
  ];
}
