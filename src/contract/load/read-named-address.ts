import { usage, VouchError } from '../../errors.ts';
import type { LoadOptions } from './gather-documents.ts';
import { isSameOrigin, readAddress, type RequestHeaders } from './read-address.ts';
import { shownSource } from './source.ts';

/** A document that was fetched, and where it was in the end: relative references start there. */
export interface FetchedText {
  readonly url: URL;
  readonly text: string;
  /** The headers that may go to this place. */
  readonly headers: RequestHeaders;
}

/** A document that a user names may be large, and made when it is asked for. */
const limits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 30_000 };

/**
 * Fetches the document whose address a user names. Follows redirects on its host, and to the hosts
 * that references may lead to; `documentHeaders` go to its host alone. Throws a VouchError that
 * says why it cannot be fetched.
 */
export async function readNamedAddress(
  source: string,
  { allowRefHosts = [], documentHeaders = {} }: LoadOptions,
): Promise<FetchedText> {
  const url = readUrl(source);
  const hosts = new Set(allowRefHosts.map((host) => host.toLowerCase()));
  const reading = await readAddress(url, {
    ...limits,
    headers: documentHeaders,
    mayFollow: (next) => next.host === url.host || hosts.has(next.host) || hosts.has(next.hostname),
  });
  if (!reading.ok) throw unreadable(source, reading, documentHeaders);
  if (isPage(reading)) throw isNoDocument(source);
  const headers = isSameOrigin(url, reading.url) ? documentHeaders : {};
  return { url: reading.url, text: reading.text, headers };
}

function readUrl(source: string): URL {
  const url = URL.parse(source);
  if (url === null)
    throw usage(`${source} is not a valid URL.`, {
      hint: 'Write the address of the document, such as https://api.example.com/openapi.yaml.',
    });
  if (url.username !== '' || url.password !== '')
    throw usage(`The URL of the contract on ${url.host} contains a password.`, {
      hint: `Remove it from the URL. ${headerHint}`,
    });
  url.hash = '';
  return url;
}

const headerHint =
  'Send a credential with --header, which takes it from an environment variable; vouch check ' +
  'sends it to a document only where the target serves that: else curl … | vouch check URL -';

function unreadable(
  source: string,
  { reason, status }: { readonly reason: string; readonly status?: number },
  headers: RequestHeaders,
): VouchError {
  const isRefused = status === 401 || status === 403;
  const hint = !isRefused
    ? 'Check the address: open it in a browser, or with curl.'
    : Object.keys(headers).length === 0
      ? `The document is protected. ${headerHint}`
      : 'The document is protected, and what the given headers say is not enough.';
  const code = status === 404 || status === 410 ? 'contract-missing' : 'contract-unreadable';
  return new VouchError(code, `${shownSource(source)} cannot be read: ${reason}.`, { hint });
}

/** Pages that show a document are often taken for it. */
function isPage({ type, text }: { readonly type: string; readonly text: string }): boolean {
  return type.toLowerCase().startsWith('text/html') && text.trimStart().startsWith('<');
}

function isNoDocument(source: string): VouchError {
  return new VouchError(
    'contract-not-openapi',
    `${shownSource(source)} is a web page, not an OpenAPI document.`,
    { hint: 'Name the document itself; such pages load it, often from /openapi.json.' },
  );
}
