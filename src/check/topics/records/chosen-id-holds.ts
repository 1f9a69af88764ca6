import { showValue } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import { isSuccess } from '../../../http/status.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { isMarkedAsGone } from '../../reading/removed-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { planChosenIds } from './plan-chosen-ids.ts';

/** A create that names the new record makes one of that name, and no second one. */
export const chosenIdHolds = check({
  id: 'chosen-id-holds',
  basis: 'inferred',
  severity: 'error',
  harm: 'data',
  rule:
    'A create whose query names the new record, such as book_id, makes a record of that name, ' +
    'and is refused if another record has it (AIP-133), also one that is deleted softly and can ' +
    'still be read (AIP-164).',
  reason: 'A client that chose a name finds its record by it, and overwrites nobody’s.',
  example: ['> POST /items?item_id=seven', '< 200 OK', '< {"name": "items/8"}'],
  confirm: 'again',
  plan: [{ at: 'stories', all: planChosenIds }],
  intents: ['relation'],
  mutants: [async () => (await import('./chosen-id-mutants.ts')).chosenIdMutants],
  relations: {
    'named-as-chosen': isNamedElse,
    'chosen-taken': isTaken,
    'chosen-of-deleted': isTakenByDeleted,
  },
});

/** The record of a create has another name than the one that was chosen. */
function isNamedElse({ subject, intent, status }: Related): RelationFault[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const record = role && shownRecord(role.resource, subject.answer);
  const chosen = [...subject.sent.arguments].find(([{ name }]) => name === intent.field)?.[1];
  const name = role && record?.[role.resource.identifier.field];
  if (!isSuccess(status) || typeof name !== 'string' || typeof chosen !== 'string')
    return undefined;
  if (name === chosen || name.endsWith(`/${chosen}`)) return [];
  return [
    {
      message:
        `${subject.operation.id} with the ${intent.field ?? ''} ${showValue(chosen)} made a ` +
        `record whose ${role?.resource.identifier.field ?? 'name'} is ${showValue(name)}.`,
      expected: `a name that ends in ${chosen}`,
      actual: name,
      cause: 'chosen name ignored',
    },
  ];
}

/** A second record of the same name, where the first one got it. */
function isTaken(related: Related): readonly RelationFault[] | undefined {
  const [first] = related.of;
  if (first === undefined || !isSuccess(first.exchange.response?.status ?? 0)) return undefined;
  // A record of another name is a fault of its own.
  return isNamedElse(related)?.length === 1 ? [] : notRefused(related);
}

/** A second record of the name of a deleted one, which its read still shows. */
function isTakenByDeleted(related: Related): readonly RelationFault[] | undefined {
  const [, read] = related.of;
  const role = roleOf(related.subject.contract, related.subject.operation);
  const kept = role && read && shownRecord(role.resource, read.answer);
  if (kept === undefined || !isMarkedAsGone(kept)) return undefined;
  return isNamedElse(related)?.length === 1 ? [] : notRefused(related);
}
