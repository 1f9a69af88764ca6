import type { OperationList, RequestSamples } from '../../src/server/console/console-api.ts';

/** The parts of Swagger UI that this page uses; its bundle is loaded before this script. */
declare function SwaggerUIBundle(options: SwaggerOptions): SwaggerUI;

interface SwaggerOptions {
  readonly domNode: HTMLElement;
  readonly url: string;
  readonly validatorUrl: null;
  readonly deepLinking: boolean;
  readonly displayRequestDuration: boolean;
  readonly tryItOutEnabled: boolean;
  readonly persistAuthorization: boolean;
  readonly requestSnippetsEnabled: boolean;
  /** The methods that can be sent; default: all. */
  readonly supportedSubmitMethods?: readonly string[];
  readonly plugins: readonly ((system: SwaggerSystem) => object)[];
  readonly onComplete: () => void;
}

interface SwaggerSystem {
  getState(): { getIn(path: readonly string[]): unknown };
  readonly React: {
    createElement(name: unknown, props: object | null, ...children: readonly unknown[]): unknown;
    readonly Fragment: unknown;
  };
}

interface SwaggerUI {
  readonly specSelectors: {
    securityDefinitions(): { toJS(): Readonly<Record<string, SecurityScheme>> } | undefined;
  };
  preauthorizeApiKey(name: string, key: string): void;
  preauthorizeBasic(name: string, user: string, password: string): void;
}

/** Of OpenAPI 2.0 or 3.x. */
interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function useSystemColours(): void {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

/** An operation has no test panel where the contract says `x-test-panel: false`. */
function testPanels(system: SwaggerSystem): object {
  type Allow = (state: unknown, path: string, method: string) => boolean;
  const allowTryItOutFor =
    (original: Allow): Allow =>
    (state, path, method) => {
      const place = ['spec', 'json', 'paths', path, method, 'x-test-panel'];
      return system.getState().getIn(place) !== false && original(state, path, method);
    };
  return { statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } } };
}

/** Names are text: a link within the button of an operation is out of reach for the keyboard. */
function plainNames({ React }: SwaggerSystem): object {
  const DeepLink = (): unknown => (props: { readonly text: string }) =>
    React.createElement('span', null, props.text);
  return { wrapComponents: { DeepLink } };
}

/** Each open operation starts with an example of its request as code. */
function requestSamples({ React }: SwaggerSystem): object {
  interface Props {
    readonly pathMethod: readonly [path: string, method: string];
  }
  // The same function each time: React calls a new one again.
  const fillers = new Map<string, (node: HTMLElement | null) => void>();
  const fillerOf = ([path, method]: Props['pathMethod']): ((node: HTMLElement | null) => void) => {
    const name = `${method} ${path}`;
    const filler =
      fillers.get(name) ??
      ((node) => {
        if (node?.childElementCount === 0) void showSamples(node, path, method.toUpperCase());
      });
    fillers.set(name, filler);
    return filler;
  };
  const parameters = (Original: unknown) => (props: Props) =>
    React.createElement(
      React.Fragment,
      null,
      React.createElement('div', { className: 'samples', ref: fillerOf(props.pathMethod) }),
      React.createElement(Original, props),
    );
  return { wrapComponents: { parameters } };
}

const languages = { curl: 'Shell', javascript: 'JavaScript', python: 'Python' } as const;
type Language = keyof typeof languages;
const languageNames = Object.keys(languages) as Language[];

/** Shows the samples of an operation; nothing if the mock does not have them. */
async function showSamples(place: HTMLElement, path: string, method: string): Promise<void> {
  const url = new URL('samples', location.href);
  url.search = new URLSearchParams({ method, path }).toString();
  const response = await fetch(url, { credentials: 'omit' });
  if (!response.ok) return;
  const samples = (await response.json()) as RequestSamples;
  const key = await readKey().catch(() => undefined);
  const textOf = (language: Language): string =>
    key === undefined ? samples[language] : samples[language].replaceAll('YOUR_KEY', () => key);
  const code = make('code', '', textOf('curl'));
  const pre = make('pre', '');
  pre.tabIndex = 0;
  pre.append(code);
  const choice = document.createElement('select');
  choice.ariaLabel = 'Language of the example';
  choice.append(...languageNames.map((name) => new Option(languages[name], name)));
  choice.addEventListener('change', () => {
    code.textContent = textOf(languageNames.find((name) => name === choice.value) ?? 'curl');
  });
  const head = make('div', 'samples-head');
  head.append(make('h4', '', 'Example request'), choice, copyButton(code));
  place.replaceChildren(head, pre);
}

/** Copies the code; selects it where the browser does not allow that. */
function copyButton(code: HTMLElement): HTMLElement {
  const button = make('button', '', 'Copy');
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent).then(
      () => (button.textContent = 'Copied'),
      () => getSelection()?.selectAllChildren(code),
    );
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  return button;
}

/** An operation of the sidebar: its link, and the words by which it is found. */
interface Entry {
  readonly item: HTMLElement;
  readonly words: string;
}

