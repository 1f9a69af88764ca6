import type { OperationList } from '../../src/server/console/console-api.ts';

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
  readonly React: { createElement(name: string, props: null, text: string): unknown };
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
    plugins: [testPanels, plainNames],
    onComplete: () => complete(ui),
  });
}

const place = document.getElementById('docs');
if (place !== null) start(place);
