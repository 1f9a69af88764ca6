import { render, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationList, SessionList } from '../../src/server/console/console-api.ts';
import { isTyping, showCurrentTab } from '../shared/elements.tsx';
import { decode } from '../shared/text.ts';
import { CheckView } from './check.tsx';
import { call, Feed, prefix, token, TokenRefused } from './control-api.ts';
import { Button, Choice, Empty, Field, Form, openDialog, type Option } from './parts.tsx';
import { loadScenarios } from './scenarios.tsx';
import { loadSessions } from './sessions.tsx';
import { loadState } from './state.tsx';
import {
  type ConsoleApp,
  guarded,
  lock,
  messageOf,
  type Route,
  Toasts,
  tokenRefused,
} from './app.tsx';
import { TrafficView } from './traffic.tsx';
import { loadTry } from './try.tsx';

/** A part of the console and its loader. */
interface Part {
  readonly name: string;
  readonly title: string;
  readonly load: (route: Route, app: ConsoleApp) => VNode | Promise<VNode>;
}

const traffic: Part = {
  name: 'traffic',
  title: 'Traffic',
  load: ([, id], app) => (
    <TrafficView app={app} chosen={id === undefined ? undefined : Number(id)} />
  ),
};

/** The parts, in the order of their keys. */
const parts: readonly Part[] = [
  traffic,
  { name: 'state', title: 'State', load: loadState },
  { name: 'scenarios', title: 'Scenarios', load: loadScenarios },
  { name: 'sessions', title: 'Sessions', load: loadSessions },
  { name: 'try', title: 'Try it', load: loadTry },
  { name: 'check', title: 'Check', load: (_route, app) => <CheckView app={app} /> },
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
  // The list of exchanges stays while one of them is open beside it.
  return partOf(route) === traffic ? traffic.name : location.hash;
}

/** The console of one tab. */
class Console implements ConsoleApp {
  facts: OperationList = {
    operations: [],
    keys: [],
    services: [],
    origin: null,
    checks: false,
    contract: '',
  };
  session = sessionStorage.getItem('vouch-session') ?? 'default';
  readonly feed = new Feed();
  #sessions: readonly string[] = [];
  #shown: { readonly key: string; readonly content: VNode } | undefined;
  /** Why the token is required; undefined if it is not. */
  #locked: string | undefined;
  /** Whether the mock has accepted the token. */
  #isOpen = false;
  /** Counts loads: the result of an earlier load is discarded. */
  #turn = 0;
  #isFollowing = false;

