import { createHash } from 'node:crypto';
import type { HeaderList, HttpResponse } from '../../http/message.ts';

/** What a page of the console may load and do, as a Content-Security-Policy has it. */
export interface PageRules {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly images: readonly string[];
}

/** The source expression that lets in this very text and no other (CSP 3, section 2.3.1). */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** A page: no other origin gets to load it into a frame, to read it, or to hear of it. */
export function pageAnswer(html: string, rules: PageRules): HttpResponse {
  return fileAnswer(new TextEncoder().encode(html), 'text/html; charset=utf-8', [
    ['Content-Security-Policy', policyOf(rules)],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ]);
}

/** A file that belongs to a page. */
export function fileAnswer(
  body: Uint8Array,
  mediaType: string,
  headers: HeaderList = [],
): HttpResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', mediaType],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cross-Origin-Resource-Policy', 'same-origin'],
      ...headers,
    ],
    body,
  };
}

function policyOf({ scripts, styles, images }: PageRules): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    `img-src ${images.length === 0 ? "'none'" : images.join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
