import { render, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationList, SessionList } from '../../src/server/console/console-api.ts';
import { takeKey } from '../shared/console-key.ts';
import { decode } from '../shared/text.ts';
import { applyTheme, Fact, isTyping, readTheme, showCurrentTab } from '../shared/elements.tsx';
import { Icon } from '../shared/icons.tsx';
import { ThemeSwitch } from '../shared/theme-switch.tsx';
import { CheckView } from './check.tsx';
import { call, Feed, TokenRefused } from './control-api.ts';
import { findCommands } from './found-commands.ts';
import { commandsOf, openPalette } from './palette.tsx';
import { Button, Choice, Empty, Form, openDialog, type Option } from './parts.tsx';
import { loadFaults } from './faults.tsx';
import { loadScenarios } from './scenarios.tsx';
import { loadSessions } from './sessions.tsx';
import type { MockControls, RailItem } from './shell.tsx';
import { Brand, Light, loadControls, Lock, Rail, StateBar } from './shell.tsx';
import { loadState } from './state.tsx';
import type { ConsoleApp, Route } from './app.tsx';
import { guarded, lock, messageOf, Toasts, tokenRefused } from './app.tsx';
import { TrafficView } from './traffic.tsx';
import { loadTry } from './try.tsx';

/** A page of the console and its loader. */
interface Part extends RailItem {
  readonly load: (route: Route, app: ConsoleApp) => VNode | Promise<VNode>;
}

const traffic: Part = {
  name: 'traffic',
  title: 'Traffic',
  load: ([, id], app) => (
    <TrafficView app={app} chosen={id === undefined ? undefined : Number(id)} />
  ),
};

/** The pages, in the order of their keys. */
const parts: readonly Part[] = [
  traffic,
  { name: 'records', title: 'Records', load: loadState },
  { name: 'scenarios', title: 'Scenarios', load: loadScenarios },
  { name: 'faults', title: 'Faults', load: loadFaults },
  { name: 'check', title: 'Check', load: (_route, app) => <CheckView app={app} /> },
  { name: 'try', title: 'Try', load: loadTry },
  { name: 'sessions', title: 'Sessions', load: loadSessions },
];

