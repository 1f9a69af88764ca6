import { atEnd } from './at-end.ts';
import { makeMarkdownReport } from './markdown/markdown-report.ts';
import type { Reporter } from './reporter.ts';

/**
 * GitHub refuses a comment above 65,536 characters, and of characters there are never more than
 * bytes.
 */
const mostBytes = 65_536;

/** For pull requests and job summaries: GitHub-flavoured Markdown at the end of the run. */
export const markdown = {
  id: 'markdown',
  description: 'for pull requests and job summaries: a table and the findings',
  begin: () => atEnd((record, summary) => makeMarkdownReport(record, summary, mostBytes)),
} as const satisfies Reporter;
