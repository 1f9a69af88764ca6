import { findContract } from './find-contract.ts';
import { lintContract } from '../lint/lint-contract.ts';
import { formatLint } from '../lint/format-lint.ts';
import { exitCodes } from './exit-code.ts';
import { wantsColor, type Io } from './io.ts';

/** Lints the contract that is about to be served. One line when it is sound; every problem, and exit code 1, when it is not. */
export async function lintBeforeServing(io: Io, document: string | undefined, config: string | undefined): Promise<number> {
  const { contract } = await findContract(document, config);
  const report = await lintContract(contract.file);
  if (report.counts.error > 0) {
    io.err(formatLint(report, 'pretty', { color: wantsColor(io, 'err'), width: io.width }));
    return exitCodes.broken;
  }
  const warnings = report.counts.warning === 0 ? 'no warning' : `${String(report.counts.warning)} warning${report.counts.warning === 1 ? '' : 's'}`;
  const gaps = report.problems.filter(({ rule }) => rule.startsWith('vouch/gap-')).length;
  io.err(`lint  ${contract.file}: no error, ${warnings}, ${String(gaps)} gaps (see them with: npx vouch gaps)\n`);
  return exitCodes.kept;
}
