import { severities } from '../../contract/model/severity.ts';
import { readFile } from 'node:fs/promises';
import type { CheckOptions } from '../../check/engine/check-target.ts';
import { countWords } from '../../check/model/step.ts';
import { describeBroken } from '../../check/engine/judge/verdict.ts';
import type { Mode } from '../../check/model/phase.ts';
import type { ReadReport, ReportedFinding } from '../../check/replay/read-report.ts';
import { readReport } from '../../check/replay/read-report.ts';
import { replayFindings, type ReplayResult } from '../../check/replay/replay-findings.ts';
import { codeOf, suggestId, suggestWord, usage, type VouchError } from '../../errors.ts';
import { defined } from '../../json/value.ts';
import { readVersion } from '../../library/package-files.ts';
import { readLedgers } from '../../library/state/file-ledger.ts';
import { readRememberedRuns, stateFolder } from '../../library/state/run-memory.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { hangText } from '../../text/wrap-text.ts';
import { exitCodes, fitLines, type Io } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import { describeAge } from './describe-age.ts';
import { readAccess } from './credentials.ts';
import { findContractAgain, hasChanged } from './earlier-contract.ts';

export interface ReplayFlags extends ContractFlags {
  readonly url?: string;
  readonly contract?: string;
  readonly mode?: Mode;
  readonly auth: readonly string[];
  readonly header: readonly string[];
}

/** Replays the selected findings, prints each result as it arrives, and returns the exit code. */
export async function runReplayCommand(
  io: Io,
  given: readonly string[],
  flags: ReplayFlags,
): Promise<number> {
  const { report, findings, areNamed } = await chooseFindings(io, given);
  if (findings.length === 0) return printNoFindings(io, report);
  const contract = await findContractAgain(flags.contract, report.contract, flags);
  if (
    hasChanged(
      contract,
      findings.flatMap(({ replay }) => replay?.contract ?? []),
    )
  )
    io.err(`The contract ${contract.file} has changed since these findings were recorded.\n`);
  const options: CheckOptions = {
    url: flags.url ?? report.target,
    contract,
    servers: report.servers,
    signal: io.signal,
    clock: io.clock,
    version: readVersion(),
    ...readAccess(io, flags, contract),
    ...defined({ mode: flags.mode }),
  };
  await printRun(io, report, { count: findings.length, url: flags.url });
  const results = await printReplay(io, findings, options);
  if (io.signal.aborted) return exitCodes.interrupted;
  const failing = findings.filter(({ id }) =>
    results.some((result) => result.id === id && result.outcome === 'still failing'),
  );
  // Findings selected by id fail on any severity. A whole run uses the same threshold as its check.
  if (
    failing.length > 0 &&
    (areNamed || describeBroken({ findings: failing, failOn: report.failOn }) !== undefined)
  )
    return exitCodes.failed;
  if (results.some(({ outcome }) => outcome === 'cannot tell')) return exitCodes.inconclusive;
  if (failing.length > 0)
    io.err(`Still failing, but not failing the run: ${describeBelowThreshold(failing)}.\n`);
  return exitCodes.passed;
}

/** Describes the replayed run: its time, its target, and the records that it left. */
async function printRun(
  io: Io,
  { run, target }: ReadReport,
  { count, url = target }: { readonly count: number; readonly url: string | undefined },
): Promise<void> {
  const { id, startedAt } = run;
  const of = id === undefined ? '' : ` of run ${cleanLine(id)}`;
  const elsewhere = url === target ? '' : `, now against ${cleanLine(url)}`;
  const about = `${cleanLine(target)}${describeAge(io, startedAt)}`;
  const what = `${countOf(count, 'finding')}${of} (${about})`;
  io.err(fitLines(`Replaying ${what}${elsewhere}.\n`, io, 'err'));
  const folder = stateFolder(io.env, process.platform);
  const ledgers = folder === undefined || id === undefined ? [] : await readLedgers(folder);
  const left = ledgers.find((ledger) => ledger.run.id === id);
  if (left === undefined || left.isRunning) return;
  const records = countOf(left.left.records.length, 'record');
  const command = `vouch cleanup ${cleanLine(id ?? '')}`;
  const hint = `That run left ${records} behind: ${command} deletes what can be deleted.\n`;
  io.err(fitLines(hint, io, 'err'));
}

/** Prints each result as it arrives, and at the end what the replay could not delete. */
async function printReplay(
  io: Io,
  findings: readonly ReportedFinding[],
  options: CheckOptions,
): Promise<readonly ReplayResult[]> {
  const results: ReplayResult[] = [];
  const replay = replayFindings(findings, options);
  for (;;) {
    const next = await replay.next();
    if (next.done === true) {
      for (const { record, operation, reason } of next.value)
        io.err(
          fitLines(
            cleanLine(`The replay left ${record} of ${operation}: ${reason}.`) + '\n',
            io,
            'err',
          ),
        );
      return results;
    }
    results.push(next.value);
    io.out(formatResult(next.value, findings, io.isTTY.out ? io.width : Infinity));
  }
}

