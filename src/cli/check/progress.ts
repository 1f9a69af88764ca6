import type { RunEvent } from '../../check/model/event.ts';
import { formatNumber, roughDuration } from '../../text/counts.ts';
import { type Io, isContinuousIntegration, wantsColor } from '../io.ts';
import type { RunningReporter } from './run-reporters.ts';

/** The minimum interval in milliseconds between two updates; a remote terminal may be slow. */
const betweenMs = 100;

/**
 * Shows progress and remaining time on one line of stderr, and clears it when the run ends. Prints
 * nothing without a terminal, in CI, and in the first second.
 */
export function showProgress(io: Io, isOutLive = false): RunningReporter {
  if (!io.isTTY.err || isContinuousIntegration(io.env) || (io.isTTY.out && isOutLive))
    return { take: () => {}, finish: async () => {}, discard: () => {} };
  const bar = makeBar(io);
  return {
    take: (event) => bar.take(event),
    finish: async () => bar.wipe(),
    discard: () => bar.wipe(),
  };
}

function makeBar(io: Io): { take(event: RunEvent): void; wipe(): void } {
  const now = (): number => io.clock().getTime();
  const began = now();
  let planned = 0;
  let expected: number | undefined;
  let sent = 0;
  let shownAt: number | undefined;
  const wipe = (): void => {
    if (shownAt !== undefined) io.err('\r\u001b[2K');
    shownAt = undefined;
  };
  return {
    wipe,
    take: (event) => {
      if (event.type === 'plan-made') ({ requests: planned, expectedMs: expected } = event);
      if (event.type === 'exchange-recorded') sent += 1;
      if (event.type === 'run-finished') return wipe();
      // Reports print to the same terminal before the plan exists.
      if (planned === 0) return;
      const passed = now() - began;
      if (passed < 1000 || (shownAt !== undefined && now() - shownAt < betweenMs)) return;
      shownAt = now();
      const plain = !wantsColor(io, 'err');
      io.err(
        `\r\u001b[2K${progressLine({ planned, expected, sent, passed, width: io.width, plain })}`,
      );
    },
  };
}

interface Progress {
  readonly planned: number;
  /** Milliseconds that the plan takes, as it was made; undefined if unknown. */
  readonly expected?: number | undefined;
  readonly sent: number;
  /** Milliseconds since the start of the run. */
  readonly passed: number;
  readonly width: number;
  /** Whether to draw the bar in ASCII. A terminal without colors may not show block characters. */
  readonly plain: boolean;
}

/** Formats `████░░░░ 120 of about 300 requests, about 8 s left`, never wider than the terminal. */
export function progressLine(progress: Progress): string {
  const { planned, sent, width, plain } = progress;
  const share = planned === 0 ? 0 : Math.min(1, sent / planned);
  const bar = (plain ? '#' : '█').repeat(Math.round(share * 20)).padEnd(20, plain ? '.' : '░');
  // Retries, confirmation and cleanup come on top of the plan.
  const total = sent <= planned ? ` of about ${formatNumber(planned)}` : '';
  const count = `${formatNumber(sent)}${total} requests`;
  const line = `${bar} ${count}${leftOf(share, progress)}`;
  return line.length < width ? line : count.slice(0, Math.max(0, width - 1));
}

/**
 * Estimates the remaining time by what was expected of the plan, the less the more of it is done;
 * otherwise after a tenth of the plan. Confirmation and cleanup are not included.
 */
function leftOf(share: number, { passed, expected }: Progress): string {
  if (share >= 1) return ', confirming findings';
  if (share < 0.1 && expected === undefined) return '';
  const bySpeed = share === 0 ? 0 : passed / share - passed;
  const left = expected === undefined ? bySpeed : (1 - share) ** 2 * expected + share * bySpeed;
  return `, about ${roughDuration(left)} left`;
}