  /** Starts with the token of this tab, or asks for one. */
  async start(): Promise<void> {
    if (token.get() === '') return this.lock('Enter the control token to look inside the mock.');
    this.facts = await call<OperationList>('GET', '/operations');
    await this.feed.reload();
    this.#locked = undefined;
    this.#isOpen = true;
    void guarded(() => this.loadSessions());
    await this.reload();
    if (!this.#isFollowing) void this.#follow();
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
    const { sessions } = await call<SessionList>('GET', '/sessions');
    this.#sessions = sessions.map(({ name }) => name);
    this.draw();
  }

  /** Asks for the token. The URL that the mock prints at startup contains it. */
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
          sessions={[...new Set(['default', ...this.#sessions, this.session])]}
          content={this.#shown?.content}
          contentKey={this.#shown?.key}
        />
      ) : (
        <Lock why={this.#locked} enter={() => this.start()} />
      ),
      root,
    );
  }
}

interface PageProps {
  readonly app: Console;
  readonly sessions: readonly string[];
  readonly content: VNode | undefined;
  readonly contentKey: string | undefined;
}

function Page({ app, sessions, content, contentKey }: PageProps): VNode {
  const focusView = (event: Event): void => {
    event.preventDefault();
    root.querySelector<HTMLElement>('#view')?.focus();
  };
  return (
    <>
      <header>
        <a class="skip" href="#view" onClick={focusView}>
          To the content
        </a>
        <div class="brand">
          <b>vouch</b>
          <span class="dim">{title}</span>
        </div>
        <Light live={app.feed.live} />
        <div class="chooser">
          <Choice
            label="Session"
            options={[
              ...sessions.map((name): Option => [name, `Session ${name}`]),
              ['+', 'A new session…'],
            ]}
            value={app.session}
            change={(value) => (value === '+' ? newSession(app) : changeSession(app, value))}
          />
        </div>
        <Button class="quiet" aria-label="Keys" act={showKeys}>
          ?
        </Button>
      </header>
      <Tabs />
      <main id="view" tabIndex={-1}>
        {content === undefined ? undefined : <View key={contentKey} content={content} />}
      </main>
      <Toasts />
    </>
  );
}

/** The current view; a change of its key makes it anew. */
function View({ content }: { readonly content: VNode }): VNode {
  return content;
}

function Tabs(): VNode {
  const current = partOf(readRoute());
  return (
    <nav aria-label="Parts of the console">
      {parts.map((part) => (
        <a href={`#/${part.name}`} aria-current={part === current ? 'page' : undefined}>
          {part.title}
        </a>
      ))}
      <a href={`${prefix}/docs`}>Docs</a>
    </nav>
  );
}

/** Whether the connection to the journal is live. */
function Light({ live }: Pick<Feed, 'live'>): VNode {
  const words = { live: 'live', connecting: 'connecting', lost: 'not connected' };
  return (
    <span class={`light ${live}`} role="status">
      {words[live]}
    </span>
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

interface LockProps {
  readonly why: string;
  readonly enter: () => Promise<void>;
}

/** The form for the token. */
function Lock({ why, enter }: LockProps): VNode {
  const [given, setGiven] = useState('');
  const submit = (): Promise<void> => {
    token.set(given.trim().replace(/^.*#(?:token=)?/, ''));
    return enter();
  };
  return (
    <>
      <main class="lock">
        <h1>{title}</h1>
        <p>{why}</p>
        <Form class="card" submit={submit}>
          <Field label="Control token">
            <input
              type="password"
              autocomplete="off"
              required
              placeholder="the token, or the whole address"
              value={given}
              onInput={({ currentTarget }) => setGiven(currentTarget.value)}
            />
          </Field>
          <p class="dim">
            The mock shows it in the terminal when it starts, under “console”. It opens this mock on
            this machine alone, until it stops.
          </p>
          <div class="actions">
            <a href={`${prefix}/docs`}>Documentation</a>
            <button type="submit" class="primary">
              Enter
            </button>
          </div>
        </Form>
      </main>
      <Toasts />
    </>
  );
}

const keys = [
  [`1 to ${String(parts.length)}`, 'the parts of the console'],
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
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
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
  const selector = '.exchange-row, .plain-link, .scenario input, .finding > summary';
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

function press(event: KeyboardEvent): void {
  const { key, target } = event;
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  if (isChord || document.querySelector('dialog[open]') !== null) return;
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox';
  if (isTyping(event) && !isBox) {
    if (key === 'Escape' && target instanceof HTMLElement) target.blur();
    return;
  }
  const part = parts[Number(key) - 1];
  if (part !== undefined) location.hash = `#/${part.name}`;
  else if (key === '/') {
    event.preventDefault();
    document.getElementById('search')?.focus();
  } else if (Object.hasOwn(actions, key)) actions[key]?.();
}

function start(): void {
  const app = new Console();
  app.feed.listen(({ kind }) => {
    if (kind === 'live') app.draw();
  });
  document.addEventListener('keydown', press);
  window.addEventListener(tokenRefused, (event) => {
    app.lock(event instanceof CustomEvent ? String(event.detail) : '');
  });
  window.addEventListener('hashchange', () => {
    const before = token.get();
    token.takeFromAddress();
    void guarded(() => (token.get() === before ? app.reload() : app.start()));
  });
  token.takeFromAddress();
  document.getElementById('wait')?.replaceWith(root);
  void guarded(() => app.start());
}

start();
