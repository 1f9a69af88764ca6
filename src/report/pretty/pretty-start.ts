import type { RunEffects, RunInfo } from '../../check/model/event.ts';
import type { Mode } from '../../check/model/phase.ts';
import { describeCredentialNote } from '../../check/secrets/credential-note.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { hangText } from '../../text/wrap-text.ts';
import type { EventOf } from '../run-record.ts';

/** The page that the parts of the pretty report are written on. */
export interface PrettyPage {
  readonly style: TextStyle;
  readonly width: number;
  readonly verbose: boolean;
  /** Whether it is a terminal, where long lines are wrapped. */
  readonly terminal: boolean;
  /** The command that starts vouch. */
  readonly program: string;
}

const modeWords: Readonly<Record<Mode, string>> = {
  'read-only': 'read-only (GET, HEAD and OPTIONS)',
  'read-write': 'read-write',
  fuzz: 'fuzz (read-write, with many more requests)',
};

/** What a run may leave on its target, in one line. */
export function effectText({ creates, undeletable, acts, named = [] }: RunEffects): string {
  const acted = acts.length === 0 ? '' : `; the effect of ${someOf(acts)} cannot be undone`;
  const called =
    named.length === 0 ? '' : `; its workflows name ${someOf(named)}, and change any record`;
  return `${creationText(creates, undeletable)}${acted}${called}`;
}

function creationText(creates: readonly string[], undeletable: readonly string[]): string {
  if (creates.length === 0) return 'creates no records';
  const made = `creates records of ${countOf(creates.length, 'kind')}`;
  if (undeletable.length === 0) return `${made} and deletes them`;
  const kept =
    undeletable.length === creates.length ? 'they' : `${String(undeletable.length)} of them`;
  return `${made}; ${kept} cannot be deleted (${someOf(undeletable)})`;
}

const maxNamed = 3;

function someOf(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${String(names.length - maxNamed)} more` : '';
  return `${names.slice(0, maxNamed).join(', ')}${more}`;
}

/** The command whose report it is. */
export function commandOf({ proxied }: Pick<RunInfo, 'proxied'>): string {
  return `vouch ${proxied === true ? 'proxy' : 'check'}`;
}

function recordingWords({ proxied }: RunInfo): string {
  return proxied === true ? 'proxy (only clients send)' : 'recording (nothing is sent)';
}

function effectsOf({ effects }: RunInfo): string {
  return effects === undefined ? '' : `: ${effectText(effects)}`;
}

/** What is checked, against what, and how. */
export function startLines(run: RunInfo, { style, width, verbose }: PrettyPage): string[] {
  const { contract, servers } = run;
  const named = `${contract.title} ${contract.version} · ${contract.file}`;
  const rows: readonly (readonly [word: string, text: string])[] = [
    ...(run.recorded === true
      ? [
          ['contract', named] as const,
          ['mode', `${recordingWords(run)} · vouch ${run.version}`] as const,
        ]
      : verbose
        ? [
            ['contract', named] as const,
            ['mode', modeWords[run.mode]] as const,
            ...(run.effects === undefined ? [] : [['effect', effectText(run.effects)] as const]),
            ['seed', `${run.seed} · run ${run.id} · vouch ${run.version}`] as const,
          ]
        : [
            ['contract', named] as const,
            ['mode', `${run.mode}${effectsOf(run)} · seed ${run.seed} · run ${run.id}`] as const,
          ]),
    ...(run.credentials ?? []).map((note) => ['auth', describeCredentialNote(note)] as const),
    ...(run.against === undefined
      ? []
      : [['against', `${run.against} (same requests; compared, not checked)`] as const]),
    ...Object.entries(servers).map(([name, url]) => ['server', `${name} at ${url}`] as const),
  ];
  return [
    '',
    `${style.bold(commandOf(run))} ${style.cyan(cleanLine(run.target))}`,
    '',
    ...rows.flatMap(([word, text]) =>
      hangText(`  ${style.dim(word.padEnd(9))} `, cleanLine(text), width),
    ),
  ];
}

type Skipped = EventOf<'operation-skipped'>;

/**
 * So many operations with one reason share one line; the list of operations names those marked ○.
 */
const fewestTogether = 3;

/** The operations that get no request, and why, in order; once for several with the same reason. */
export function skippedLines(skipped: readonly Skipped[], { style, width }: PrettyPage): string[] {
  const start = `  ${style.dim('skipped'.padEnd(9))} `;
  // A setting for one operation also works for all (`*`), so that several share the reason.
  const groups = Map.groupBy(skipped, ({ operation, reason }) =>
    reason.replace(
      `give one with targets.NAME.examples.${operation.id}.`,
      'give one for all with targets.NAME.examples.*.',
    ),
  );
  return [...groups].flatMap(([shared, members]) => {
    if (members.length >= fewestTogether)
      return hangText(
        start,
        `${String(members.length)} operations, marked ○ below: ${cleanLine(shared)}`,
        width,
      );
    return members.flatMap(({ operation, reason }) =>
      hangText(
        start,
        `${cleanLine(`${operation.method} ${operation.path}`)}: ${cleanLine(reason)}`,
        width,
      ),
    );
  });
}
