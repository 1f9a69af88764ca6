import { curlBody, curlField, shellQuote } from '../../http/curl.ts';
import { decodeBase64Text, type HttpRequest } from '../../http/message.ts';
import type { Redact } from '../journal/redact.ts';

/** What a command needs besides the request. */
export interface CurlContext {
  /** Scheme, host and port of the mock. */
  readonly origin: string;
  readonly redact: Pick<Redact, 'headers' | 'target' | 'text'>;
  /** The keys of the mock. They are no secrets: the banner shows them. */
  readonly keys: readonly string[];
  /** Whether the command names the browser, by which the mock knows how to answer. */
  readonly names?: boolean;
}

const redacted = '[redacted]';

/** Headers that curl writes itself, or that only a browser sends. */
const unsent = new RegExp(
  '^(host|content-length|transfer-encoding|connection|accept-encoding' +
    '|accept-language|sec-.*|origin|referer)$',
  'i',
);

/**
 * A command for a POSIX shell that sends a request again. The keys of the mock stay, so that it
 * works as it is; the shell fills in any other credential from `$VOUCH_TOKEN`. A body that is not
 * text is piped into curl.
 */
export function writeCurl(request: HttpRequest, context: CurlContext): string {
  const { method, headers } = request;
  const sent = headers.filter(
    ([name, value]) =>
      !unsent.test(name) &&
      !(/^accept$/i.test(name) && value === '*/*') &&
      (context.names === true || !/^user-agent$/i.test(name)),
  );
  const target = showTarget(request.target, context);
  const body = curlBody({ headers: sent, body: request.body }, (text) =>
    shellQuote(context.redact.text(text)),
  );
  const words = [
    'curl',
    ...(/[[\]{}]/.test(target.replaceAll(redacted, '')) ? ['-g'] : []),
    ...methodWords(method, body.words.length > 0),
    ...sent.flatMap(([name, value]) => ['-H', headerWord(name, value, context)]),
    ...body.words,
    shellWord(context.origin + target),
  ];
  return body.pipe + words.join(' ');
}

function methodWords(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['-I'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', method];
}

function headerWord(name: string, value: string, context: CurlContext): string {
  return shellWord(curlField(name, value === '' ? '' : showHeader(name, value, context)));
}

function showHeader(name: string, value: string, { redact, keys }: CurlContext): string {
  const [[, shown = ''] = []] = redact.headers([[name, value]]);
  if (!shown.includes(redacted)) return value;
  if (/^cookie$/i.test(name)) return showCookies(value, keys);
  if (credentialsIn(value).some((each) => keys.includes(each))) return value;
  return /^authorization$/i.test(name) ? `${schemeOf(value)} ${redacted}` : shown;
}

function schemeOf(value: string): string {
  return /^([A-Za-z]+) /.exec(value)?.[1] ?? 'Bearer';
}

/** The credentials that a header can hold: its value, a bearer token, or a password (RFC 7617). */
function credentialsIn(value: string): string[] {
  const [, scheme = '', given = ''] = /^(\S+) +(.*)$/s.exec(value) ?? [];
  if (!/^basic$/i.test(scheme)) return [value, given];
  const pair = decodeBase64Text(given) ?? '';
  return [pair, pair.slice(pair.indexOf(':') + 1)];
}

function showCookies(value: string, keys: readonly string[]): string {
  const pairs = value.split(/; */).map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return keys.includes(rest.join('=')) ? pair : `${name}=${redacted}`;
  });
  return pairs.join('; ');
}

function showTarget(target: string, { redact, keys }: CurlContext): string {
  const [path = '', ...rest] = target.split('?');
  const query = rest.join('?');
  if (query === '') return redact.target(target);
  const pieces = query.split('&').map((piece) => {
    const [[, value = ''] = []] = [...new URLSearchParams(piece)];
    return keys.includes(value) ? piece : redact.target(`?${piece}`).slice(1);
  });
  return `${redact.target(path)}?${pieces.join('&')}`;
}

/** One word of a shell, with the token where a credential was redacted. */
function shellWord(text: string): string {
  const parts = text.split(redacted);
  if (parts.length === 1) return shellQuote(text);
  const isPlain = parts.every((part) => !/["$`\\!]/.test(part));
  return isPlain
    ? `"${parts.join('$VOUCH_TOKEN')}"`
    : parts.map((part) => (part === '' ? '' : shellQuote(part))).join('"$VOUCH_TOKEN"');
}
