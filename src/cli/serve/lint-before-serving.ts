import type { Contract } from '../../contract/model.ts';
import { chooseDocuments } from '../../library/choose-documents.ts';
import { contractChoice, type ContractFlags, loadAgain } from '../find-contract.ts';
import { lintContract } from '../../lint/lint-contract.ts';
import { formatLint } from '../../lint/format-lint.ts';
import { asCalled, exitCodes, type Io, wantsColor } from '../io.ts';
import { countOf } from '../../text/counts.ts';
import { hangText, keepTogether } from '../../text/wrap-text.ts';

/**
 * Lints every contract before it is served. Prints one line for each valid contract; at the first
 * invalid one prints all problems and returns exit code 1.
 */
export async function lintBeforeServing(
  io: Io,
  documents: readonly string[],
  flags: ContractFlags = {},
): Promise<number> {
  const chosen = await chooseDocuments({ contracts: documents, ...contractChoice(flags) });
  for (const { contract } of chosen) {
    const code = await lintOne(io, contract, flags);
    if (code !== exitCodes.passed) return code;
  }
  return exitCodes.passed;
}

async function lintOne(io: Io, contract: Contract, flags: ContractFlags): Promise<number> {
  const report = await lintContract(contract.source ?? contract.file, loadAgain(contract, flags));
  // Whatever a configuration calls it, a matter of style keeps nothing from being served.
  if (report.problems.some(({ severity, isStyle }) => severity === 'error' && isStyle !== true)) {
    io.err(formatLint(report, 'pretty', { color: wantsColor(io, 'err'), width: io.width }));
    return exitCodes.failed;
  }
  const { error, warning } = report.counts;
  const warnings = error + warning === 0 ? 'no warnings' : countOf(error + warning, 'warning');
  const gaps = report.problems.filter(({ rule }) => rule.startsWith('vouch/gap-')).length;
  const way =
    gaps === 0 ? '' : ` (list them with ${keepTogether(asCalled('vouch gaps', io.program))})`;
  const result = `${contract.file}: no errors, ${warnings}, ${countOf(gaps, 'gap')}${way}`;
  io.err(`${hangText('lint  ', result, io.isTTY.err ? io.width : Infinity).join('\n')}\n`);
  return exitCodes.passed;
}
