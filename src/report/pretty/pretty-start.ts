import type { Mode, RunInfo } from '../../check/event.ts';
import type { EventOf } from '../run-record.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { hangText } from '../../text/wrap-text.ts';

/** What the parts of the pretty report need to know of the page that they are written on. */
export interface Page {
  readonly style: TextStyle;
  readonly width: number;
  readonly verbose: boolean;
  /** Whether it is a terminal, and long lines are broken. */
  readonly terminal: boolean;
  /** How whoever reads it starts vouch. */
  readonly program: string;
}

const modeWords: Readonly<Record<Mode, string>> = {
  'read-only': 'read-only (GET, HEAD and OPTIONS)',
  'read-write': 'read-write (creates records, and deletes what it created)',
  fuzz: 'fuzz (read-write, with volume)',
};

/** What is checked, against what, and how. */
export function startLines(run: RunInfo, { style, width }: Page): string[] {
  const { contract, servers } = run;
  const rows: readonly (readonly [word: string, text: string])[] = [
    ['contract', `${contract.title} ${contract.version} · ${contract.file}`],
    ...(run.recorded === true ? [['mode', `a recording (nothing is sent) · vouch ${run.version}`] as const] : [['mode', modeWords[run.mode]] as const, ['seed', `${run.seed} · run ${run.id} · vouch ${run.version}`] as const]),
    ...(run.against === undefined ? [] : [['against', `${run.against} (the same requests; it is compared, not judged)`] as const]),
    ...Object.entries(servers).map(([name, url]) => ['server', `${name} at ${url}`] as const),
  ];
  return [
    '',
    `${style.bold('vouch check')} ${style.cyan(cleanLine(run.target))}`,
    '',
    ...rows.flatMap(([word, text]) => hangText(`  ${style.dim(word.padEnd(9))} `, cleanLine(text), width)),
  ];
}

/** An operation that gets no request, and why. */
export function skippedLines({ operation, reason }: EventOf<'operation-skipped'>, { style, width }: Page): string[] {
  const name = `${operation.method} ${operation.path}`;
  return hangText(`  ${style.dim('skipped'.padEnd(9))} `, `${cleanLine(name)}: ${cleanLine(reason)}`, width);
}
