import { isSuccess } from '../../../http/message.ts';
import type { Pointer } from '../../../json/pointer.ts';
import type { Case } from '../../model/case.ts';
import type { RecordName } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { Look } from './find-created.ts';
import type { Sender } from './sender.ts';
import type { ChosenName } from './record-guard.ts';

/** What is needed to look for a record of others. */
interface Looking {
  readonly sender: Sender;
  readonly look: Look;
}

type WrittenCase = Pick<Step, 'case' | 'sent'>;

/**
 * The first member of a create's body that may name a record of others, and why, as a clause: a
 * word by which a read finds one, or the value of a key that no read shows to be free.
 */
export async function findTakenKey(
  written: WrittenCase,
  looking: Looking,
): Promise<Taken | undefined> {
  const { sender } = looking;
  if (sender.isNamed === true) return undefined;
  const keys = sender.lessons?.keysOf(written.case.operation);
  for (const name of sender.records?.possibleKeys(written, keys) ?? []) {
    const reason = await whyTaken(name, written.case, looking);
    if (reason !== undefined) return { at: name.at, reason };
  }
  return undefined;
}

/** Why a create must not be sent, as a clause, and the member that is the cause. */
interface Taken {
  readonly reason: string;
  readonly at?: Pointer | undefined;
}

/** Why a create must not be sent because of the name that it gives its record. */
export async function findTakenName(
  written: WrittenCase,
  looking: Looking,
): Promise<Taken | undefined> {
  const { sender } = looking;
  const chosen = sender.records?.chosenName(written);
  const reason = chosen && (await whyTaken(chosen, written.case, looking));
  if (reason === undefined) return undefined;
  if (sender.isNamed !== true) return { reason };
  // It is sent all the same; whatever the answer says, the record may be that of another client.
  if (chosen?.record !== undefined) sender.memory.ownership.see(chosen.record);
  return undefined;
}

/**
 * Why a create must not use the identifier in its body, as a clause: a record of another client may
 * have it.
 */
async function whyTaken(
  chosen: ChosenName,
  testCase: Case,
  looking: Looking,
): Promise<string | undefined> {
  if (chosen.refusal !== undefined) return chosen.refusal;
  const seen =
    chosen.record === undefined ? 'unknown' : await lookFor(chosen.record, testCase, looking);
  if (seen === 'absent' || (seen === 'unknown' && chosen.isUnguessable)) return undefined;
  // A word that names nothing, as far as is known, is no name.
  if (seen === 'unknown' && chosen.isKey === false) return undefined;
  const name = String(chosen.identifier);
  return seen === 'present'
    ? `the record ${name} already exists, and the run did not create it`
    : `no response shows whether the record ${name} already exists`;
}

/** Whether there is a record of a name that a create is about to give, as far as a read shows. */
type Presence = 'absent' | 'present' | 'unknown';

/** Reads the record that a create is about to name, unless it is known. */
async function lookFor(
  record: RecordName,
  { operation }: Case,
  { sender, look }: Looking,
): Promise<Presence> {
  const { memory } = sender;
  if (memory.isPartOfOwn(record)) return 'absent';
  if (memory.hasSeen(record)) return 'present';
  const before = memory.names.presenceOf(record);
  if (before !== undefined) return before;
  const read = sender.readOf?.(record);
  const name = String(record.identifier);
  const title = `whether there is a record ${name}, before ${operation.id} creates it`;
  const step = read && (await look(read, title));
  const found = read === undefined ? 'unknown' : presenceIn(step, memory.isPartOfOwn(record));
  if (found !== 'present') memory.names.notePresence(record, found);
  return found;
}

function presenceIn(step: Step | undefined, isOwn: boolean): Presence {
  const status = step?.exchange.response?.status ?? 0;
  if (status === 404 || status === 410 || isOwn) return 'absent';
  return isSuccess(status) ? 'present' : 'unknown';
}
