import type { VNode } from 'preact';
import { countOf, visible } from '../shared/text.ts';
import { data, run, summary } from './data.ts';

/** A run as the trend shows it. */
interface Point {
  readonly startedAt: string;
  readonly verdict: string;
  readonly errors: number;
  readonly warnings: number;
}

const size = { width: 10, gap: 3, height: 28 };

/** The errors of the last runs against this target as bars; nothing for a first run. */
export function Trend(): VNode | null {
  const last = data.earlier.at(-1);
  if (run === undefined || last === undefined) return null;
  const { error: errors, warning: warnings } = summary.findings;
  const points: readonly Point[] = [
    ...data.earlier,
    { startedAt: run.startedAt, verdict: summary.verdict, errors, warnings },
  ];
  const max = Math.max(1, ...points.map((point) => point.errors));
  const step = size.width + size.gap;
  const width = points.length * step;
  return (
    <p class="trend">
      <svg
        role="img"
        aria-label={labelOf(points)}
        width={width}
        height={size.height}
        viewBox={`0 0 ${String(width)} ${String(size.height)}`}
      >
        {points.map((point, index) => {
          const height = Math.max(3, (point.errors / max) * size.height);
          return (
            <rect
              class={`fill ${point.verdict}`}
              x={index * step}
              y={size.height - height}
              width={size.width}
              height={height}
            >
              <title>{visible(wordsOf(point))}</title>
            </rect>
          );
        })}
      </svg>
      <span class="dim">
        {`Last ${String(points.length)} runs: ${comparison(errors - last.errors, last)}`}
      </span>
    </p>
  );
}

function labelOf(points: readonly Point[]): string {
  const numbers = points.map(({ errors }) => String(errors)).join(', ');
  return `Errors of ${countOf(points.length, 'run')}, oldest first: ${numbers}`;
}

function wordsOf({ startedAt, verdict, errors, warnings }: Point): string {
  const counts = `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`;
  return `${timeOf(startedAt)}: ${verdict}, ${counts}`;
}

/** How this run compares with the one before: `2 errors fewer than in the one before, of …`. */
function comparison(more: number, { startedAt }: Point): string {
  const before = `the one before, of ${timeOf(startedAt)}`;
  if (more === 0) return `as many errors as in ${before}`;
  return `${countOf(Math.abs(more), 'error')} ${more > 0 ? 'more' : 'fewer'} than in ${before}`;
}

function timeOf(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}
