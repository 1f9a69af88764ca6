import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isTyping, showCurrentTab } from '../shared/elements.tsx';
import { countOf, decode, duration, visible } from '../shared/text.ts';
import { data, findings, run, summary } from './data.ts';
import { ExchangePage, ExchangesView } from './exchanges.tsx';
import type { Filter } from './facets.ts';
import {
  DifferencesView,
  FindingPage,
  FindingsView,
  observedCount,
  ObservedView,
} from './findings.tsx';
import { Fact, Printing, Spaced } from './list.tsx';
import { CoverageView, OperationPage, OperationsView } from './operations.tsx';
import { TimingView } from './timing.tsx';

/** A part of the report as in the address: `#/findings?severity=error`. */
interface Route {
  readonly name: string;
  readonly argument: string;
  readonly filter: Filter;
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/').map(decode);
  return {
    name: name === '' ? 'findings' : name,
    argument: rest.join('/'),
    filter: Object.fromEntries(new URLSearchParams(query)),
  };
}

function View({ name, argument, filter }: Route): VNode {
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

/** The head of the page: the verdict, the counts, and facts about the run. */
function PageHead(): VNode {
  return (
    <header class={`top ${summary.verdict}`}>
      <div class="title">
        <h1>
          <span class="verdict">{data.headline}</span> {data.reason}
        </h1>
        <ThemeChoice />
      </div>
      <Counts />
      {data.shut.length === 0 ? undefined : (
        <p class="counts">{`Not reached: ${data.shut.join('; ')}`}</p>
      )}
      <RunFacts />
    </header>
  );
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
      <Fact name="target">
        <b>{target}</b>
      </Fact>
      <Fact name="contract">{`${contract.title} ${contract.version} · ${contract.file}`}</Fact>
      {against === undefined ? undefined : <Fact name="against">{against}</Fact>}
      {Object.entries(servers).map(([name, url]) => (
        <Fact name="server">{`${name} at ${url}`}</Fact>
      ))}
      <Fact name="run">
        {`${id} · ${run.recorded === true ? 'a recording' : mode} · seed `}
        <code>{seed}</code>
        {`${part} · ${started} · vouch ${version}`}
      </Fact>
    </dl>
  );
}

/** Each theme with its name, and the media query for its dark colors. */
const themes = {
  system: { name: 'system colours', media: 'screen and (prefers-color-scheme: dark)' },
  light: { name: 'light', media: 'not all' },
  dark: { name: 'dark', media: 'screen' },
} as const;
type Theme = keyof typeof themes;

/** Light or dark: as the system, or as the reader chooses. Paper is always white. */
function ThemeChoice(): VNode {
  const [theme, setTheme] = useState(rememberedTheme);
  const rule = useRef<CSSMediaRule>(undefined);
  const wear = (chosen: Theme): void => {
    rule.current ??= darkRule();
    if (rule.current !== undefined) rule.current.media.mediaText = themes[chosen].media;
    document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen;
  };
  const choose = (chosen: Theme): void => {
    wear(chosen);
    setTheme(chosen);
    rememberTheme(chosen);
  };
  useLayoutEffect(() => wear(theme), []);
  useEffect(() => {
    const toggle = (): void => choose(isLight() ? 'dark' : 'light');
    window.addEventListener(toggleTheme, toggle);
    return () => window.removeEventListener(toggleTheme, toggle);
  }, []);
  return (
    <select
      class="theme"
      aria-label="Colours"
      value={theme}
      onChange={({ currentTarget: { value } }) => isTheme(value) && choose(value)}
    >
      {Object.entries(themes).map(([value, { name }]) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
}

/** The event of the window when the theme is toggled. */
const toggleTheme = 'vouch-toggle-theme';

/** The rule of the style sheet with the dark colors. */
function darkRule(): CSSMediaRule | undefined {
  return [...(document.styleSheets[0]?.cssRules ?? [])]
    .filter((rule) => rule instanceof CSSMediaRule)
    .find(({ media }) => media.mediaText.includes('prefers-color-scheme'));
}

function isLight(): boolean {
  return getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)';
}

function isTheme(value: string | null): value is Theme {
  return value !== null && Object.hasOwn(themes, value);
}

/** If the browser stores nothing for files, the choice lasts as long as the page. */
function rememberedTheme(): Theme {
  try {
    const known = localStorage.getItem('vouch-theme');
    return isTheme(known) ? known : 'system';
  } catch {
    return 'system';
  }
}

function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem('vouch-theme', theme);
  } catch {
    // As above.
  }
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
    { name: 'observed', title: 'Observed', count: observedCount },
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
      {tabs.map(({ name, title, count }) => (
        <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
          {title}
          {count === undefined ? undefined : (
            <span class="count">{` ${count.toLocaleString('en-US')}`}</span>
          )}
        </a>
      ))}
    </nav>
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
        <Printing.Provider value={printing}>
          <View key={visit} {...route} />
        </Printing.Provider>
      </main>
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
function show(printing = false): void {
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
  show();
  const [nav, view] = [find('.tabs'), find('#view')];
  showCurrentTab(nav);
  const top = Math.max(0, view.offsetTop - 2 * nav.offsetHeight);
  const isKnown = (history.state as { readonly known?: boolean } | null)?.known === true;
  window.scrollTo(0, isKnown ? (places.get(location.hash) ?? 0) : Math.min(window.scrollY, top));
  history.replaceState({ known: true }, '');
  view.focus({ preventScroll: true });
}

/** Opens everything for printing. */
function usePaper(): void {
  let opened: HTMLDetailsElement[] = [];
  window.addEventListener('beforeprint', () => {
    show(true);
    opened = [...root.querySelectorAll<HTMLDetailsElement>('#view details:not([open])')];
    for (const details of opened) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of opened.splice(0)) details.open = false;
  });
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

function start(): void {
  document.title = `${data.headline}: ${run === undefined ? 'vouch check' : visible(run.target)}`;
  document.getElementById('wait')?.replaceWith(root);
  show();
  showCurrentTab(find('.tabs'));
  history.scrollRestoration = 'manual';
  history.replaceState({ known: true }, '');
  window.addEventListener('hashchange', visitAddress);
  document.addEventListener('keydown', press);
  usePaper();
}

start();
