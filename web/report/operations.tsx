import type { VNode } from 'preact';
import { Badge, type WithChildren } from '../shared/elements.tsx';
import { countOf, duration, encode, shortened, visible } from '../shared/text.ts';
import {
  allRows,
  durationsByOperation,
  findings,
  longestTitle,
  nameOf,
  quantile,
  summary,
  titleOf,
  type OperationSummary,
  verdictKinds,
  verdictOf,
} from './data.ts';
import { OperationCoverage } from './coverage.tsx';
import { ExchangeTable } from './exchanges.tsx';
import { addressOf, type Facet, type Filter, pageLength } from './facets.ts';
import { FindingItem } from './findings.tsx';
import { Empty, FilteredList, Link, Spaced, Table } from './list.tsx';

const facets: readonly Facet<OperationSummary>[] = [
  { name: 'verdict', valuesOf: (operation) => [verdictOf(operation)] },
];

/** The operations of the contract with their responses and durations. */
export function OperationsView({ filter }: { readonly filter: Filter }): VNode {
  if (summary.operations.length === 0) return <Empty>No operation was requested.</Empty>;
  return (
    <FilteredList
      route="operations"
      noun="operation"
      items={summary.operations}
      facets={facets}
      textOf={({ id, method, path }) => [id, method, path].join(' ')}
      filter={filter}
      show={(operations) =>
        operations.length === 0 ? (
          <Empty>No operation matches.</Empty>
        ) : (
          <OperationTable caption="Operations" operations={operations} />
        )
      }
    />
  );
}

interface OperationTableProps {
  readonly caption: string;
  readonly operations: readonly OperationSummary[];
}

