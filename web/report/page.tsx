import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  chooseTheme,
  isTyping,
  readTheme,
  showCurrentTab,
  type Theme,
  themes,
  type WithChildren,
} from '../shared/elements.tsx';
import { countOf, decode, duration, visible } from '../shared/text.ts';
import { CoverageView, Matrix } from './coverage.tsx';
import { areRowsReady, data, findings, run, summary } from './data.ts';
import { ExchangePage, ExchangesView } from './exchanges.tsx';
import type { Filter } from './facets.ts';
import { FindingPage, FindingsView, PaperFindings } from './findings.tsx';
import { Fact, Reading, Spaced } from './list.tsx';
import { DifferencesView, observedCount, ObservedView } from './observed.tsx';
import { OperationPage, OperationsView, PassBar } from './operations.tsx';
import { TimingView } from './timing.tsx';

/** A part of the report as in the address: `#/findings?severity=error`. */
interface Route {
  readonly name: string;
  readonly argument: string;
  readonly filter: Filter;
}

/** `#finding-ID` is the address of a finding; it is also the id of its element in a list. */
function readRoute(): Route {
  const [, finding] = /^#finding-(.*)/s.exec(location.hash) ?? [];
  if (finding !== undefined) return { name: 'finding', argument: decode(finding), filter: {} };
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/').map(decode);
  return {
    name: name === '' ? 'findings' : name,
    argument: rest.join('/'),
    filter: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The parts that show exchanges, or durations of them. */
const partsWithRows = ['operations', 'operation', 'exchanges', 'exchange', 'timing'];

function View({ name, argument, filter }: Route): VNode {
  if (partsWithRows.includes(name) && !areRowsReady()) return <Reading />;
  switch (name) {
    case 'finding':
      return <FindingPage id={argument} />;
    case 'operations':
      return <OperationsView filter={filter} />;
    case 'operation':
      return <OperationPage id={argument} />;
    case 'coverage':
      return <CoverageView filter={filter} />;
    case 'exchanges':
      return <ExchangesView filter={filter} />;
    case 'exchange':
      return <ExchangePage number={Number(argument)} />;
    case 'timing':
      return <TimingView />;
    case 'observed':
      return <ObservedView />;
    case 'differences':
      return <DifferencesView />;
    default:
      return <FindingsView filter={filter} />;
  }
}

/** The head of the page: the verdict in a sentence, the operations as a bar, the counts. */
function PageHead(): VNode {
  const sentence = leadSentence();
  // `Failed: stopped after 30 requests`
  const [verdict = '', ...stopped] = data.headline.split(': ');
  const reason = [...stopped.map((clause) => `${capitalised(clause)}.`), data.reason].join(' ');
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
      <RunFacts />
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
const toggleTheme = 'vouch-toggle-theme';

function isLight(): boolean {
  return getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)';
}

const isCompared = run?.against !== undefined || data.differences.length > 0;

/** The parts of the report, in the order of their keys. */
const tabs: readonly { readonly name: string; readonly title: string; readonly count?: number }[] =
  [
    { name: 'findings', title: 'Findings', count: findings.length },
    { name: 'operations', title: 'Operations', count: summary.operations.length },
    { name: 'coverage', title: 'Coverage' },
    { name: 'exchanges', title: 'Exchanges', count: data.exchanges },
    { name: 'timing', title: 'Timing' },
    { name: 'observed', title: 'Gaps and leftovers', count: observedCount },
    ...(isCompared
      ? [{ name: 'differences', title: 'Differences', count: data.differences.length }]
      : []),
  ];

/** The list of each page with a single item. */
const lists: Readonly<Record<string, string>> = {
  finding: 'findings',
  operation: 'operations',
  exchange: 'exchanges',
};

function Tabs({ current }: { readonly current: string }): VNode {
  return (
    <nav class="tabs" aria-label="Parts of the report">
      {tabs.map(({ name, title, count }) => {
        const number = count === undefined ? '' : ` ${count.toLocaleString('en-US')}`;
        return (
          <a
            href={`#/${name}`}
            aria-current={name === current ? 'page' : undefined}
            data-bold={title + number}
          >
            {title}
            {number === '' ? undefined : <span class="count">{number}</span>}
          </a>
        );
      })}
    </nav>
  );
}

/** What is printed below the head: the findings and the matrix, without exchanges. */
function Paper(): VNode {
  const operations = summary.coverage?.operations ?? [];
  return (
    <div class="paper">
      <h2>{countOf(findings.length, 'finding')}</h2>
      <PaperFindings />
      {operations.length === 0 ? undefined : (
        <>
          <h2>Coverage</h2>
          <Matrix operations={operations} />
        </>
      )}
    </div>
  );
}

interface PageProps {
  readonly route: Route;
  /** Counts the visited addresses: each is rendered anew. */
  readonly visit: number;
  readonly printing: boolean;
}

function Page({ route, visit, printing }: PageProps): VNode {
  return (
    <>
      <PageHead />
      <Tabs current={lists[route.name] ?? route.name} />
      <main id="view" tabIndex={-1}>
        <View key={visit} {...route} />
      </main>
      {printing ? <Paper /> : undefined}
      <footer class="dim">
        Made by vouch. Press <kbd>?</kbd> for keys.
      </footer>
      <Help />
    </>
  );
}

const keyNames = [
  [`1 to ${String(tabs.length)}`, 'the parts of the report'],
  ['/', 'search'],
  ['j, k', 'next and previous finding, exchange or page'],
  ['Enter', 'open or close it'],
  ['t', 'light or dark'],
  ['Esc', 'out of the search, which stays'],
  ['?', 'this help'],
];

function Help(): VNode {
  return (
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keyNames.map(([keys, what]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button autofocus>Close</button>
      </form>
    </dialog>
  );
}

const root = document.createElement('div');
root.id = 'page';
let visit = 0;

/** Renders the address before it returns. */
export function showPage(printing = false): void {
  render(<Page route={readRoute()} visit={visit} printing={printing} />, root);
}

function find(selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

function findHelp(): HTMLDialogElement {
  return find('#help') as HTMLDialogElement;
}

/** The scroll position of each address when it was left. */
const places = new Map<string, number>();

/** Going back restores the scroll position; a new address starts just below the tabs. */
function visitAddress({ oldURL }: HashChangeEvent): void {
  places.set(new URL(oldURL).hash, window.scrollY);
  visit += 1;
  showPage();
  const [nav, view] = [find('.tabs'), find('#view')];
  showCurrentTab(nav);
  const top = Math.max(0, view.offsetTop - 2 * nav.offsetHeight);
  const isKnown = (history.state as { readonly known?: boolean } | null)?.known === true;
  window.scrollTo(0, isKnown ? (places.get(location.hash) ?? 0) : Math.min(window.scrollY, top));
  history.replaceState({ known: true }, '');
  view.focus({ preventScroll: true });
}

/** Paper has the verdict, the findings and the matrix, wherever the reader is. */
function usePaper(): void {
  window.addEventListener('beforeprint', () => showPage(true));
  window.addEventListener('afterprint', () => showPage());
}

/** Moves from a single item to the next one; in a list to the next item, then to the next page. */
function moveTo(step: 1 | -1): void {
  const view = find('#view');
  const items = [
    ...view.querySelectorAll<HTMLElement>('.finding > summary, .list > details > summary'),
  ];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = items[at === -1 && step < 0 ? -1 : at + step];
  if (view.querySelector('.steps') === null && next !== undefined) next.focus();
  else view.querySelector<HTMLElement>(`a[rel=${step > 0 ? 'next' : 'prev'}]`)?.click();
}

/** The action of a key; undefined if it has none. */
function actionOf(key: string): (() => void) | undefined {
  const tab = tabs[Number(key) - 1];
  if (tab !== undefined)
    return () => {
      location.hash = `#/${tab.name}`;
    };
  const actions: Readonly<Record<string, () => void>> = {
    j: () => moveTo(1),
    k: () => moveTo(-1),
    '?': () => findHelp().showModal(),
    t: () => window.dispatchEvent(new Event(toggleTheme)),
    '/': () => document.getElementById('search')?.focus(),
  };
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}

function press(event: KeyboardEvent): void {
  if (findHelp().open) return;
  const isCommand = !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event));
  if (isCommand) {
    const act = actionOf(event.key);
    if (act === undefined) return;
    act();
  } else if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
  else return;
  event.preventDefault();
}

/** Shows the page for the first time, and listens to the reader. */
export function startPage(): void {
  document.title = `${data.headline}: ${run === undefined ? 'vouch check' : visible(run.target)}`;
  document.getElementById('wait')?.replaceWith(root);
  showPage();
  showCurrentTab(find('.tabs'));
  history.scrollRestoration = 'manual';
  history.replaceState({ known: true }, '');
  window.addEventListener('hashchange', visitAddress);
  document.addEventListener('keydown', press);
  usePaper();
}
