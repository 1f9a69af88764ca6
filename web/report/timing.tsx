import type { ComponentChildren, VNode } from 'preact';
import { countOf, duration, shortened } from '../shared/text.ts';
import {
  allRows,
  classOf,
  durationsByOperation,
  kindOfClass,
  quantile,
  summary,
  titleOf,
  type ExchangeRow,
} from './data.ts';
import { Empty, Link, Table } from './list.tsx';
import type { Latency } from '../../src/check/model/knowledge.ts';

/** The run over time and the durations of responses, each as a chart and as a table. */
export function TimingView(): VNode {
  const rows = allRows();
  if (rows.length === 0) return <Empty>No requests were sent, so there are no times.</Empty>;
  return (
    <section>
      <h2>Exchanges over time</h2>
      <Timeline rows={rows} />
      <h2>How long answers took</h2>
      <Latencies timed={timedOperations()} />
    </section>
  );
}

/** The size of a chart and its margins, in its own units. */
const drawing = { width: 960, height: 240, left: 56, right: 12, top: 10, bottom: 28 };

interface FigureProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly height?: number;
  readonly children: ComponentChildren;
}

/** A chart keeps its width to stay readable, and scrolls on narrow screens. */
function Figure({ id, title, description, height, children }: FigureProps): VNode {
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label={`Drawing: ${title}`}>
      <svg
        viewBox={`0 0 ${String(drawing.width)} ${String(height ?? drawing.height)}`}
        role="img"
        class="plot"
        aria-labelledby={`${id}-title ${id}-desc`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{description}</desc>
        {children}
      </svg>
    </div>
  );
}

interface LabelProps {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly children: string;
}

function Label({ x, y, anchor = 'middle', children }: LabelProps): VNode {
  return (
    <text x={x} y={y} text-anchor={anchor}>
      {children}
    </text>
  );
}

interface LegendProps {
  readonly names: readonly (readonly [kind: string, name: string])[];
}

function Legend({ names }: LegendProps): VNode {
  return (
    <p class="legend">
      {names.map(([kind, name]) => (
        <span class={kind}>{name}</span>
      ))}
    </p>
  );
}

interface AsTableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly numbers: readonly string[];
  readonly children: ComponentChildren;
}

function AsTable(props: AsTableProps): VNode {
  return (
    <details>
      <summary>The same as a table</summary>
      <Table {...props} />
    </details>
  );
}

/** Exchanges that ended within one interval, by class of outcome. */
interface Bin {
  readonly from: number;
  readonly to: number;
  total: number;
  readonly counts: Map<string, number>;
}

const maxBins = 48;

function binsOf(rows: readonly ExchangeRow[]): Bin[] {
  const last = rows.reduce((max, { at }) => Math.max(max, at), 1);
  const count = Math.max(1, Math.min(maxBins, rows.length));
  const bins = Array.from({ length: count }, (_, index): Bin => ({
    from: (last * index) / count,
    to: (last * (index + 1)) / count,
    total: 0,
    counts: new Map(),
  }));
  for (const { at, outcome } of rows) {
    const bin = bins[Math.min(count - 1, Math.floor((at / last) * count))];
    if (bin === undefined) continue;
    bin.total += 1;
    bin.counts.set(classOf(outcome), (bin.counts.get(classOf(outcome)) ?? 0) + 1);
  }
  return bins;
}

function Timeline({ rows }: { readonly rows: readonly ExchangeRow[] }): VNode {
  const { width, height, left, right, top, bottom } = drawing;
  const bins = binsOf(rows);
  const names = [...new Set(rows.map(({ outcome }) => classOf(outcome)))].sort();
  const max = Math.max(...bins.map(({ total }) => total));
  const end = bins.at(-1)?.to ?? 0;
  const [step, base] = [(width - left - right) / bins.length, height - bottom];
  const description =
    `${countOf(rows.length, 'exchange')} in ${duration(end)}, at most ${String(max)} of them ` +
    `in ${duration(end / bins.length)}; the table below has the same numbers.`;
  return (
    <>
      <Legend names={names.map((name) => [kindOfClass(name), name])} />
      <Figure id="timeline" title="Exchanges over time" description={description}>
        <path
          class="axis"
          d={`M${String(left)} ${String(top)}V${String(base)}H${String(width - right)}`}
        />
        <Label x={left - 6} y={top + 10} anchor="end">
          {String(max)}
        </Label>
        <Label x={left - 6} y={base} anchor="end">
          0
        </Label>
        <TimeLabels end={end} />
        {bins.map((bin, index) => (
          <Bar
            bin={bin}
            names={names}
            x={left + index * step + 0.5}
            width={Math.max(1, step - 1)}
            scale={(base - top) / max}
            base={base}
          />
        ))}
      </Figure>
      <TimelineTable bins={bins} names={names} />
    </>
  );
}

function TimeLabels({ end }: { readonly end: number }): VNode {
  const { width, height, left, right } = drawing;
  const marks = [
    { share: 0, anchor: 'start' },
    { share: 0.25, anchor: 'middle' },
    { share: 0.5, anchor: 'middle' },
    { share: 0.75, anchor: 'middle' },
    { share: 1, anchor: 'end' },
  ] as const;
  return (
    <>
      {marks.map(({ share, anchor }) => (
        <Label x={left + share * (width - left - right)} y={height - 8} anchor={anchor}>
          {share === 0 ? '0' : duration(end * share)}
        </Label>
      ))}
    </>
  );
}

interface BarProps {
  readonly bin: Bin;
  readonly names: readonly string[];
  readonly x: number;
  readonly width: number;
  /** The height of one exchange. */
  readonly scale: number;
  /** The base line of the bar. */
  readonly base: number;
}