function OperationTable({ caption, operations }: OperationTableProps): VNode {
  const times = durationsByOperation();
  const numbers = ['requests', 'p50', 'p95', 'slowest'];
  return (
    <Table
      class="operations"
      caption={caption}
      heads={['verdict', 'operation', 'requests', 'answers', 'p50', 'p95', 'slowest', 'findings']}
      numbers={numbers}
    >
      {operations.map((operation) => (
        <tr key={operation.id}>
          <td>
            <Badge kind={verdictKinds[verdictOf(operation)]}>{verdictOf(operation)}</Badge>
          </td>
          <td class="name">
            <Link to={['operation', operation.id]}>{nameOf(operation)}</Link>
          </td>
          <td class="number">{operation.requests.toLocaleString('en-US')}</td>
          <td>
            <Statuses operation={operation} />
          </td>
          <LatencyCells id={operation.id} sorted={times.get(operation.id)} />
          <td>
            <FindingCounts operation={operation} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface OperationProps {
  readonly operation: OperationSummary;
}

function Statuses({ operation: { requests, skipped, statuses } }: OperationProps): VNode {
  if (requests === 0) return <span class="dim">{skipped ?? 'no requests'}</span>;
  return (
    <Spaced
      items={Object.entries(statuses).map(([status, times]) => (
        <span class="status">{`${status} ×${String(times)}`}</span>
      ))}
    />
  );
}

interface LatencyCellsProps {
  readonly id: string;
  readonly sorted: readonly number[] | undefined;
}

function LatencyCells({ id, sorted }: LatencyCellsProps): VNode {
  const known = summary.latency?.[id];
  const cells =
    known !== undefined
      ? [known.p50, known.p95, known.max].map(duration)
      : [0.5, 0.95, 1].map((share) => sorted && duration(quantile(sorted, share)));
  return (
    <>
      {cells.map((cell) => (
        <td class="number latency">{cell}</td>
      ))}
    </>
  );
}

function FindingCounts({ operation: { id, errors, warnings, notes } }: OperationProps): VNode {
  const counts = [
    { count: errors, severity: 'error' },
    { count: warnings, severity: 'warning' },
    { count: notes, severity: 'note' },
  ].filter(({ count }) => count > 0);
  return (
    <Spaced
      items={counts.map(({ count, severity }) => (
        <a class="status" href={`#/findings?operation=${encode(id)}&severity=${severity}`}>
          {countOf(count, severity)}
        </a>
      ))}
    />
  );
}

/** One operation: its findings, coverage, checks and exchanges. */
export function OperationPage({ id }: { readonly id: string }): VNode {
  const operation = summary.operations.find((each) => each.id === id);
  const touching = findings.filter((finding) => finding.operations.includes(id));
  if (operation === undefined && touching.length === 0)
    return <Empty>{`There is no operation ${id} in this run.`}</Empty>;
  const rows = allRows().filter((row) => row.operation === id);
  return (
    <section>
      <h2>{titleOf(id)}</h2>
      <p class="dim">{id}</p>
      {operation === undefined ? undefined : (
        <OperationTable caption="The operation" operations={[operation]} />
      )}
      {touching.length === 0 ? undefined : (
        <>
          <h3>{countOf(touching.length, 'finding')}</h3>
          {touching.slice(0, pageLength).map((finding) => (
            <FindingItem key={finding.id} finding={finding} isOpen={false} />
          ))}
          <LinkToAll route="findings" id={id} count={touching.length} />
        </>
      )}
      <OperationCoverage id={id} />
      {operation === undefined ? undefined : <Checks operation={operation} />}
      {rows.length === 0 ? undefined : (
        <>
          <h3>{countOf(rows.length, 'exchange')}</h3>
          <ExchangeTable rows={rows.slice(0, pageLength)} />
          <LinkToAll route="exchanges" id={id} count={rows.length} />
        </>
      )}
    </section>
  );
}

interface LinkToAllProps {
  readonly route: string;
  readonly id: string;
  readonly count: number;
}

function LinkToAll({ route, id, count }: LinkToAllProps): VNode | null {
  if (count <= pageLength) return null;
  return (
    <p>
      <a href={addressOf(route, { operation: id })}>
        {`All ${count.toLocaleString('en-US')} of them`}
      </a>
    </p>
  );
}

function Checks({ operation }: OperationProps): VNode | null {
  const entries = Object.entries(operation.checks ?? {});
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>{`${countOf(entries.length, 'check')} applied`}</summary>
      <ul>
        {entries.map(([check, times]) => (
          <li>{`${check}: ${countOf(times, 'exchange')}`}</li>
        ))}
      </ul>
    </details>
  );
}

const barOrder = ['failed', 'passed', 'not covered'] as const;
/** More operations than this have no space between them. */
const maxTicks = 120;

/** A tick for each operation: failed, passed, not covered; below it the counts as links. */
export function PassBar({ children }: WithChildren): VNode {
  const { operations } = summary;
  if (operations.length === 0) return <>{children}</>;
  const groups = barOrder.flatMap((verdict) => {
    const own = operations.filter((operation) => verdictOf(operation) === verdict);
    return own.length === 0 ? [] : [{ verdict, own }];
  });
  const words = groups.map(({ verdict, own }) => `${String(own.length)} ${verdict}`).join(', ');
  return (
    <div class="pass">
      <div
        class={`bar ${operations.length > maxTicks ? 'dense' : ''}`}
        role="img"
        aria-label={`Operations: ${words}`}
      >
        {groups.flatMap(({ verdict, own }) =>
          own.map((operation) => (
            <span
              class={verdictKinds[verdict]}
              title={visible(`${shortened(nameOf(operation), longestTitle)}: ${verdict}`)}
            />
          )),
        )}
      </div>
      <div class="below">
        <p class="legend">
          <Spaced
            items={groups.map(({ verdict, own }) => (
              <a class={verdictKinds[verdict]} href={addressOf('operations', { verdict })}>
                <b>{String(own.length)}</b> {verdict}
              </a>
            ))}
          />
        </p>
        {children}
      </div>
    </div>
  );
}
