import { isForMachines } from './print-plan.ts';
import { severities } from '../../contract/model/severity.ts';
import type { Family } from '../../check/mutants/mutant.ts';
import { mutators } from '../../prove/mutators.ts';
import type { ProofEvent, ProofSummary } from '../../prove/proof.ts';
import { prove } from '../../prove/prove.ts';
import type { MutationResult, ProofFinding, ProofSettings } from '../../prove/run-mutation.ts';
import { countOf, formatDuration } from '../../text/counts.ts';
import { cleanLine, writeJson } from '../../text/safe-text.ts';
import { makeTextStyle } from '../../text/text-style.ts';
import { hangText, padText, wrapText } from '../../text/wrap-text.ts';
import { contractChoice, type ContractFlags } from '../find-contract.ts';
import { type Io, wantsColor } from '../io.ts';

/** The flags of `vouch check --prove`. */
export interface ProofFlags extends ContractFlags {
  readonly seed?: string;
  readonly minScore?: number;
  readonly reporter: readonly string[];
}

/**
 * Runs mutation testing of the check, prints the result and returns the verdict; `interrupted`
 * after a stop signal.
 */
export async function runProof(
  io: Io,
  flags: ProofFlags,
  {
    document,
    settings,
  }: { readonly document: string | undefined; readonly settings: Omit<ProofSettings, 'seed'> },
): Promise<'passed' | 'failed' | 'interrupted'> {
  const asJson = isForMachines(flags, 'proof');
  const results: MutationResult[] = [];
  const progress = startProgress(io);
  const page = { color: wantsColor(io, 'out'), width: io.width, minScore: flags.minScore };
  const reportStart = (event: Started): void => {
    if (!asJson) io.out(formatProofStart(event, page));
    progress.begin(event.mutations + event.variants);
  };
  const reportEnd = (summary: ProofSummary): void => {
    progress.end();
    io.out(asJson ? jsonProof(summary, results) : formatProof(summary, results, page));
  };
  let verdict: 'passed' | 'failed' = 'failed';
  try {
    for await (const event of prove({
      choice: { contract: document, ...contractChoice(flags) },
      settings: { ...settings, seed: flags.seed ?? 'proof' },
      signal: io.signal,
    })) {
      if (event.type === 'proof-started') reportStart(event);
      else if (event.type === 'task-done') {
        results.push(...(event.kind === 'mutation' ? [event.result] : []));
        progress.step();
      } else {
        verdict = isProved(event.summary, flags.minScore) ? 'passed' : 'failed';
        reportEnd(event.summary);
      }
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
    progress.end();
    io.err(interrupted(results.length));
    return 'interrupted';
  }
  return verdict;
}

function jsonProof(summary: ProofSummary, mutations: readonly MutationResult[]): string {
  return `${writeJson({ ...summary, mutations }, 2)}\n`;
}

function interrupted(mutations: number): string {
  return `Interrupted after ${countOf(mutations, 'mutation')}; a proof has no partial result.\n`;
}

/** Shows progress on a terminal; prints nothing elsewhere. */
function startProgress(io: Io): { begin(total: number): void; step(): void; end(): void } {
  let total = 0;
  let done = 0;
  let began = 0;
  const show = (): void => {
    const left =
      done < 5
        ? ''
        : `, about ${formatDuration(((io.clock().getTime() - began) / done) * (total - done))} ` +
          'left';
    if (io.isTTY.err)
      io.err(
        `\r\u001b[2K${String(done)} of ${String(total)} mutations and variants${left}`.slice(
          0,
          io.width + 4,
        ),
      );
  };
  return {
    begin: (count) => {
      total = count;
      began = io.clock().getTime();
      show();
    },
    step: () => {
      done += 1;
      show();
    },
    end: () => {
      if (io.isTTY.err) io.err('\r\u001b[2K');
    },
  };
}

type Started = Extract<ProofEvent, { readonly type: 'proof-started' }>;

const families: Readonly<Record<Family, string>> = {
  body: 'response bodies',
  status: 'statuses',
  header: 'headers and media types',
  validation: 'request validation',
  refusal: 'error responses',
  authentication: 'credentials',
  state: 'stored records',
  list: 'lists, filters and pages',
  transport: 'transport',
  time: 'time',
};

const familyOf = new Map(mutators.map(({ id, family }) => [id, family]));

/** Settings for the output of a proof. */
interface ProofPage {
  readonly color: boolean;
  readonly width: number;
  readonly minScore?: number | undefined;
}

/** Formats the header of a proof. */
export function formatProofStart(
  { contract, mutations, variants, requests }: Started,
  { width }: Pick<ProofPage, 'width'>,
): string {
  const sentence =
    `${countOf(mutations, 'mutation')} of the mock and ` +
    `${countOf(variants, 'conforming variant')}, about ` +
    `${countOf(requests, 'request')} each, all in this process.`;
  return (
    '\nvouch check --prove ' +
    `${cleanLine(contract.file)}\n\n${wrapText(sentence, width).join('\n')}\n\n`
  );
}

/**
 * Formats the result: a line for each family, then the mutations that survived, those without
 * coverage, equivalent ones, and false positives.
 */
export function formatProof(
  summary: ProofSummary,
  all: readonly MutationResult[],
  page: ProofPage,
): string {
  const style = makeTextStyle(page.color);
  const sections = [
    table(all),
    list(
      'Survived',
      summary.survived,
      (result) => `${result.mutator}: ${result.title}.${milder(result)}`,
      page,
    ),
    list(
      'No coverage: counted as not killed',
      summary.noCoverage,
      ({ mutator, title }) => `${mutator}: ${title}; no request of the run triggers it.`,
      page,
    ),
    list(
      'Equivalent: not counted',
      summary.equivalent,
      ({ mutator, title, reason = 'the contract leaves it open' }) =>
        `${mutator}: ${title}; cannot be observed, because ${reason}.`,
      page,
    ),
    list(
      'False positives',
      summary.falsePositives,
      ({ variant, rule, findings }) =>
        `${variant}: ${rule} Reported: ${findings.map(showFinding).join(' ')}`,
      page,
    ),
  ];
  const isPassed = isProved(summary, page.minScore);
  const [first = '', ...rest] = hangText(
    isPassed ? 'PASSED  ' : 'FAILED  ',
    conclusion(summary, page.minScore),
    page.width,
  );
  const word = isPassed ? style.green('PASSED') : style.red('FAILED');
  const lines = [
    sections.filter((section) => section !== '').join('\n'),
    first.replace(/^(PASSED|FAILED)/, word),
    ...rest,
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether a proof passes: no false positives, and a sufficient mutation score. */
export function isProved({ falsePositives, mutationScore }: ProofSummary, minScore = 0): boolean {
  return falsePositives.length === 0 && mutationScore >= minScore;
}

function table(all: readonly MutationResult[]): string {
  const rows = [...Map.groupBy(all, ({ mutator }) => familyOf.get(mutator) ?? 'body')];
  return rows
    .map(([family, results]) => {
      const counted = results.filter(({ status }) => status !== 'equivalent').length;
      const killed = results.filter(({ status }) => status === 'killed').length;
      return (
        `  ${padText(families[family], 30)} ${String(killed).padStart(4)} of ` +
        `${String(counted).padStart(4)} killed${mildly(results)}\n`
      );
    })
    .join('');
}

/**
 * Formats how many mutations were killed only by warnings or notes. They fail a run only with
 * `--fail-on warning` or `note`.
 */
function mildly(results: readonly MutationResult[]): string {
  const worst = results
    .filter(({ status }) => status === 'killed')
    .map(({ findings }) =>
      severities.find((severity) => findings.some((finding) => finding.severity === severity)),
    );
  const counts = (['warning', 'note'] as const).flatMap((severity) => {
    const count = worst.filter((one) => one === severity).length;
    return count === 0
      ? []
      : [`${String(count)} as ${count === 1 ? `a ${severity}` : `${severity}s`}`];
  });
  return counts.length === 0 ? '' : `, ${counts.join(' and ')} only`;
}

function list<Item>(
  title: string,
  items: readonly Item[],
  lineOf: (item: Item) => string,
  { width }: ProofPage,
): string {
  if (items.length === 0) return '';
  const lines = items.flatMap((item) => hangText('  ', cleanLine(lineOf(item)), width));
  return `${[title, ...lines].join('\n')}\n`;
}

/** The severity of the findings if it is below error. */
function milder({ findings, changedResponses }: MutationResult): string {
  const [first] = findings;
  if (first !== undefined) return ` Reported only as a ${first.severity}, by ${first.check}.`;
  return ` ${countOf(changedResponses, 'response')} changed, and no check reported it.`;
}

function showFinding({ severity, check, message }: ProofFinding): string {
  return `${severity} ${check}: ${message}`;
}

function conclusion(summary: ProofSummary, minScore: number | undefined): string {
  const {
    killed,
    survived,
    noCoverage,
    kinds,
    falsePositives,
    mutationScore,
    requests,
    durationMs,
  } = summary;
  const share =
    `${String(killed)} of ${countOf(killed + survived.length + noCoverage.length, 'mutation')} ` +
    `killed (${mutationScore.toFixed(1)} ` +
    `%${minScore === undefined ? '' : `; required: ${String(minScore)} %`}), ` +
    (noCoverage.length === 0 ? '' : `${String(noCoverage.length)} without coverage, `) +
    `of ${String(kinds.planted)} kinds`;
  const wrong =
    falsePositives.length === 0
      ? 'no false positives'
      : `false positives on ${countOf(falsePositives.length, 'variant')}`;
  return `${share}; ${wrong}. ${countOf(requests, 'request')} in ${formatDuration(durationMs)}.`;
}
