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
    plugins: [testPanels],
    onComplete: () => void authorise(ui).catch(() => undefined),
  });
}

const place = document.getElementById('docs');
if (place !== null) start(place);
