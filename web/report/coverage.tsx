import type { VNode } from 'preact';
import { visible } from '../shared/text.ts';
import { type Coverage, findings, summary, titleOf } from './data.ts';
import { addressOf, type Facet, type Filter } from './facets.ts';
import { Empty, FilteredList, LazyDetails, Link, Spaced, Table } from './list.tsx';

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
        {`Covered ${String(statuses.reached)} of ${String(statuses.total)} documented statuses, ` +
          `and ${String(inputs.reached)} of ${String(inputs.total)} input variants. ` +
          'What was not covered says what would cover it.'}
      </p>
      <FilteredList
        route="coverage"
        noun="operation"
        items={coverage.operations}
        facets={coverageFacets}
        textOf={({ operation }) => `${operation} ${titleOf(operation)}`}
        filter={filter}
        show={(operations) => (
          <>
            <Matrix operations={operations} />
            <h2>What was covered of each operation</h2>
            {operations.map((each) => (
              <CoverageItem key={each.operation} coverage={each} />
            ))}
          </>
        )}
      />
    </section>
  );
}

/** Operations by status: which responses were documented, which were seen, and whether valid. */
export function Matrix({ operations }: { readonly operations: readonly Coverage[] }): VNode | null {
  const statuses = columnsOf(operations);
  if (statuses.length === 0) return null;
  return (
    <>
      <div class="scroll" role="group" tabIndex={0} aria-label="Statuses of each operation">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">operation</th>
              {statuses.map((status) => (
                <th scope="col" class="cellhead">
                  {status}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.map((coverage) => (
              <MatrixRow key={coverage.operation} coverage={coverage} statuses={statuses} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="legend dim">
        {Object.entries(states).map(([name, { kind, sign }]) => (
          <span class={`sign ${kind}`}>
            <b>{sign}</b> {name}
          </span>
        ))}
      </p>
    </>
  );
}

interface MatrixRowProps extends CoverageProps {
  readonly statuses: readonly string[];
}

function MatrixRow({ coverage, statuses }: MatrixRowProps): VNode {
  const { operation, why } = coverage;
  return (
    <tr>
      <th scope="row">
        <Link to={['operation', operation]}>{titleOf(operation)}</Link>
        {why === undefined ? undefined : <span class="dim">{` not asked: ${why}`}</span>}
      </th>
      {statuses.map((status) => (
        <MatrixCell coverage={coverage} status={status} />
      ))}
    </tr>
  );
}

/** The states of a status at an operation, with their colors and signs. */
const states = {
  'seen, valid': { kind: 'kept', sign: '✓' },
  'seen, breaks the contract': { kind: 'error', sign: '✗' },
  'seen, not documented': { kind: 'warning', sign: '!' },
  'documented, not seen': { kind: 'missed', sign: '○' },
} as const;
type StatusState = keyof typeof states;

interface MatrixCellProps extends CoverageProps {
  readonly status: string;
}

function MatrixCell({ coverage, status }: MatrixCellProps): VNode {
  const { operation } = coverage;
  const count = countsOf(operation)[status] ?? 0;
  const state = stateOf(coverage, status, count);
  if (state === undefined) return <td />;
  const { kind, sign } = states[state];
  const missed = coverage.statuses.find((each) => each.status === status && !each.reached)?.why;
  const title = missed === undefined ? state : `${state}: ${missed}`;
  const text = count === 0 ? sign : `${sign} ${count.toLocaleString('en-US')}`;
  return (
    <td class={`sign ${kind}`} data-status={status} title={visible(title)}>
      {count === 0 ? text : <a href={addressOf('exchanges', { operation, status })}>{text}</a>}
      <span class="unseen">{` ${state}`}</span>
    </td>
  );
}

function stateOf(
  { operation, statuses }: Coverage,
  status: string,
  count: number,
): StatusState | undefined {
  const documented = statuses.filter((each) => each.status === status);
  if (count > 0) {
    if (broken.has(keyOf(operation, status))) return 'seen, breaks the contract';
    const range = `${status.slice(0, 1)}XX`;
    const isDocumented = statuses.some(
      (each) => [status, 'default'].includes(each.status) || each.status.toUpperCase() === range,
    );
    return isDocumented ? 'seen, valid' : 'seen, not documented';
  }
  if (documented.length === 0) return undefined;
  return documented.some(({ reached }) => reached) ? 'seen, valid' : 'documented, not seen';
}

function keyOf(operation: string, status: string): string {
  return `${status} ${operation}`;
}

/** The statuses of operations with a finding; notes do not count. */
const broken = new Set(
  findings
    .filter(({ severity }) => severity !== 'note')
    .flatMap(({ operations, exchange }) =>
      operations.map((operation) => keyOf(operation, String(exchange?.response?.status))),
    ),
);

const countsById = new Map(summary.operations.map(({ id, statuses }) => [id, statuses]));

/** The number of responses of an operation by status. */
function countsOf(id: string): Readonly<Record<string, number>> {
  return countsById.get(id) ?? {};
}

/** Every documented or seen status: `200`, `204`, `2XX`, …, `default`. */
function columnsOf(operations: readonly Coverage[]): string[] {
  const all = operations.flatMap(({ operation, statuses }) => [
    ...statuses.map(({ status }) => status),
    ...Object.keys(countsOf(operation)),
  ]);
  return [...new Set(all)].sort((left, right) => (left < right ? -1 : 1));
}

/** The coverage of one operation, on its own page. */
export function OperationCoverage({ id }: { readonly id: string }): VNode | null {
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
    ...shareOf(classes, 'input variant', 'input variants'),
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
    <Table caption="Input variants" heads={['input', 'in', 'variants']}>
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
      title={visible(reached ? 'covered' : (why ?? 'not covered'))}
    >
      {`${reached ? '✓' : '○'} ${text}`}
    </span>
  );
}
