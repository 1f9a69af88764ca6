import type { HttpResponse } from '../../../http/message.ts';
import { unstored } from '../oauth-refusal.ts';

/** A self-contained HTML page. */
export interface HtmlPage {
  readonly status: number;
  readonly title: string;
  /** HTML; external texts must be escaped with `escapeHtml`. */
  readonly content: string;
  /** The allowed targets of its form; a browser counts redirects too. */
  readonly formTargets?: readonly string[];
}

/**
 * Writes a page that runs no script, loads nothing and cannot be framed (Content Security Policy,
 * level 3).
 */
export function htmlResponse({ status, title, content, formTargets = [] }: HtmlPage): HttpResponse {
  const policy = [
    "default-src 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  const html =
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta ' +
    'name="viewport" ' +
    `content="width=device-width">\n<title>${escapeHtml(title)}</` +
    `title>\n<h1>${escapeHtml(title)}</h1>\n${content}\n</html>\n`;
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policy],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Frame-Options', 'DENY'],
      ['Referrer-Policy', 'no-referrer'],
      ...unstored,
    ],
    body: new TextEncoder().encode(html),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element, or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A page with one sentence. */
export function messagePage(status: number, title: string, sentence: string): HttpResponse {
  return htmlResponse({ status, title, content: `<p>${escapeHtml(sentence)}</p>` });
}

/** The fields for name and password; the password only if it is verified. */
export function personFields(name: string, withPassword: boolean): string {
  const password = withPassword
    ? '<p><label>Password <input type="password" name="password" autocomplete="off"></label></p>\n'
    : '';
  return (
    `<p><label>User <input name="username" value="${escapeHtml(name)}" ` +
    `autocomplete="off" required></label></p>\n${password}<p><button ` +
    'name="action" value="allow">Allow</button> <button name="action" ' +
    'value="deny" formnovalidate>Deny</button></p>'
  );
}

/** A hidden form field. */
export function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}
