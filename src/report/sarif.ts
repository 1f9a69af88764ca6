import { writeJson } from '../text/json-text.ts';
import { atEnd } from './at-end.ts';
import type { Reporter } from './reporter.ts';
import { makeSarifReport } from './sarif/sarif-report.ts';

/** For code scanning: a SARIF 2.1.0 log, whose results stand on the lines of the contract. */
export const sarif = {
  id: 'sarif',
  description: 'for code scanning (GitHub and others): SARIF 2.1.0',
  begin: () => atEnd((record, summary) => `${writeJson(makeSarifReport(record, summary), 1)}\n`),
} as const satisfies Reporter;
