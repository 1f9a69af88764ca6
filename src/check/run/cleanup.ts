import type { Contract, Operation, Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeCase, makeSequence } from '../case.ts';
import { isSuccess } from '../../http/status.ts';
import { showValue } from '../evidence/phrases.ts';
import type { ChangedRecord, CreatedRecord } from '../memory/record-changes.ts';
import { argumentsFor, draftRequest, requestOf, type DraftResult } from '../plan/draft.ts';
import { operationFor } from '../plan/draft/operation-for.ts';
import { putBack } from '../plan/draft/restore.ts';
import { plainIntent } from '../plan/plan-context.ts';
import { executeSequence, type Sender } from './execute-sequence.ts';

/** Records that stay behind on the target, and why. */
export interface LeftRecords {
  readonly operation: string;
  readonly record: string;
  readonly reason: string;
}

/** What clean-up needs. `mayDelete` says whether the plan allowed the operation. */
export interface CleanupOptions {
  readonly contract: Contract;
  readonly seed: string;
  readonly sender: Sender;
  mayDelete(operation: Operation): boolean;
}

/** Deletes what the run created, the newest first, where the contract lets it; answers what had to stay. */
export async function cleanUp({ contract, seed, sender, mayDelete }: CleanupOptions): Promise<LeftRecords[]> {
  const left: LeftRecords[] = [];
  for (const changed of sender.memory.unrestored) {
    const reason = await restore(changed, sender);
    if (reason !== undefined) left.push({ operation: changed.change.operation.id, record: `the record at ${changed.change.operation.path}, which the run changed`, reason });
  }
  // What stands below another record was created after it, and goes before it.
  const byResource = Map.groupBy(sender.memory.created.toReversed(), ({ resource }) => resource);
  for (const [resource, records] of [...byResource].toSorted(([one], [other]) => other.parents.length - one.parents.length)) {
    const remove = operationFor(contract, resource, 'delete');
    if (remove === undefined || !mayDelete(remove)) {
      left.push(leftBehind(resource, records.toReversed(), remove === undefined ? 'the contract has no operation that deletes it' : `${remove.id} is not part of the run`));
      continue;
    }
    const removal = draftRequest(contract, remove, { seed });
    for (const record of records) {
      const deletion = await deleteRecord(removal, record, sender);
      if (deletion.outcome === 'left') left.push(leftBehind(resource, [record], deletion.reason));
    }
  }
  return left;
}

/** What came of the deletion of one record; `gone`: it was not there. The reason is a clause. */
export type Deleted = { readonly outcome: 'deleted' | 'gone' } | { readonly outcome: 'left'; readonly reason: string };

/** Deletes one record by a draft of such a request, or says why it is still there. */
export async function deleteRecord(removal: DraftResult, record: CreatedRecord, sender: Sender): Promise<Deleted> {
  if (!removal.ok || removal.draft.identifier === undefined) return { outcome: 'left', reason: `its deletion could not be written${removal.ok ? '' : `: ${removal.reason}`}` };
  const { draft } = removal;
  const request = requestOf(draft, 'own', { extra: argumentsFor(draft, record) });
  const tried = makeCase({ title: `the record ${String(record.identifier)} is deleted`, phase: 'cleanup', operation: draft.operation, request, intent: plainIntent(draft) });
  const { steps, unsent } = await executeSequence(makeSequence(tried), sender);
  const exchange = steps[0]?.exchange;
  const status = exchange?.response?.status;
  if (status !== undefined && isSuccess(status)) return { outcome: 'deleted' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  return { outcome: 'left', reason: unsent?.reason ?? `its deletion was answered ${status === undefined ? `with no whole answer: ${exchange?.fault?.message ?? 'nothing came'}` : `${String(status)}`}` };
}

/** Puts a changed record back to what it was, or says in a clause why it could not. */
async function restore(changed: ChangedRecord, sender: Sender): Promise<string | undefined> {
  const tried = putBack(changed);
  if (tried === undefined) return 'what was there before is no valid request';
  const { steps, unsent } = await executeSequence(makeSequence(tried), sender);
  const status = steps[0]?.exchange.response?.status;
  if (status !== undefined && isSuccess(status)) return undefined;
  return unsent?.reason ?? `putting it back was answered ${status === undefined ? 'with no whole answer' : String(status)}`;
}

function leftBehind(resource: Resource, records: readonly CreatedRecord[], reason: string): LeftRecords {
  const operation = resource.operations.create?.id ?? resource.name;
  const identifiers: JsonValue[] = records.map(({ identifier }) => identifier);
  const { field } = resource.identifier;
  const named = identifiers.map((identifier) => showValue(identifier)).join(', ');
  return { operation, record: records.length === 1 ? `${field} ${named}` : `${String(records.length)} records (${field} ${named})`, reason };
}
