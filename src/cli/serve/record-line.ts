import { setImmediate } from 'node:timers/promises';
import { existsUnmade } from '../../contract/infer/record-fields.ts';
import type { Resource } from '../../contract/model.ts';
import type { RunningMock } from '../../library/start-mock.ts';
import { startsWithExamples } from '../../mock/records/seed/seed-records.ts';
import { defaultSession } from '../../mock/request/request-context.ts';
import { isLarge } from './sample-requests.ts';

/** At most this many resources are counted and named: to count records is to generate them. */
const maxNamed = 12;

/** The records of the default session, as the banner counts them: `72 pets`. */
export async function recordLine({ prepared }: RunningMock): Promise<string> {
  const { contract, dynamic } = prepared.mock.options;
  if (isLarge(contract))
    return (
      `for ${String(contract.operations.length)} operations, each prepared on ` +
      'first use (list them with --explain)'
    );
  if (dynamic !== undefined) return "only shown with -H 'Prefer: dynamic=false'";
  const own = contract.resources
    .filter(({ name, collection }) => name === collection)
    .toSorted((one, other) => Math.sign(one.parents.length) - Math.sign(other.parents.length));
  const counted: { readonly text: string; readonly origin: string }[] = [];
  for (const resource of own.slice(0, maxNamed)) {
    const text = await countText(resource, prepared);
    counted.push({ text, origin: originOf(resource, prepared) });
    // The mock listens already: a request that waits comes before the next count.
    await setImmediate();
  }
  const groups = [...Map.groupBy(counted, ({ origin }) => origin)].map(
    ([origin, alike]) => alike.map(({ text }) => text).join(', ') + origin,
  );
  const hidden = own.length - maxNamed;
  const more = hidden > 0 ? [`and ${String(hidden)} more (list them with --explain)`] : [];
  return [...groups, ...more].join(', ') || 'none: no operation stores records';
}

type Prepared = RunningMock['prepared'];

/** What is counted: `3 customers`; only the name, where there is no single number: `settings`. */
async function countText(resource: Resource, prepared: Prepared): Promise<string> {
  const { name, kind, parents, collectionPath } = resource;
  if (parents.length > 0) return `${name} (for each ${collectionPath.replace(/\/[^/{}]+$/, '')})`;
  if (kind === 'singleton') return name;
  if (hasAnyIdentifier(resource, prepared)) return `${name} (any identifier)`;
  const place = { session: defaultSession, resource: name };
  const page = await prepared.mock.records.list(place, { offset: 0, limit: 0 });
  return `${String(page?.total ?? 0)} ${name}`;
}

/** Where records come from. Those of fixtures are the user's own, and need no remark. */
function originOf(resource: Resource, prepared: Prepared): string {
  const { fixtures, mock } = prepared;
  const isEmpty = mock.options.seedRecords === 0 && resource.kind === 'collection';
  if (resource.parents.length > 0 || fixtures.has(resource.name) || isEmpty) return '';
  if (hasAnyIdentifier(resource, prepared)) return '';
  return startsWithExamples(resource) ? ' (examples of the contract)' : ' (generated)';
}

function hasAnyIdentifier(resource: Resource, { fixtures, mock }: Prepared): boolean {
  return !fixtures.has(resource.name) && existsUnmade(resource, mock.options.contract.resources);
}
