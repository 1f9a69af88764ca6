import { atEnd } from '../at-end.ts';
import { makeMarkdownReport } from './markdown-report.ts';
import type { Reporter } from '../reporter.ts';

/** GitHub refuses a step's summary above 1 MiB. */
const mostBytes = 1024 * 1024;

/**
 * The page of a GitHub job: the same as `markdown`, with the room that GitHub gives a summary.
 * Written by `github`, and so in no table.
 */
export const githubSummary = {
  id: 'github-summary',
  description: 'for the page of a GitHub job: what markdown writes, up to 1 MiB',
  begin: () => atEnd((record, summary) => makeMarkdownReport(record, summary, mostBytes)),
} as const satisfies Reporter;
