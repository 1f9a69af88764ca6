import type { EarlierRun } from '../../src/report/reporter.ts';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Theme, WithChildren } from '../shared/elements.tsx';
import { chooseTheme, Fact, readTheme, themes } from '../shared/elements.tsx';
import { countOf, duration, visible } from '../shared/text.ts';
import { data, findings, run, summary } from './data.ts';
import { Spaced } from './list.tsx';
import { PassBar } from './operations.tsx';

// `Failed: stopped after 30 requests`
const [verdict = '', ...stopped] = data.headline.split(': ');
const reason = [...stopped.map((clause) => `${capitalised(clause)}.`), data.reason].join(' ');
const sentence = leadSentence();

/** The head of the page: the verdict in a sentence, the operations as a bar, the counts. */
export function PageHead(): VNode {
  return (
    <header class={`top ${summary.verdict}`}>
      <div class="title">
        <h1>
          <span class="verdict">{verdict}</span> {sentence ?? reason}
        </h1>
        <ThemeChoice />
      </div>
      {sentence === undefined ? undefined : <p class="reason">{reason}</p>}
      <PassBar>
        <Counts />
      </PassBar>
      <Trend />
      <FoldedFacts />
      {data.shut.length === 0 ? undefined : (
        <details class="shut">
          <summary>{`${countOf(shutCount(), 'operation')} without a success, and why`}</summary>
          <ul class="plain">
            {data.shut.map((clause) => (
              <li>{clause}</li>
            ))}
          </ul>
        </details>
      )}
    </header>
  );
}

/** The head in one line: the verdict, the counts and the choice of colors. */
export function ShortHead(): VNode {
  return (
    <header class={`top short ${summary.verdict}`}>
      <h1>
        <span class="verdict">{verdict}</span> {sentence ?? reason}
      </h1>
      <Counts />
      <ThemeChoice />
    </header>
  );
}

function capitalised(clause: string): string {
  return clause.slice(0, 1).toUpperCase() + clause.slice(1);
}

/** The number of operations that the run could not reach. */
function shutCount(): number {
  const { reached = 0, total = 0 } = summary.reach ?? {};
  return total - reached;
}

/** A failed run in one sentence for readers who know nothing of checks. */
function leadSentence(): string | undefined {
  const { length: total } = summary.operations;
  const failed = summary.operations.filter(({ errors }) => errors > 0).length;
  if (summary.verdict !== 'failed' || failed === 0) return undefined;
  const verb = failed === 1 ? 'breaks' : 'break';
  return `${String(failed)} of ${countOf(total, 'operation')} ${verb} the contract.`;
}

function Counts(): VNode {
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length;
  const severities = (['error', 'warning', 'note'] as const).filter(
    (severity) => summary.findings[severity] > 0,
  );
  const cleanup =
    summary.cleanup === undefined ? '' : ` (${String(summary.cleanup)} of them clean-up)`;
  return (
    <p class="counts">
      <Spaced
        items={severities.map((severity) => (
          <a class={`badge ${severity}`} href={`#/findings?severity=${severity}`}>
            {countOf(summary.findings[severity], severity)}
          </a>
        ))}
      />
      {accepted === 0 ? undefined : (
        <>
          <a class="badge none" href="#/findings?baseline=accepted">
            {`${String(accepted)} accepted`}
          </a>{' '}
        </>
      )}
      {`${countOf(summary.requests, 'request')}${cleanup} in ${duration(summary.durationMs)}`}
    </p>
  );
}

/** The facts of the run: on a telephone they are below a button, which wider screens hide. */
function FoldedFacts(): VNode | null {
  const [isOpen, setOpen] = useState(false);
  if (run === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="facts"
        aria-expanded={isOpen}
        aria-controls="run"
        onClick={() => setOpen(!isOpen)}
      >
        About the run
      </button>
      <div id="run" class={isOpen ? undefined : 'folded'}>
        <RunFacts />
      </div>
    </>
  );
}

