import { originOf } from '../../http/host.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Mock } from '../../mock/mock.ts';
import { basePathsOf, mountedPaths } from '../../mock/route/mounted-paths.ts';
import { demoKey, isKnownKey } from '../../mock/security/credentials.ts';
import { controlPrefix } from '../control/control-prefix.ts';
import { escapeHtml, pageAnswer, titleOf, wantsHtml } from './pages.ts';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:12vh auto 0;padding:0 1.5rem}
h1{font-size:1.5rem;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.5rem 1.5rem;margin:2rem 0}
dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
code{font:.9375em ui-monospace,monospace}
a{color:light-dark(#14532d,#86efac)}`;

/** Whether a browser asks for `/`, where the contract has no operation. */
export function isWelcome(
  { method, target, headers }: Omit<HttpRequest, 'body'>,
  mock: Mock,
): boolean {
  if (target !== '/' && !target.startsWith('/?')) return false;
  if ((method !== 'GET' && method !== 'HEAD') || !wantsHtml(headers)) return false;
  return hasStartPage(mock);
}

/** Whether the contract leaves `/` to the page. */
export function hasStartPage({ options: { contract, mounting } }: Pick<Mock, 'options'>): boolean {
  return !mountedPaths(contract, mounting?.base).some(([path]) => path === '' || path === '/');
}

/**
 * The page at the root of the port: what is served here, and where. It shows no key but that of a
 * mock that was given none.
 */
export function welcomePage(request: HttpRequest, { options }: Mock): HttpResponse {
  const { contract, mounting, keys, authentication } = options;
  const origin = (originOf(request) ?? '').toLowerCase();
  const bases = new Set(
    contract.operations.flatMap((operation) => basePathsOf(operation, mounting?.base)),
  );
  const isOpen =
    authentication === 'off' || contract.operations.every(({ security }) => security.length === 0);
  const rows = [
    ...[...bases].map((base) => ['Base URL', code(origin + base)]),
    [
      'Key',
      isOpen
        ? 'none needed'
        : isKnownKey(demoKey, keys)
          ? code(demoKey)
          : 'one of <code>mock.keys</code>',
    ],
    [
      'Console',
      `${link(`${controlPrefix}/`, 'requests and records')}; the terminal shows its token`,
    ],
    ['Documentation', link(`${controlPrefix}/docs`, 'the operations of the contract')],
  ];
  const title = titleOf(contract);
  const body = `<main>
<h1>${title}</h1>
<p>A mock of this contract, served by vouch.</p>
<dl>
${rows.map(([term = '', words = '']) => `<dt>${term}</dt><dd>${words}</dd>`).join('\n')}
</dl>
</main>`;
  const page = pageAnswer({ title: `${title} · vouch`, style, body });
  return { ...page, headers: [...page.headers, ['Cache-Control', 'no-store']] };
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function link(to: string, words: string): string {
  return `<a href="${escapeHtml(to)}">${escapeHtml(words)}</a>`;
}