/** The operations by tag, as Swagger UI shows them. Texts of the contract stay texts. */
function fillSidebar(list: HTMLElement): readonly Entry[] {
  const entries: Entry[] = [];
  for (const section of document.querySelectorAll('.opblock-tag-section')) {
    const tag = section.querySelector<HTMLElement>('.opblock-tag')?.dataset['tag'] ?? '';
    const group = make('li', 'group');
    const items = make('ul', '');
    for (const block of section.querySelectorAll<HTMLElement>('.opblock')) {
      const entry = entryOf(block, tag);
      entries.push(entry);
      items.append(entry.item);
    }
    if (items.childElementCount === 0) continue;
    group.append(make('strong', '', tag), items);
    list.append(group);
  }
  return entries;
}

function entryOf(block: HTMLElement, tag: string): Entry {
  const textOf = (part: string): string =>
    block.querySelector(`.opblock-summary-${part}`)?.textContent?.trim() ?? '';
  const method = textOf('method');
  const path = block.querySelector<HTMLElement>('[data-path]')?.dataset['path'] ?? '';
  const summary = textOf('description');
  const link = make('a', block.classList.contains('opblock-deprecated') ? 'deprecated' : '');
  link.setAttribute('href', `#${encodeURIComponent(block.id)}`);
  const place = make('code', '', `${method} ${path}`);
  link.append(make('span', '', summary === '' ? path : summary), place);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    openOperation(block);
  });
  const item = make('li', '');
  item.append(link);
  return { item, words: `${method} ${path} ${summary} ${block.id} ${tag}`.toLowerCase() };
}

/** Opens the operation, and the group that has it, and brings it into view. */
function openOperation(block: HTMLElement): void {
  const button = block.querySelector<HTMLElement>('.opblock-summary-control');
  if (button?.ariaExpanded === 'false') button.click();
  button?.focus({ preventScroll: true });
  requestAnimationFrame(() => block.scrollIntoView({ block: 'start' }));
}

function make(name: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}

/** Shows the operations that have all words of the search; the number of them is announced. */
function startSearch(entries: readonly Entry[]): void {
  const search = document.querySelector<HTMLInputElement>('#search');
  const status = document.querySelector('#found');
  search?.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = entries.filter((entry) => words.every((word) => entry.words.includes(word)));
    for (const { item } of entries) item.hidden = true;
    for (const { item } of found) item.hidden = false;
    for (const group of document.querySelectorAll<HTMLElement>('.group'))
      group.hidden = group.querySelector('li:not([hidden])') === null;
    if (status !== null)
      status.textContent = `${String(found.length)} of ${String(entries.length)} operations`;
  });
}

/** Names the parts that Swagger UI leaves without a name, and orders the headings of the contract. */
function improveOutline(): void {
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
  for (const [part, name] of [
    ['.information-container', 'About'],
    ['.schemes-server-container', 'Server and credentials'],
  ] as const) {
    const region = document.querySelector(part);
    region?.setAttribute('role', 'region');
    region?.setAttribute('aria-label', name);
  }
  for (const heading of document.querySelectorAll('.info :is(h1, h2, h3, h4, h5, h6)'))
    if (heading.closest('.renderedMarkdown') !== null) heading.ariaLevel = '2';
}

/** Names the choices of examples, which appear when an operation opens. */
function nameChoices(place: HTMLElement): void {
  new MutationObserver(() => {
    for (const choice of place.querySelectorAll('.examples-select-element:not([aria-label])'))
      choice.ariaLabel = 'Example';
  }).observe(place, { childList: true, subtree: true });
}

/** Called once the contract is shown. */
function complete(ui: SwaggerUI): void {
  const list = document.querySelector<HTMLElement>('#operations-list');
  if (list?.childElementCount === 0) startSearch(fillSidebar(list));
  improveOutline();
  void authorise(ui).catch(() => undefined);
}

/** Fills in a key of the mock if the console was opened in this tab before. */
async function authorise(ui: SwaggerUI): Promise<void> {
  const key = await readKey();
  if (key === undefined) return;
  const schemes = ui.specSelectors.securityDefinitions()?.toJS() ?? {};
  for (const [name, { type, scheme }] of Object.entries(schemes)) {
    const kind = type === 'http' ? scheme : type;
    if (kind === 'apiKey' || kind === 'bearer') ui.preauthorizeApiKey(name, key);
    else if (kind === 'basic') ui.preauthorizeBasic(name, 'user', key);
  }
}

async function readKey(): Promise<string | undefined> {
  const token = sessionStorage.getItem('vouch-control-token');
  if (token === null) return undefined;
  const response = await fetch(new URL('operations', location.href), {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'omit',
    cache: 'no-store',
  });
  if (!response.ok) return undefined;
  const { keys } = (await response.json()) as OperationList;
  return keys[0];
}

function start(domNode: HTMLElement): void {
  dark.addEventListener('change', useSystemColours);
  useSystemColours();
  nameChoices(domNode);
  const ui = SwaggerUIBundle({
    domNode,
    url: new URL('contract.json', location.href).href,
    validatorUrl: null,
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: false,
    persistAuthorization: false,
    requestSnippetsEnabled: true,
    ...(domNode.dataset['tries'] === 'true' ? {} : { supportedSubmitMethods: [] }),
    plugins: [testPanels, plainNames, requestSamples],
    onComplete: () => complete(ui),
  });
}

const place = document.getElementById('docs');
if (place !== null) start(place);
