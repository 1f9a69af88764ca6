import { render, type VNode } from 'preact';
import { Fact, isTyping, showCurrentTab } from '../shared/elements.tsx';
import { countOf, decode, visible } from '../shared/text.ts';
import { CoverageView, Matrix } from './coverage.tsx';
import { areRowsReady, data, findings, run, summary } from './data.ts';
import { ExchangePage, ExchangesView } from './exchanges.tsx';
import type { Filter } from './facets.ts';
import { FindingPage, FindingsView, PaperFindings } from './findings.tsx';
import { PageHead, ShortHead, toggleTheme } from './head.tsx';
import { Reading } from './list.tsx';
import { DifferencesView, observedCount, ObservedView } from './observed.tsx';
import { OperationPage, OperationsView } from './operations.tsx';
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

/** The head is one line above everything but the list of findings. */
function isShort({ name }: Route): boolean {
  const [first, ...others] = tabs;
  return name !== first?.name && (name in lists || others.some((tab) => tab.name === name));
}

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
      {isShort(route) && !printing ? <ShortHead /> : <PageHead />}
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
          <Fact name={<kbd>{keys}</kbd>}>{what}</Fact>
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