function describeBelowThreshold(findings: readonly ReportedFinding[]): string {
  const kinds = severities.map(
    (severity) =>
      [severity, findings.filter((finding) => finding.severity === severity).length] as const,
  );
  return kinds
    .flatMap(([severity, count]) => (count === 0 ? [] : [countWords(count, severity)]))
    .join(' and ');
}

/** Without findings, the replay of an inconclusive run is also inconclusive. */
function printNoFindings(io: Io, { summary }: ReadReport): number {
  const isSound =
    summary === undefined || summary.verdict === 'passed' || summary.verdict === 'failed';
  io.err(
    isSound
      ? 'Nothing to replay: the run had no findings.\n'
      : 'Nothing to replay: the run had no findings, but it was ' +
          `${cleanLine(summary.verdict)}. ${cleanLine(summary.reason)}\nRun vouch ` +
          'check again.\n',
  );
  return isSound ? exitCodes.passed : exitCodes.inconclusive;
}

function formatResult(
  { id, outcome, reason }: ReplayResult,
  findings: readonly ReportedFinding[],
  width: number,
): string {
  const operation = findings.find((finding) => finding.id === id)?.operation ?? '';
  return (
    `${outcome.padEnd(13)}  ${cleanLine(id)}  ` +
    `${cleanLine(operation)}\n${hangText(' '.repeat(15), cleanLine(reason), width).join('\n')}\n`
  );
}

interface Chosen {
  readonly report: ReadReport;
  readonly findings: readonly ReportedFinding[];
  /** Whether the findings were selected by id. */
  readonly areNamed: boolean;
}

/**
 * Selects findings from the given report, else from the latest run that contains them. Without
 * ids, the latest run of the current folder.
 */
async function chooseFindings(io: Io, given: readonly string[]): Promise<Chosen> {
  const [first, ...rest] = given;
  if (first !== undefined && !/^[0-9a-f]{10}$/.test(first)) {
    const report = parseReport(await readReportFile(first), first);
    return { report, findings: select(report, rest, first), areNamed: rest.length > 0 };
  }
  const folder = stateFolder(io.env, process.platform);
  const reports = (folder === undefined ? [] : await readRememberedRuns(folder)).flatMap(
    ({ text }) => readReport(text) ?? [],
  );
  const report =
    given.length === 0
      ? reports.find(({ run }) => run.folder === process.cwd())
      : reports.find(({ findings }) =>
          given.every((id) => findings.some((finding) => finding.id === id)),
        );
  if (report !== undefined)
    return { report, findings: select(report, given, 'the last run'), areNamed: given.length > 0 };
  if (reports.length === 0)
    throw usage('No earlier run found on this machine.', {
      hint: 'Pass a report written by vouch check --reporter json=report.json.',
    });
  const [last] = reports;
  if (given.length === 0 && last !== undefined) throw noRunHere(io, last);
  throw usage(
    'No recent run has ' +
      `${given.length === 1 ? `the finding ${given[0] ?? ''}` : 'all of these findings'}.`,
    {
      hint: suggestWord(
        given[0] ?? '',
        [...new Set(reports.flatMap(({ findings }) => findings.map(({ id }) => id)))].slice(0, 12),
      ),
    },
  );
}

function noRunHere(io: Io, { run, target }: ReadReport): VouchError {
  const where = run.folder === undefined ? '' : ` in ${cleanLine(run.folder)}`;
  const last = `${cleanLine(target)}${describeAge(io, run.startedAt)}${where}`;
  return usage('No recent run was started in this folder.', {
    hint:
      `The last one was of ${last}. Run vouch replay there, or pass a report or ids of ` +
      'findings.',
  });
}

async function readReportFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    const reason = code === 'ENOENT' ? ': no such file' : ` (${code ?? String(cause)})`;
    throw usage(`${file} is neither a finding id nor a readable report${reason}.`, {
      cause,
      hint:
        'Pass a report written by vouch check --reporter json=report.json, or ' +
        'finding ids of ten hexadecimal digits.',
    });
  }
}

function parseReport(text: string, file: string): ReadReport {
  const report = readReport(text);
  if (report === undefined)
    throw usage(`${file} is not a report of vouch check.`, {
      hint: 'Write one with vouch check --reporter json=report.json.',
    });
  return report;
}

function select(
  { findings }: ReadReport,
  ids: readonly string[],
  where: string,
): readonly ReportedFinding[] {
  const unknown = ids.find((id) => !findings.some((finding) => finding.id === id));
  if (unknown !== undefined)
    throw usage(`There is no finding ${unknown} in ${where}.`, {
      hint: suggestId(unknown, findings),
    });
  return ids.length === 0 ? findings : findings.filter(({ id }) => ids.includes(id));
}
