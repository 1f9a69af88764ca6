import { atEnd } from './at-end.ts';
import { makeJsonReport } from './json/json-report.ts';
import { writeJson } from '../text/json-text.ts';
import type { Reporter } from './reporter.ts';

/** For programs: one JSON document at the end of the run, of the shape `JsonReport`. */
export const json = {
  id: 'json',
  description: 'for programs: one JSON document at the end',
  begin: () => atEnd((record, summary) => `${writeJson(makeJsonReport(record, summary), 2)}\n`),
} as const satisfies Reporter;
