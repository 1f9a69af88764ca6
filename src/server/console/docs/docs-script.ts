/**
 * Starts the documentation: the contract as it was loaded, no validator of others, the mock's keys
 * where the console was opened before, and no test panel for an operation that says `x-test-panel:
 * false`.
 */
export const docsScript = String.raw`(() => {
'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();
const root = document.getElementById('docs');
const canTry = root.dataset.tries === 'true';
const hasPanel = (system, path, method) => system.getState().getIn(['spec', 'json', 'paths', path, method, 'x-test-panel']) !== false;
const ui = SwaggerUIBundle({
  domNode: root,
  url: new URL('contract.json', location.href).href,
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  ...(canTry ? {} : { supportedSubmitMethods: [] }),
  plugins: [(system) => ({ statePlugins: { spec: { wrapSelectors: { allowTryItOutFor: (original) => (state, path, method) => hasPanel(system, path, method) && original(state, path, method) } } } })],
  onComplete: () => { authorise().catch(() => undefined); },
});

async function authorise() {
  const token = sessionStorage.getItem('vouch-control-token');
  if (token === null) return;
  const response = await fetch(new URL('operations', location.href), { headers: { Authorization: 'Bearer ' + token }, credentials: 'omit', cache: 'no-store' });
  if (!response.ok) return;
  const [key] = (await response.json()).keys;
  if (key === undefined) return;
  const schemes = ui.specSelectors.securityDefinitions()?.toJS() ?? {};
  for (const [name, scheme] of Object.entries(schemes)) {
    if (scheme.type === 'apiKey' || (scheme.type === 'http' && scheme.scheme === 'bearer')) ui.preauthorizeApiKey(name, key);
    else if (scheme.type === 'basic' || (scheme.type === 'http' && scheme.scheme === 'basic')) ui.preauthorizeBasic(name, 'user', key);
  }
}
})();
`;
