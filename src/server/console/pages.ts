import { createHash } from 'node:crypto';
import type { Contract } from '../../contract/model.ts';
import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import type { ControlParts } from '../control/control-parts.ts';
import { controlPrefix } from '../control/control-prefix.ts';

/**
 * A page or one of its files; undefined for paths of the control API. Pages contain no secrets, so
 * they need no token.
 */
export async function findPage(
  request: HttpRequest,
  { mock, apart, services, login }: Pick<ControlParts, 'mock' | 'apart' | 'services' | 'login'>,
): Promise<HttpResponse | undefined> {
  const { method, target, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const entered = login.enter(request);
  if (entered !== undefined) return entered === 'used' ? usedPage() : entered;
  const path = target.split('?', 1)[0] ?? '';
  if (path.startsWith(`${controlPrefix}/reports/`))
    return reportPage(services.report?.(path.slice(`${controlPrefix}/reports/`.length)));
  if (!wantsHtml(headers)) return undefined;
  const { contract } = mock.options;
  switch (path) {
    case `${controlPrefix}/`:
      return consolePage(contract);
    case `${controlPrefix}/docs`:
      return docsPage(contract, apart);
    case controlPrefix:
      return moved(`${controlPrefix}/`);
    case `${controlPrefix}/docs/`:
      return moved(`${controlPrefix}/docs`);
    default:
      return undefined;
  }
}

/** Whether a client is a browser that opens a page. */
export function wantsHtml(headers: HttpRequest['headers']): boolean {
  return /\btext\/html\b/i.test(headerValue(headers, 'Accept') ?? '');
}

/** Redirects, because relative URLs in a page are resolved against its own URL. */
function moved(to: string): HttpResponse {
  return { status: 308, headers: [['Location', to]], body: emptyBody };
}

type Titled = Pick<Contract, 'title' | 'version'>;

const shape =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="8" cy="8" r="7" fill="#1b6e3c"/>' +
  '<path d="m4.5 8.2 2.4 2.4 4.6-5" stroke="#fff" stroke-width="1.8" fill="none"/></svg>';
/** Without an icon, browsers request `/favicon.ico`, which is a path of the contract. */
const icon = `data:image/svg+xml,${encodeURIComponent(shape)}`;

const wait = 'The console needs JavaScript, which is part of this page; it contacts only the mock.';

/** The console: script and style are inline, the data comes from the control API. */
async function consolePage(contract: Titled): Promise<HttpResponse> {
  const { script, style } = await import('#pages/console');
  const title = titleOf(contract);
  const body = `<p id="wait">${wait}</p>`;
  return pageAnswer({ title: `${title} · vouch`, data: title, style, body, script });
}

/** What a browser sees that comes with a link to the console which worked already. */
async function usedPage(): Promise<HttpResponse> {
  const { style } = await import('#pages/docs');
  const body = `<main class="lock">
<h1>This link was used already</h1>
<p>A link to the console works once, and the one that a key opened for a minute.</p>
<p>For a new one, press <kbd>o</kbd> in the terminal of the mock. Or open
<a href="${controlPrefix}/">the console</a> with the token that the terminal shows.</p>
</main>`;
  return {
    ...pageAnswer({ title: 'This link was used already · vouch', style, body }),
    status: 410,
  };
}

/** The title and the version of a contract, as the content of an element. */
export function titleOf({ title, version }: Titled): string {
  return escapeHtml(`${title} ${version}`);
}

/**
 * The report of a check, in which secrets are redacted. Only its id, which is a secret, leads to
 * it: a page that is opened in a new tab can send no token. It has its own policy for scripts.
 */
function reportPage(report: string | undefined): HttpResponse {
  if (report === undefined)
    return problemResponse(404, 'There is no such report, or not any more. Run the check again.');
  return htmlAnswer(report, "frame-ancestors 'none'");
}

/**
 * The documentation of a contract, whose data comes from the control API. If the mock is on another
 * port, the page sends no requests.
 */
async function docsPage(contract: Titled, apart: boolean): Promise<HttpResponse> {
  const { script, style } = await import('#pages/docs');
  const body = `<div id="docs" data-tries="${String(!apart)}"></div>`;
  return pageAnswer({ title: `${titleOf(contract)} · documentation`, style, body, script });
}

/** A page of one style sheet and at most one script; its other texts are HTML. */
interface PageParts {
  readonly title: string;
  /** The title of the contract, for the script. */
  readonly data?: string;
  readonly style: string;
  readonly body: string;
  readonly script?: string;
}

/** A page that other origins cannot frame or read, and that sends no referrer. */
export function pageAnswer({ title, data, style, body, script }: PageParts): HttpResponse {
  const html = `<!doctype html>
<html lang="en"${data === undefined ? '' : ` data-title="${data}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
  const scripts = [script === undefined ? "'none'" : hashOf(script)];
  return htmlAnswer(html, policyOf(scripts, [hashOf(style)]));
}

function htmlAnswer(html: string, policy: string): HttpResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cross-Origin-Resource-Policy', 'same-origin'],
      ['Content-Security-Policy', policy],
      ['X-Frame-Options', 'DENY'],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
    ],
    body: new TextEncoder().encode(html),
  };
}

function policyOf(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The CSP source expression of exactly this text (CSP 3, section 2.3.1). */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** A text as the content or an attribute of an element. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
