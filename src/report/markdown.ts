import { atEnd } from './at-end.ts';
import { makeMarkdownReport } from './markdown-report.ts';
import type { Reporter } from './reporter.ts';

/** For pull requests and job summaries: GitHub-flavoured Markdown at the end of the run. */
export const markdown = {
  id: 'markdown',
  description: 'for pull requests and job summaries: a table and the findings',
  begin: () => atEnd(makeMarkdownReport),
} as const satisfies Reporter;
