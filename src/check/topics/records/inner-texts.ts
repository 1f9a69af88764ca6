import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf, type Step } from '../../model/step.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { shownRecord } from '../../reading/shown-records.ts';

/**
 * A text of a create that the record does not show where it shows the same member once another
 * operation has set it.
 */
export function otherThanSet(related: Related): RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  const { field = '' } = intent;
  const [created, before, act] = of;
  if (created === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  const [first, second] = [created, act].map((step) => sentIn(step, field));
  const [former, later] = [before, subject].map((step) => objectShown(related, step, field));
  if (first === undefined || second === undefined || former === undefined || later === undefined)
    return undefined;
  const [place, ...others] = Object.keys(later).filter((name) => later[name] === second);
  if (place === undefined || others.length > 0 || first === second) return undefined;
  if (former[place] === first) return [];
  const { operation } = created.case;
  return [
    {
      message:
        `A record that was created with the ${field} ${showValue(first)} shows ` +
        `${showValue(former[place] ?? null)} as its ${field}.${place}; ${act.case.operation.id} ` +
        'shows what is sent there.',
      expected: showValue(first),
      actual: showValue(former[place] ?? null),
      operation,
      at: operation.pointer,
      cause: `lost ${field}`,
    },
  ];
}

function sentIn({ sent: { body } }: Step, field: string): string | undefined {
  const text = isJsonObject(body) ? body[field] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function objectShown({ subject }: Related, step: Step, field: string): JsonObject | undefined {
  const resource = roleOf(subject.contract, step.case.operation)?.resource;
  const shown = resource && shownRecord(resource, step.answer)?.[field];
  return shown !== undefined && isJsonObject(shown) ? shown : undefined;
}
