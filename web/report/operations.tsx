import type { VNode } from 'preact';
import { Badge } from '../shared/elements.tsx';
import { countOf, duration, encode, visible } from '../shared/text.ts';
import {
  allRows,
  data,
  durationsByOperation,
  findings,
  nameOf,
  quantile,
  summary,
  titleOf,
  type Coverage,
  type OperationSummary,
} from './data.ts';
import { ExchangeTable } from './exchanges.tsx';
import { addressOf, type Facet, type Filter, pageLength } from './facets.ts';
import { FindingItem } from './findings.tsx';
import { Empty, FilteredList, LazyDetails, Link, Spaced, Table } from './list.tsx';

type OperationVerdict = 'failed' | 'skipped' | 'not tested' | 'passed';

const kinds: Readonly<Record<OperationVerdict, string>> = {
  failed: 'error',
  skipped: 'none',
  'not tested': 'none',
  passed: 'kept',
};

function verdictOf({ id, errors, requests }: OperationSummary): OperationVerdict {
  if (errors > 0) return 'failed';
  if (requests === 0) return 'skipped';
  return data.untested.includes(id) ? 'not tested' : 'passed';
}

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
      caption={caption}
      heads={['verdict', 'operation', 'requests', 'answers', 'p50', 'p95', 'slowest', 'findings']}
      numbers={numbers}
    >
      {operations.map((operation) => (
        <tr key={operation.id}>
          <td>
            <Badge kind={kinds[verdictOf(operation)]}>{verdictOf(operation)}</Badge>
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
        <td class="number">{cell}</td>
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

type StatusCoverage = Coverage['statuses'][number];
type InputCoverage = Coverage['inputs'][number];

const coverageFacets: readonly Facet<Coverage>[] = [
  { name: 'coverage', valuesOf: (coverage) => [reachOf(coverage)] },
];

function reachOf({ why, statuses, inputs }: Coverage): string {
  if (why !== undefined) return 'not asked';
  const parts = [...statuses, ...inputs.flatMap(({ classes }) => classes)];
  return parts.every(({ reached }) => reached) ? 'whole' : 'in part';
}

/** The coverage of the contract by the run: statuses with media types, and classes of values. */
export function CoverageView({ filter }: { readonly filter: Filter }): VNode {
  const { coverage } = summary;
  if (coverage === undefined) return <Empty>This run has no coverage data.</Empty>;
  const { statuses, inputs } = coverage;
  return (
    <section>
      <p>
        {`Reached ${String(statuses.reached)} of ${String(statuses.total)} documented statuses, ` +
          `and ${String(inputs.reached)} of ${String(inputs.total)} classes of values. ` +
          'What was not reached names what would reach it.'}
      </p>
      <FilteredList
        route="coverage"
        noun="operation"
        items={coverage.operations}
        facets={coverageFacets}
        textOf={({ operation }) => `${operation} ${titleOf(operation)}`}
        filter={filter}
        show={(operations) => operations.map((each) => <CoverageItem coverage={each} />)}
      />
    </section>
  );
}

/** The coverage of one operation, on its own page. */
function OperationCoverage({ id }: { readonly id: string }): VNode | null {
  const coverage = summary.coverage?.operations.find(({ operation }) => operation === id);
  if (coverage === undefined) return null;
  return (
    <>
      <h3>Coverage</h3>
      <CoverageBlock coverage={coverage} />
    </>
  );
}

interface CoverageProps {
  readonly coverage: Coverage;
}

function CoverageItem({ coverage }: CoverageProps): VNode {
  const { operation, why, statuses, inputs } = coverage;
  const classes = inputs.flatMap((input) => input.classes);
  const shares = [
    ...shareOf(statuses, 'status', 'statuses'),
    ...shareOf(classes, 'class of values', 'classes of values'),
  ];
  const summaryLine = (
    <>
      {titleOf(operation)}{' '}
      <span class="dim">{why === undefined ? shares.join(', ') : 'not asked'}</span>
    </>
  );
  return (
    <LazyDetails summary={summaryLine}>
      <div>
        <CoverageBlock coverage={coverage} />
      </div>
    </LazyDetails>
  );
}

function shareOf(
  parts: readonly { readonly reached: boolean }[],
  noun: string,
  nouns: string,
): string[] {
  if (parts.length === 0) return [];
  const reached = parts.filter((part) => part.reached).length;
  return [`${String(reached)} of ${String(parts.length)} ${parts.length === 1 ? noun : nouns}`];
}

function CoverageBlock({ coverage: { why, statuses, inputs } }: CoverageProps): VNode {
  if (why !== undefined) return <p class="dim">{`Not asked: ${why}`}</p>;
  return (
    <>
      <p>
        <Spaced
          items={statuses.map((status) => (
            <Cell text={statusName(status)} reached={status.reached} why={status.why} />
          ))}
        />
      </p>
      <Reasons statuses={statuses} />
      {inputs.length === 0 ? undefined : <Inputs inputs={inputs} />}
    </>
  );
}

function statusName({ status, media }: StatusCoverage): string {
  return media === undefined ? status : `${status} ${media}`;
}

/** Why statuses were not reached or not judged; equal reasons share a line. */
function Reasons({ statuses }: Pick<Coverage, 'statuses'>): VNode | null {
  const names = new Map<string, string[]>();
  for (const status of statuses) {
    const why = status.why ?? status.unjudged;
    if (why === undefined || (status.reached && status.unjudged === undefined)) continue;
    names.set(why, [...(names.get(why) ?? []), statusName(status)]);
  }
  if (names.size === 0) return null;
  return (
    <ul class="dim">
      {[...names].map(([why, each]) => (
        <li>{`${each.join(', ')}: ${why}`}</li>
      ))}
    </ul>
  );
}

function Inputs({ inputs }: { readonly inputs: readonly InputCoverage[] }): VNode {
  return (
    <Table caption="Classes of values" heads={['input', 'in', 'classes of values']}>
      {inputs.map((input) => (
        <tr>
          <td>{input.name === '' ? 'the body' : input.name}</td>
          <td>{input.in}</td>
          <td>
            <Spaced
              items={input.classes.map((each) => (
                <Cell text={each.class} reached={each.reached} why={each.why} />
              ))}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface CellProps {
  readonly text: string;
  readonly reached: boolean;
  readonly why: string | undefined;
}

function Cell({ text, reached, why }: CellProps): VNode {
  return (
    <span
      class={`cell ${reached ? 'kept' : 'missed'}`}
      title={visible(reached ? 'reached' : (why ?? 'not reached'))}
    >
      {`${reached ? '✓' : '○'} ${text}`}
    </span>
  );
}
