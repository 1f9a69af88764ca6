import type { Contract, Operation, Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeCase, makeSequence } from '../case.ts';
import { isSuccess } from '../evidence/refusal.ts';
import { showValue } from '../evidence/phrases.ts';
import type { CreatedRecord } from '../memory.ts';
import { draftRequest, requestOf } from '../plan/draft.ts';
import { plainIntent } from '../plan/plan-context.ts';
import { executeSequence, type RecordedExchange, type Sender } from './execute-sequence.ts';

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
export async function* cleanUp({ contract, seed, sender, mayDelete }: CleanupOptions): AsyncGenerator<RecordedExchange, LeftRecords[]> {
  const left: LeftRecords[] = [];
  const byResource = Map.groupBy(sender.memory.created, ({ resource }) => resource);
  for (const [resource, records] of byResource) {
    const remove = resource.operations.delete;
    if (remove === undefined || !mayDelete(remove)) {
      left.push(leftBehind(resource, records, remove === undefined ? 'the contract has no operation that deletes it' : `${remove.id} is not part of the run`));
      continue;
    }
    for (const record of records.toReversed()) {
      const reason = yield* deleteRecord(remove, record, { contract, seed, sender });
      if (reason !== undefined) left.push(leftBehind(resource, [record], reason));
    }
  }
  return left;
}

type Deletion = Pick<CleanupOptions, 'contract' | 'seed' | 'sender'>;

/** Deletes one record, or says in a clause why it is still there. */
async function* deleteRecord(remove: Operation, { identifier }: CreatedRecord, { contract, seed, sender }: Deletion): AsyncGenerator<RecordedExchange, string | undefined> {
  const drafted = draftRequest(contract, remove, seed);
  if (!drafted.ok || drafted.draft.identifier === undefined) return `its deletion could not be written${drafted.ok ? '' : `: ${drafted.reason}`}`;
  const request = requestOf(drafted.draft, 'own', { extra: [{ parameter: drafted.draft.identifier, source: { kind: 'value', value: identifier } }] });
  const tried = makeCase({ title: `the record ${String(identifier)} is deleted`, phase: 'cleanup', operation: remove, request, intent: plainIntent(drafted.draft) });
  const { steps, unsent } = yield* executeSequence(makeSequence(tried), sender);
  const exchange = steps[0]?.exchange;
  const status = exchange?.response?.status;
  if (status !== undefined && (isSuccess(status) || status === 404 || status === 410)) return undefined;
  return unsent?.reason ?? `its deletion was answered ${status === undefined ? `with no whole answer: ${exchange?.fault?.message ?? 'nothing came'}` : `${String(status)}`}`;
}

function leftBehind(resource: Resource, records: readonly CreatedRecord[], reason: string): LeftRecords {
  const operation = resource.operations.create?.id ?? resource.name;
  const identifiers: JsonValue[] = records.map(({ identifier }) => identifier);
  const { field } = resource.identifier;
  const named = identifiers.map((identifier) => showValue(identifier)).join(', ');
  return { operation, record: records.length === 1 ? `${field} ${named}` : `${String(records.length)} records (${field} ${named})`, reason };
}
