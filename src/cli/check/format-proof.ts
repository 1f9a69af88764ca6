import type { Family } from '../../prove/deviation.ts';
import { operators } from '../../prove/operators/index.ts';
import type { ProofEvent, ProofSummary } from '../../prove/proof.ts';
import type { DeviationResult, ProofFinding } from '../../prove/run-deviation.ts';
import { countOf, formatDuration } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { makeTextStyle } from '../../text/text-style.ts';
import { hangText, padText, wrapText } from '../../text/wrap-text.ts';

type Started = Extract<ProofEvent, { readonly type: 'proof-started' }>;

const families: Readonly<Record<Family, string>> = {
  body: 'bodies of answers',
  status: 'statuses',
  header: 'headers and media types',
  validation: 'what is let in, and kept out',
  refusal: 'how it refuses',
  authentication: 'credentials',
  state: 'what is kept',
  list: 'lists, filters and pages',
  transport: 'the wire',
  time: 'time',
};

const familyOf = new Map(operators.map(({ id, family }) => [id, family]));

/** How a proof is printed. */
export interface ProofPage {
  readonly color: boolean;
  readonly width: number;
  readonly minCaught?: number;
}

/** What is about to be proved. */
export function formatProofStart(
  { contract, deviations, tempers, requests }: Started,
  { width }: Pick<ProofPage, 'width'>,
): string {
  const told = `${countOf(deviations, 'deviation')} of the mock, and ${countOf(tempers, 'temper')} of it that keep the contract: about ${countOf(requests, 'request')} each, none over a network.`;
  return `\nvouch check --prove ${cleanLine(contract.file)}\n\n${wrapText(told, width).join('\n')}\n\n`;
}

/**
 * The outcome: a line for each family, then what would slip through, what could not be shown, and
 * false alarms.
 */
export function formatProof(
  summary: ProofSummary,
  all: readonly DeviationResult[],
  page: ProofPage,
): string {
  const style = makeTextStyle(page.color);
  const sections = [
    table(all),
    list(
      'Would slip through',
      summary.missed,
      (result) => `${result.operator}: ${result.title}.${milder(result)}`,
      page,
    ),
    list(
      'Never came to show',
      summary.dormant,
      ({ operator, title, hidden }) =>
        `${operator}: ${title}; ${hidden === undefined ? 'no request of the run meets it' : `cannot be shown, because ${hidden}`}.`,
      page,
    ),
    list(
      'False alarms',
      summary.falseAlarms,
      ({ temper, rule, alarms }) =>
        `${temper}: ${rule} It got ${alarms.map(showFinding).join(' ')}`,
      page,
    ),
  ];
  const sure = isProved(summary, page.minCaught);
  const [first = '', ...rest] = hangText(
    sure ? 'PROVED  ' : 'NOT PROVED  ',
    conclusion(summary, page.minCaught),
    page.width,
  );
  const word = sure ? style.green('PROVED') : style.red('NOT PROVED');
  return `${sections.filter((section) => section !== '').join('\n')}\n${[first.replace(/^(NOT )?PROVED/, word), ...rest].join('\n')}\n`;
}

/** Whether a proof holds: no false alarm, and enough caught. */
export function isProved({ falseAlarms, caughtPercent }: ProofSummary, minCaught = 0): boolean {
  return falseAlarms.length === 0 && caughtPercent >= minCaught;
}

function table(all: readonly DeviationResult[]): string {
  const rows = [...Map.groupBy(all, ({ operator }) => familyOf.get(operator) ?? 'body')];
  return rows
    .map(([family, results]) => {
      const shown = results.filter(({ fate }) => fate !== 'dormant').length;
      const caught = results.filter(({ fate }) => fate === 'caught').length;
      return `  ${padText(families[family], 30)} ${String(caught).padStart(4)} of ${String(shown).padStart(4)} caught${mildly(results)}\n`;
    })
    .join('');
}

/**
 * How many were caught by less than an error: only who fails on warnings, or on notes, is stopped
 * by them.
 */
function mildly(results: readonly DeviationResult[]): string {
  const worst = results
    .filter(({ fate }) => fate === 'caught')
    .map(({ findings }) =>
      (['error', 'warning', 'note'] as const).find((severity) =>
        findings.some((finding) => finding.severity === severity),
      ),
    );
  const told = (['warning', 'note'] as const).flatMap((severity) => {
    const count = worst.filter((one) => one === severity).length;
    return count === 0
      ? []
      : [`${String(count)} as ${count === 1 ? `a ${severity}` : `${severity}s`}`];
  });
  return told.length === 0 ? '' : `, ${told.join(' and ')} only`;
}

function list<Item>(
  title: string,
  items: readonly Item[],
  words: (item: Item) => string,
  { width }: ProofPage,
): string {
  if (items.length === 0) return '';
  return `${title}\n${items.flatMap((item) => hangText('  ', cleanLine(words(item)), width)).join('\n')}\n`;
}

/** What was said, but not loud enough. */
function milder({ findings, fired }: DeviationResult): string {
  const [first] = findings;
  if (first !== undefined) return ` Only told as a ${first.severity}, by ${first.check}.`;
  return fired === 0 ? '' : ` ${countOf(fired, 'answer')} came out otherwise, and no check minded.`;
}

function showFinding({ severity, check, message }: ProofFinding): string {
  return `${severity} ${check}: ${message}`;
}

function conclusion(summary: ProofSummary, minCaught: number | undefined): string {
  const { caught, missed, kinds, falseAlarms, caughtPercent, requests, durationMs } = summary;
  const share = `${String(caught)} of ${countOf(caught + missed.length, 'deviation')} would be caught (${caughtPercent.toFixed(1)} %${minCaught === undefined ? '' : `; ${String(minCaught)} % are asked for`}), of ${String(kinds.planted)} kinds`;
  const alarms =
    falseAlarms.length === 0
      ? 'no false alarm'
      : `false alarms against ${countOf(falseAlarms.length, 'temper')}`;
  return `${share}; ${alarms}. ${countOf(requests, 'request')} in ${formatDuration(durationMs)}.`;
}
