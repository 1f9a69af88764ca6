import { reachesOut } from '../../../contract/words/effect-words.ts';
import type { Step } from '../../model/step.ts';
import { namedResource } from '../../reading/path-names.ts';
import { keyNames, keysIn } from '../../reading/record-keys.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { Look } from './find-created.ts';
import type { Sender } from './sender.ts';

/**
 * Why an action on a record of the run must not be sent, as a clause: it reaches whom the record is
 * about, such as the readers of a list that a campaign goes to, and those are none of the run. The
 * record is read for it.
 */
export async function whyReachesOthers(
  { case: { operation }, sent }: Pick<Step, 'case' | 'sent'>,
  { sender, look }: { readonly sender: Sender; readonly look: Look },
): Promise<string | undefined> {
  const { records, memory } = sender;
  if (sender.isNamed === true || records === undefined || !reachesOut(operation)) return undefined;
  const record = records.isAllowed(operation) ? undefined : records.ownRecordOf(operation, sent);
  const read = record && sender.readOf?.(record);
  if (record === undefined || read === undefined) return undefined;
  const step = await look(read, `what the record refers to, before ${operation.id}`);
  const shown = step && shownRecord(record.resource, step.answer);
  for (const { name, value } of keysIn(shown, keyNames(memory.contract))) {
    const resource = namedResource(memory.contract, name);
    if (resource === undefined || resource.collection === record.resource.collection) continue;
    if (memory.owns({ resource, identifier: value, parents: new Map() })) continue;
    return `it may reach the ${name} ${String(value)}, which the run did not create`;
  }
  return undefined;
}