function Bar({ bin: { from, to, total, counts }, names, x, width, scale, base }: BarProps): VNode {
  const parts = names.flatMap((name) => {
    const count = counts.get(name);
    return count === undefined ? [] : [{ name, count }];
  });
  const told = parts.map(({ name, count }) => `${String(count)} × ${name}`).join(', ');
  let y = base;
  return (
    <g>
      <title>{`${duration(from)} to ${duration(to)}: ${total === 0 ? 'nothing' : told}`}</title>
      {parts.map(({ name, count }) => {
        y -= count * scale;
        return (
          <rect
            x={x}
            y={y}
            width={width}
            height={count * scale}
            class={`fill ${kindOfClass(name)}`}
          />
        );
      })}
    </g>
  );
}

interface TimelineTableProps {
  readonly bins: readonly Bin[];
  readonly names: readonly string[];
}

function TimelineTable({ bins, names }: TimelineTableProps): VNode {
  const heads = ['from', 'to', 'exchanges', ...names];
  return (
    <AsTable caption="Exchanges over time" heads={heads} numbers={heads}>
      {bins
        .filter(({ total }) => total > 0)
        .map(({ from, to, total, counts }) => (
          <tr>
            {[
              duration(from),
              duration(to),
              total,
              ...names.map((name) => counts.get(name) ?? 0),
            ].map((value) => (
              <td class="number">{String(value)}</td>
            ))}
          </tr>
        ))}
    </AsTable>
  );
}

/** An operation with the durations of its responses. */
type TimedOperation = Latency & { readonly id: string };

/** The operations, slowest first. */
function timedOperations(): TimedOperation[] {
  return [...durationsByOperation()]
    .map(([id, sorted]) => ({
      id,
      count: sorted.length,
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      max: sorted.at(-1) ?? 0,
      ...summary.latency?.[id],
    }))
    .sort((left, right) => right.max - left.max);
}

/** A logarithmic scale from 0.1 ms, because durations differ by a factor of a thousand. */
interface TimeScale {
  readonly powers: readonly number[];
  place(ms: number): number;
}

function timeScale(max: number, from: number, to: number): TimeScale {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(max, 10))));
  return {
    powers: Array.from({ length: top + 2 }, (_, index) => 10 ** (index - 1)),
    place: (ms) => from + ((Math.log10(Math.max(ms, 0.1)) + 1) / (top + 1)) * (to - from),
  };
}

/** The maximum number of operations in the chart; the table has all of them. */
const maxLines = 40;
const rowHeight = 26;

interface LatenciesProps {
  readonly timed: readonly TimedOperation[];
}

function Latencies({ timed }: LatenciesProps): VNode {
  const shown = timed.slice(0, maxLines);
  const height = shown.length * rowHeight + 34;
  const slowest = timed[0]?.max ?? 0;
  const scale = timeScale(slowest, 300, drawing.width - 24);
  const description =
    `The slowest of all took ${duration(slowest)}, by ${titleOf(timed[0]?.id ?? '')}. ` +
    'The scale is logarithmic; the table below has the numbers.';
  return (
    <>
      <Legend
        names={[
          ['p50', 'p50'],
          ['p95', 'p95'],
          ['slowest', 'slowest'],
        ]}
      />
      <Figure
        id="latency"
        height={height}
        title="Duration of responses by operation"
        description={description}
      >
        {scale.powers.map((ms) => (
          <>
            <path class="grid" d={`M${String(scale.place(ms))} 4V${String(height - 26)}`} />
            <Label x={scale.place(ms)} y={height - 8}>
              {duration(ms)}
            </Label>
          </>
        ))}
        {shown.map((operation, index) => (
          <LatencyLine operation={operation} y={index * rowHeight + 16} scale={scale} />
        ))}
      </Figure>
      {timed.length > maxLines ? (
        <p class="dim">
          {`Drawn are the slowest ${String(maxLines)} of ${countOf(timed.length, 'operation')}.`}
        </p>
      ) : undefined}
      <LatencyTable timed={timed} />
    </>
  );
}

interface LatencyLineProps {
  readonly operation: TimedOperation;
  readonly y: number;
  readonly scale: TimeScale;
}

function LatencyLine({ operation, y, scale: { place } }: LatencyLineProps): VNode {
  const { id, p50, p95, max, count } = operation;
  const name = titleOf(id);
  const points = [
    { ms: max, kind: 'slowest' },
    { ms: p95, kind: 'p95' },
    { ms: p50, kind: 'p50' },
  ];
  return (
    <g>
      <title>
        {`${name}: p50 ${duration(p50)}, p95 ${duration(p95)}, ` +
          `slowest ${duration(max)} of ${String(count)}`}
      </title>
      <Label x={288} y={y + 4} anchor="end">
        {shortened(name, 38)}
      </Label>
      <path class="span" d={`M${String(place(p50))} ${String(y)}H${String(place(max))}`} />
      {points.map(({ ms, kind }) => (
        <circle cx={place(ms)} cy={y} r={5} class={`fill ${kind}`} />
      ))}
    </g>
  );
}

function LatencyTable({ timed }: LatenciesProps): VNode {
  const numbers = ['answers', 'p50', 'p95', 'slowest'];
  return (
    <AsTable
      caption="Duration of responses by operation"
      heads={['operation', ...numbers]}
      numbers={numbers}
    >
      {timed.map(({ id, count, p50, p95, max }) => (
        <tr>
          <td>
            <Link to={['operation', id]}>{titleOf(id)}</Link>
          </td>
          <td class="number">{count.toLocaleString('en-US')}</td>
          {[p50, p95, max].map((ms) => (
            <td class="number">{duration(ms)}</td>
          ))}
        </tr>
      ))}
    </AsTable>
  );
}