function readRoute(): Route {
  return location.hash.replace(/^#\/?/, '').split('/').map(decode);
}

function partOf([name]: Route): Part {
  return parts.find((part) => part.name === name) ?? traffic;
}

const title = document.documentElement.dataset['title'] ?? '';
const root = document.createElement('div');
root.id = 'page';

/** Part of the key of a view: a change of the address makes a new view. */
function keyOf(route: Route): string {
  const part = partOf(route);
  // The list stays while one of its exchanges or operations is open beside it.
  return part === traffic || part.name === 'try' ? part.name : location.hash;
}

class Console implements ConsoleApp {
  facts: OperationList = {
    operations: [],
    keys: [],
    services: [],
    origin: null,
    checks: false,
    checkAccess: { key: null, fromEnvironment: false, schemes: [] },
    contract: '',
  };
  session = 'default';
  readonly feed = new Feed();
  #sessions: readonly string[] = [];
  /** The session that the start page gave this browser. */
  #own: string | null = null;
  #controls: MockControls | undefined;
  #shown: { readonly key: string; readonly content: VNode } | undefined;
  /** Why the token is required; undefined if it is not. */
  #locked: string | undefined;
  /** Whether the mock has let this browser in. */
  #isOpen = false;
  /** Counts loads: the result of an earlier load is discarded. */
  #turn = 0;
  #isFollowing = false;

  /** Starts, unless the mock does not know this browser: then the page asks for the token. */
  async start(): Promise<void> {
    this.facts = await call<OperationList>('GET', '/operations');
    await this.feed.reload();
    this.#locked = undefined;
    this.#isOpen = true;
    await guarded(() => this.loadSessions());
    await this.reload();
    if (!this.#isFollowing) void this.#follow();
  }

  /** Reads what is on, which requests to the control API can change too. */
  async loadControls(): Promise<void> {
    if (!this.#isOpen || document.hidden) return;
    this.#controls = await loadControls(this);
    this.draw();
  }

  /** Loads the part in the address and shows it. */
  async reload(): Promise<void> {
    if (!this.#isOpen) return;
    this.#turn += 1;
    const turn = this.#turn;
    const route = readRoute();
    const part = partOf(route);
    document.title = `${part.title} · ${title}`;
    this.draw();
    void this.loadControls().catch(() => {});
    showCurrentTab(root.querySelector('nav'));
    const content = await this.#load(part, route);
    if (turn !== this.#turn) return;
    this.#shown = { key: keyOf(route), content };
    this.draw();
    root.querySelector('#view .exchange-row[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  async #load(part: Part, route: Route): Promise<VNode> {
    try {
      return await part.load(route, this.#snapshot());
    } catch (error) {
      if (error instanceof TokenRefused) lock(error.message);
      return (
        <Empty>
          <p class="big">{messageOf(error)}</p>
          <Button act={() => this.reload()}>Try again</Button>
        </Empty>
      );
    }
  }

  /** The data of a view does not change when another session is selected. */
  #snapshot(): ConsoleApp {
    const { facts, session, feed } = this;
    return {
      ...{ facts, session, feed },
      reload: () => this.reload(),
      chooseSession: (name) => this.chooseSession(name),
    };
  }

  chooseSession(name: string): void {
    this.session = name;
    sessionStorage.setItem('vouch-session', name);
    this.draw();
    void guarded(() => this.loadSessions());
  }

  async loadSessions(): Promise<void> {
    const { sessions, browser } = await call<SessionList>('GET', '/sessions');
    this.#sessions = sessions.map(({ name }) => name);
    this.#own = browser;
    this.session = sessionStorage.getItem('vouch-session') ?? browser ?? 'default';
    this.draw();
  }

  /** Reads again what may have changed while another page was before this one. */
  async comeBack(): Promise<void> {
    if (!this.#isOpen || document.hidden) return;
    const before = this.session;
    await this.loadSessions();
    await (this.session === before ? this.loadControls() : this.reload());
  }

  /** Asks for the token, which the mock prints when it starts. */
  lock(why: string): void {
    this.#turn += 1;
    this.#locked = why;
    this.#isOpen = false;
    this.#shown = undefined;
    this.draw();
    root.querySelector<HTMLInputElement>('.lock input')?.focus();
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    await guarded(() => this.feed.follow());
    this.#isFollowing = false;
  }

  draw(): void {
    render(
      this.#locked === undefined ? (
        <Page
          app={this}
          sessions={[
            ...new Set(['default', ...this.#sessions, this.#own ?? [], this.session].flat()),
          ]}
          own={this.#own}
          controls={this.#controls}
          content={this.#shown?.content}
          contentKey={this.#shown?.key}
        />
      ) : (
        <Lock title={title} why={this.#locked} enter={() => this.start()} />
      ),
      root,
    );
  }
}

interface PageProps {
  readonly app: Console;
  readonly sessions: readonly string[];
  /** The session of this browser. */
  readonly own: string | null;
  readonly controls: MockControls | undefined;
  readonly content: VNode | undefined;
  readonly contentKey: string | undefined;
}

function Page({ app, sessions, own, controls, content, contentKey }: PageProps): VNode {
  const focusView = (event: Event): void => {
    event.preventDefault();
    root.querySelector<HTMLElement>('#view')?.focus();
  };
  return (
    <>
      <a class="skip" href="#view" onClick={focusView}>
        To the content
      </a>
      <header class="rail">
        <Brand>
          <span title={title}>{title}</span>
        </Brand>
        <SessionChooser app={app} sessions={sessions} own={own} />
        <Rail items={parts} current={partOf(readRoute()).name} />
        <div class="rail-foot">
          <Light live={app.feed.live} />
          <ThemeSwitch />
        </div>
      </header>
      <TopBar app={app} controls={controls} />
      <main id="view" tabIndex={-1}>
        {content === undefined ? (
          <p class="empty" role="status">
            Loading…
          </p>
        ) : (
          <View key={contentKey} content={content} />
        )}
      </main>
    </>
  );
}

function SessionChooser({
  app,
  sessions,
  own,
}: Pick<PageProps, 'app' | 'sessions' | 'own'>): VNode {
  const names = sessions.map((name): Option => [
    name,
    name === own ? `This browser: ${name}` : `Session ${name}`,
  ]);
  return (
    <div class="chooser">
      <Choice
        label="Session"
        options={[...names, ['+', 'A new session…']]}
        value={app.session}
        change={(value) => (value === '+' ? newSession(app) : changeSession(app, value))}
      />
    </div>
  );
}

/** What is on, messages, the palette and the keys. */
function TopBar({ app, controls }: Pick<PageProps, 'app' | 'controls'>): VNode {
  return (
    <div class="top">
      <StateBar app={app} controls={controls} />
      <Toasts />
      <Button class="find" act={() => openCommands(app)}>
        <Icon name="search" />
        <span>Search or run</span>
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      <Button class="quiet" aria-label="Keys" title="Keyboard shortcuts" act={showKeys}>
        ?
      </Button>
    </div>
  );
}

/** The current view; a change of its key makes it anew. */
function View({ content }: { readonly content: VNode }): VNode {
  return content;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

function openCommands(app: Console): void {
  openPalette(
    commandsOf(app, parts, [
      { icon: 'sessions', kind: 'Action', title: 'Use a new session', act: () => newSession(app) },
      { icon: 'search', kind: 'Action', title: 'Keyboard shortcuts', act: showKeys },
    ]),
    () => findCommands(app),
  );
}

function changeSession(app: Console, name: string): void {
  app.chooseSession(name);
  void app.reload();
}

function newSession(app: Console): void {
  openDialog('A new session', (dialog) => (
    <NewSession
      choose={(name) => {
        dialog.close();
        changeSession(app, name);
      }}
    />
  ));
  // Restores the selection of the current session.
  app.draw();
}

function NewSession({ choose }: { readonly choose: (name: string) => void }): VNode {
  const [name, setName] = useState('');
  return (
    <>
      <Form class="inline" submit={() => choose(name)}>
        <input
          aria-label="Name of the session"
          pattern="[A-Za-z0-9._\-]{1,64}"
          required
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary">
          Use it
        </button>
      </Form>
      <p class="dim">
        1 to 64 letters, digits, dots, underscores and hyphens. It begins with the records of the
        fixtures.
      </p>
    </>
  );
}

const keys = [
  [isMac ? '⌘K' : 'Ctrl K', 'find a page, a record, an operation or an action'],
  [`1 to ${String(parts.length)}`, 'the pages of the console'],
  ['/', 'search'],
  ['j, k', 'next and previous'],
  ['Enter', 'open it'],
  ['Esc', 'close it'],
  ['p', 'pause the traffic'],
  ['?', 'this help'],
];

function showKeys(): void {
  openDialog('Keys', (dialog) => (
    <>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <Fact name={<kbd>{key}</kbd>}>{what}</Fact>
        ))}
      </dl>
      <div class="actions">
        <Button act={() => dialog.close()}>Close</Button>
      </div>
    </>
  ));
}

/** Moves the focus to the next or previous item of a list. */
function moveTo(step: 1 | -1): void {
  const selector =
    '.exchange-row, .run-row, .operation-row, .plain-link, .scenario input, .finding > summary';
  const items = [...root.querySelectorAll<HTMLElement>('#view')].flatMap((view) => [
    ...view.querySelectorAll<HTMLElement>(selector),
  ]);
  const focused = items.findIndex((item) => item === document.activeElement);
  const at = focused === -1 ? items.findIndex((item) => item.ariaCurrent !== null) : focused;
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus();
}

function closeExchange(): void {
  const route = readRoute();
  if (partOf(route) === traffic && route[1] !== undefined) location.hash = '#/traffic';
}

const actions: Readonly<Record<string, () => void>> = {
  j: () => moveTo(1),
  k: () => moveTo(-1),
  p: () => document.getElementById('pause')?.click(),
  '?': showKeys,
  Escape: closeExchange,
};

function press(app: Console, event: KeyboardEvent): void {
  const { key, target } = event;
  if (document.querySelector('dialog[open]') !== null) return;
  if (isPaletteKey(event) && document.querySelector('.lock') === null) {
    event.preventDefault();
    openCommands(app);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox';
  if (isTyping(event) && !isBox) {
    if (key === 'Escape' && target instanceof HTMLElement) target.blur();
  } else pressShortcut(event);
}

function isPaletteKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey);
}

function pressShortcut(event: KeyboardEvent): void {
  const { key } = event;
  const part = parts[Number(key) - 1];
  if (part !== undefined) location.hash = `#/${part.name}`;
  else if (key === '/') {
    event.preventDefault();
    document.getElementById('search')?.focus();
  } else if (Object.hasOwn(actions, key)) actions[key]?.();
}

const controlsIntervalMs = 4000;

function start(): void {
  applyTheme(readTheme());
  const app = new Console();
  app.feed.listen(({ kind }) => {
    if (kind === 'live') app.draw();
  });
  document.addEventListener('keydown', (event) => press(app, event));
  document.addEventListener('visibilitychange', () => void app.comeBack().catch(() => {}));
  setInterval(() => void app.loadControls().catch(() => {}), controlsIntervalMs);
  window.addEventListener(tokenRefused, (event) => {
    app.lock(event instanceof CustomEvent ? String(event.detail) : '');
  });
  window.addEventListener('hashchange', () => {
    void guarded(() => (takeKey('#/traffic') ? app.start() : app.reload()));
  });
  takeKey('#/traffic');
  document.getElementById('wait')?.replaceWith(root);
  void guarded(() => app.start());
}

start();
