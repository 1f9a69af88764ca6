import { countOf } from '../../text/counts.ts';
import type { Io } from '../io.ts';

/** `, 3 minutes ago`; '' if the time is unknown. */
export function describeAge(io: Io, startedAt: string | undefined): string {
  const minutes = (io.clock().getTime() - Date.parse(startedAt ?? '')) / 60_000;
  if (Number.isNaN(minutes)) return '';
  if (minutes < 1) return ', less than a minute ago';
  if (minutes < 90) return `, ${countOf(Math.round(minutes), 'minute')} ago`;
  if (minutes < 48 * 60) return `, ${countOf(Math.round(minutes / 60), 'hour')} ago`;
  return `, ${countOf(Math.round(minutes / 60 / 24), 'day')} ago`;
}
