import { largeContracts, pinnedFiles, smallContracts } from './corpus.ts';
import { judgeContract, type ContractReport } from './judge-contract.ts';
import { groupReasons, summarise } from './summarise.ts';

/**
 * `node bench/contracts/run.ts [--json] [--large] [NAME …]`: how much of other people's contracts
 * the mock keeps. Every operation is asked a valid request made from the contract; names are parts
 * of a contract's name.
 */
async function main(words: readonly string[]): Promise<void> {
  const isJson = words.includes('--json');
  const names = words.filter((word) => !word.startsWith('--'));
  const all = [...(words.includes('--large') ? [] : smallContracts()), ...largeContracts()];
  const chosen = all.filter(
    ({ name }) =>
      names.length === 0 || names.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  );
  const reports: ContractReport[] = [];
  for (const contract of chosen) {
    const report = await judgeContract(contract);
    reports.push(report);
    if (!isJson) console.log(describe(report));
  }
  if (isJson)
    console.log(
      JSON.stringify(
        reports.map((report) => ({
          ...summarise([report]),
          name: report.name,
          reasons: groupReasons([report]),
          judgements: report.judgements,
        })),
        null,
        2,
      ),
    );
  else console.log(`\n${line('all', reports)}`);
  const missing = pinnedFiles.length - largeContracts().length;
  if (missing > 0)
    console.error(`${String(missing)} large contracts are not here: node bench/contracts/fetch.ts`);
}

function describe(report: ContractReport): string {
  const { name, unreadable } = report;
  if (unreadable !== undefined) return `${name}: NOT LOADED: ${unreadable}`;
  const reasons = groupReasons([report])
    .slice(0, 25)
    .map(
      ({ reason, operations }) =>
        `    ${String(operations.length)} × ${reason}   (${operations.slice(0, 2).join(', ')})`,
    );
  return [line(name, [report]), ...reasons].join('\n');
}

function line(name: string, reports: readonly ContractReport[]): string {
  const { contracts, loaded, operations, success, documented } = summarise(reports);
  const share = (count: number): string =>
    `${String(count)} (${operations === 0 ? '-' : ((100 * count) / operations).toFixed(1)} %)`;
  const slowest = Math.max(...reports.map(({ slowestMs }) => slowestMs));
  const count =
    reports.length === 1 ? '' : ` ${String(loaded)} of ${String(contracts)} contracts load;`;
  return (
    `${name}:${count} ${String(operations)} operations; success ` +
    `${share(success)}; documented ${share(documented)}; median ` +
    `${(reports[0]?.medianMs ?? 0).toFixed(1)} ms, slowest ` +
    `${slowest.toFixed(0)} ms`
  );
}

await main(process.argv.slice(2));
