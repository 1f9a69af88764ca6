import { inflateRawSync } from 'node:zlib';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Reporter, ReporterOptions } from '../../src/report/reporter.ts';

/** All that a reporter writes for some events. Plain and 80 columns wide unless told. */
export function reportOf(
  reporter: Reporter,
  events: readonly RunEvent[],
  options: Partial<ReporterOptions> = {},
): string {
  const write = reporter.begin({ color: false, width: 80, verbose: false, ...options });
  return events.map((event) => write(event)).join('');
}

/** A report as a reader sees it: an HTML report has its data compressed (deflate-raw, base64). */
export function unpackReport(report: string): string {
  return report.replaceAll(
    /(<script[^>]*type="application\/x-deflate"[^>]*>)([^<]*)/g,
    (_block, tag: string, data: string) =>
      tag + inflateRawSync(Buffer.from(data, 'base64')).toString('utf8'),
  );
}
