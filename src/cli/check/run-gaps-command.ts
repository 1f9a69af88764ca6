import { runCheck } from '../../check/engine/check-target.ts';
import type { Gap } from '../../contract/model.ts';
import { explainFacts } from '../../contract/words/explain-facts.ts';
import { formatPlace } from '../../errors.ts';
import { defined, stringifyJson } from '../../json/value.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import { readVersion } from '../../library/package-files.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { exitCodes, fitLines, type Io } from '../io.ts';
import { type ContractFlags, findContract, warnOfInvalidParts } from '../find-contract.ts';
import { withDocumentErrors } from '../print-error.ts';
import { addHeadersOfDocument } from './document-headers.ts';
import { isTarget, readTarget, type TargetFlags } from './find-target.ts';
import { keepRun } from './run-records.ts';

export interface GapsFlags extends ContractFlags, TargetFlags {}

/** The observed behavior of a target at gaps, by gap id. */
type Observed = ReadonlyMap<string, string>;

/**
 * Lists the gaps of a contract, with the observed behavior if a target is given. Returns the exit
 * code.
 */
export async function runGapsCommand(
  io: Io,
  {
    flags: given,
    first,
    second,
  }: {
    readonly flags: GapsFlags;
    readonly first: string | undefined;
    readonly second: string | undefined;
  },
): Promise<number> {
  const { targets } = await readConfigOnce(process.cwd(), given.config);
  const target = first !== undefined && isTarget(first, targets) ? first : undefined;
  const document = target === undefined ? (second ?? first) : second;
  const flags = await addHeadersOfDocument(io, { url: target, document }, given);
  return withDocumentErrors({ document, flags }, () => listGaps(io, flags, target, document));
}

async function listGaps(
  io: Io,
  flags: GapsFlags,
  target: string | undefined,
  document: string | undefined,
): Promise<number> {
  const chosen = await findContract(document, flags);
  warnOfInvalidParts(io, chosen.contract);
  if (target === undefined) {
    io.out(fitLines(formatGaps(chosen, undefined), io, 'out'));
    return exitCodes.passed;
  }
  const seen = await observe(io, chosen, target, flags);
  // Without a response there is no observation to print.
  io.out(
    fitLines(
      formatGaps(
        chosen,
        seen.unreached !== undefined && seen.observed.size === 0 ? undefined : seen.observed,
      ),
      io,
      'out',
    ),
  );
  if (seen.unreached !== undefined) io.err(`${cleanLine(seen.unreached)}\n`);
  if (io.signal.aborted) return exitCodes.interrupted;
  return seen.unreached === undefined ? exitCodes.passed : exitCodes.inconclusive;
}

/** Runs the plan without judging responses or confirming findings. */
async function observe(
  io: Io,
  chosen: ChosenContract,
  target: string,
  flags: GapsFlags,
): Promise<{ readonly observed: Observed; readonly unreached?: string | undefined }> {
  const observed = new Map<string, string>();
  let unreached: string | undefined;
  const keeping = keepRun(io, chosen.contract, { judges: false });
  const options = {
    ...readTarget(io, chosen, target, flags),
    only: [],
    signal: io.signal,
    ...defined({ hurry: io.hurry }),
    ...(keeping === undefined ? {} : { cleanupLedger: keeping.cleanupLedger }),
    clock: io.clock,
    version: readVersion(),
  };
  for await (const event of runCheck(options)) {
    keeping?.reporter.take(event);
    if (event.type === 'gap-observed') observed.set(event.gap.id, event.observed);
    if (event.type === 'record-left')
      io.err(
        fitLines(
          `Left behind: ${cleanLine(event.record)}: ${cleanLine(event.reason)}.\n`,
          io,
          'err',
        ),
      );
    if (event.type === 'run-finished' && event.summary.verdict !== 'passed')
      unreached = event.summary.reason;
  }
  await keeping?.reporter.finish();
  return { observed, unreached };
}

function formatGaps({ contract, config }: ChosenContract, observed: Observed | undefined): string {
  const told = contract.resources
    .flatMap((resource) => explainFacts(resource, contract.operations))
    .map(cleanLine);
  // A sentence may be about several resources.
  const facts = [...new Set(told)];
  const words = facts.length === 0 ? '' : `${['Read in descriptions:', ...facts].join('\n  ')}\n\n`;
  if (contract.gaps.length === 0) return `${words}${contract.file} has no gaps.\n`;
  const blocks = contract.gaps.map((gap) =>
    [
      `${gap.id}  ${formatPlace(contract.locate(gap.pointer))}`,
      `  ${gap.message}`,
      ...assumed(gap, config.mock.assume ?? []),
      ...seenAt(gap, observed),
    ].join('\n'),
  );
  const count = `${countOf(contract.gaps.length, 'gap')} in ${contract.file}.\n`;
  return `${words}${blocks.join('\n')}\n\n${count}`;
}

function assumed(
  gap: Gap,
  assumptions: NonNullable<ChosenContract['config']['mock']['assume']>,
): string[] {
  const of = assumptions.filter(({ operation }) => operation === gap.operation?.id);
  if (gap.kind === 'success-open')
    return of.flatMap(({ status, because }) =>
      status === undefined ? [] : [`  The mock answers ${String(status)}: ${because}.`],
    );
  if (gap.kind === 'payload-open')
    return of.flatMap(({ body, because }) =>
      body === undefined ? [] : [`  The mock answers ${stringifyJson(body)}: ${because}.`],
    );
  if (gap.kind !== 'default-unknown') return [];
  const field = gap.id.split('.').at(-2) ?? '';
  return of.flatMap((assumption) =>
    assumption.default?.[field] === undefined
      ? []
      : [`  The mock assumes ${stringifyJson(assumption.default[field])}: ${assumption.because}.`],
  );
}

function seenAt({ id }: Gap, observed: Observed | undefined): string[] {
  if (observed === undefined) return [];
  return [
    `  ${cleanLine(observed.has(id) ? `Observed: ${observed.get(id) ?? ''}` : 'Not observed.')}`,
  ];
}