function RunFacts(): VNode | null {
  if (run === undefined) return null;
  const { target, contract, against, servers, id, mode, seed, shard, startedAt, version } = run;
  const part =
    shard === undefined ? '' : ` · shard ${String(shard.index)} of ${String(shard.count)}`;
  const started = startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return (
    <dl class="run">
      <RunFact name="target">
        <b>{target}</b>
      </RunFact>
      {against === undefined ? undefined : <RunFact name="against">{against}</RunFact>}
      {Object.entries(servers).map(([name, url]) => (
        <RunFact name="server">{`${name} at ${url}`}</RunFact>
      ))}
      <RunFact name="contract">
        {`${contract.title} ${contract.version} · ${contract.file}`}
      </RunFact>
      <RunFact name="run">
        {`${id} · ${run.recorded === true ? 'a recording' : mode} · seed `}
        <code>{seed}</code>
        {`${part} · ${started} · vouch ${version}`}
      </RunFact>
    </dl>
  );
}

/** A fact that stays in one piece where the line breaks. */
function RunFact(fact: WithChildren & { readonly name: string }): VNode {
  return (
    <div>
      <Fact {...fact} />
    </div>
  );
}

/** The themes by name. Paper is always white. */
const themeNames: Readonly<Record<Theme, string>> = {
  system: 'system colors',
  light: 'light',
  dark: 'dark',
};

/** Light or dark: as the system, or as the reader chooses. */
function ThemeChoice(): VNode {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme | undefined): void => {
    if (chosen === undefined) return;
    setTheme(chosen);
    chooseTheme(chosen);
  };
  useEffect(() => {
    const toggle = (): void => choose(isLight() ? 'dark' : 'light');
    window.addEventListener(toggleTheme, toggle);
    return () => window.removeEventListener(toggleTheme, toggle);
  }, []);
  return (
    <select
      class="theme"
      aria-label="Colors"
      value={theme}
      onChange={({ currentTarget: { value } }) => choose(themes.find((each) => each === value))}
    >
      {themes.map((value) => (
        <option value={value}>{themeNames[value]}</option>
      ))}
    </select>
  );
}

/** The event of the window when the theme is toggled. */
export const toggleTheme = 'vouch-toggle-theme';

function isLight(): boolean {
  return getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)';
}

/** A run as the trend shows it. */
type Point = Pick<EarlierRun, 'startedAt' | 'verdict' | 'errors' | 'warnings'>;

const size = { width: 10, gap: 3, height: 28 };

/** The errors of the last runs against this target as bars; nothing for a first run. */
function Trend(): VNode | null {
  const last = data.earlier.at(-1);
  if (run === undefined || last === undefined) return null;
  const { error: errors, warning: warnings } = summary.findings;
  const points: readonly Point[] = [
    ...data.earlier,
    { startedAt: run.startedAt, verdict: summary.verdict, errors, warnings },
  ];
  const max = Math.max(1, ...points.map((point) => point.errors));
  const step = size.width + size.gap;
  const width = points.length * step;
  return (
    <p class="trend">
      <svg
        role="img"
        aria-label={labelOf(points)}
        width={width}
        height={size.height}
        viewBox={`0 0 ${String(width)} ${String(size.height)}`}
      >
        {points.map((point, index) => {
          const height = Math.max(3, (point.errors / max) * size.height);
          return (
            <rect
              class={`fill ${point.verdict}`}
              x={index * step}
              y={size.height - height}
              width={size.width}
              height={height}
            >
              <title>{visible(wordsOf(point))}</title>
            </rect>
          );
        })}
      </svg>
      <span class="dim">
        {`Last ${String(points.length)} runs: ${comparison(errors - last.errors, last)}`}
      </span>
    </p>
  );
}

function labelOf(points: readonly Point[]): string {
  const numbers = points.map(({ errors }) => String(errors)).join(', ');
  return `Errors of ${countOf(points.length, 'run')}, oldest first: ${numbers}`;
}

function wordsOf({ startedAt, verdict: word, errors, warnings }: Point): string {
  const counts = `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`;
  return `${timeOf(startedAt)}: ${word}, ${counts}`;
}

/** How this run compares with the one before: `2 errors fewer than in the one before, of …`. */
function comparison(more: number, { startedAt }: Point): string {
  const before = `the one before, of ${timeOf(startedAt)}`;
  if (more === 0) return `as many errors as in ${before}`;
  return `${countOf(Math.abs(more), 'error')} ${more > 0 ? 'more' : 'fewer'} than in ${before}`;
}

function timeOf(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}
