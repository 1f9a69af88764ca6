import { plainName } from '../../../contract/infer/infer-names.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import { tellsOf } from '../../../contract/words/mentions.ts';
import { namesFormer } from '../../../contract/words/names.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { shownRecord } from '../../reading/shown-records.ts';

/**
 * A list of former values, such as `previous_names`, without the one that an operation has just
 * replaced, where the operation says something of that list.
 */
export function lacksFormer({ subject, of: [before, act] }: Related): RelationFault[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  if (resource === undefined || before === undefined || act === undefined) return undefined;
  const { operation, intent } = act.case;
  if (intent.kind !== 'valid' || act.exchange.response?.status === 202) return undefined;
  const [former, now] = [before, subject].map((step) =>
    isSuccess(step.exchange.response?.status ?? 0) ? shownRecord(resource, step.answer) : undefined,
  );
  if (former === undefined || now === undefined) return undefined;
  const lists = recordFields(resource.record).filter(
    ({ many, name }) => many && tellsOf(operation, name),
  );
  const judged = lists.flatMap((list): RelationFault[] => {
    const of = Object.keys(former).find((name) => namesFormer(list.plain, plainName(name)));
    const [was, is] = of === undefined ? [] : [former[of], now[of]];
    // A list that is left out is empty.
    const values = now[list.name] ?? [];
    if (of === undefined || typeof was !== 'string' || was === '' || is === undefined) return [];
    if (equalJson(was, is) || !isJsonArray(values)) return [];
    if (values.some((value) => equalJson(value, was))) return [];
    return [
      {
        message: `${operation.id} has replaced ${showValue(was)}; ${list.name} does not show it.`,
        expected: `${showValue(was)} in ${list.name}`,
        actual: showValue(values),
        operation,
        at: operation.pointer,
        cause: `former ${list.name}`,
      },
    ];
  });
  return lists.length === 0 ? undefined : judged;
}
