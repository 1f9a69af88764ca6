import { wordsIn } from '../words-in.ts';
import { decodeContent } from '../check/reading/decode-content.ts';
import type { RunEvent } from '../check/model/event.ts';
import type { Exchange } from '../check/model/exchange.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { headerValue } from '../http/message.ts';
import { decodeQueryPercent } from '../http/target.ts';
import { defined, pick } from '../json/value.ts';
import { writeJson } from '../text/safe-text.ts';
import { writeBody } from './body-text.ts';
import { ExchangeNumbers, urlOf } from './exchange-text.ts';
import type { Reporter } from './reporter.ts';
import { type EventOf, unanswered } from './run-record.ts';

/**
 * For browsers' network panels and proxies: every exchange as HTTP Archive 1.2. An entry is written
 * immediately, so a finding, which is confirmed at the end, names its entries:
 * `log._vouch.findings[].entries` has the first of their numbers, from 0.
 */
export const har = {
  id: 'har',
  description: 'for network panels and proxies: every exchange as HTTP Archive 1.2',
  live: true,
  begin: () => {
    const archive: Archive = {
      version: '',
      began: 0,
      spent: 0,
      isOpen: false,
      numbers: new ExchangeNumbers(),
      entries: 0,
      findings: [],
    };
    return (event) => answer(archive, event);
  },
} as const satisfies Reporter;

/** The state of the archive while it is written: a few bytes for each exchange. */
interface Archive {
  version: string;
  /** Milliseconds since 1970. */
  began: number;
  /** The durations so far, for a run without times. */
  spent: number;
  isOpen: boolean;
  entries: number;
  readonly numbers: ExchangeNumbers;
  readonly findings: object[];
}

function answer(archive: Archive, event: RunEvent): string {
  switch (event.type) {
    case 'run-started':
      archive.version = event.run.version;
      archive.began = Date.parse(event.run.startedAt) || 0;
      return '';
    case 'exchange-recorded':
      return entry(archive, event);
    case 'finding-reported':
      archive.findings.push(shortFinding(archive, event.finding));
      return '';
    case 'run-finished':
      return finish(archive, event.summary);
    case 'operation-skipped':
    case 'plan-made':
    case 'gap-observed':
    case 'difference-found':
    case 'record-left':
    case 'check-crashed':
      return '';
    default:
      return unanswered(event);
  }
}

/** The beginning of the document, if it is not written yet. */
function open(archive: Archive): string {
  if (archive.isOpen) return '';
  archive.isOpen = true;
  return (
    '{"log":{"version":"1.2",' +
    `"creator":${writeJson({ name: 'vouch', version: archive.version })},` +
    '"pages":[],"entries":['
  );
}

function finish(archive: Archive, summary: RunSummary): string {
  const end = writeJson(endOf(summary, archive.findings));
  return `${open(archive)}\n],"_vouch":${end}}}\n`;
}

function entry(archive: Archive, event: EventOf<'exchange-recorded'>): string {
  archive.spent += event.exchange.durationMs;
  const separator = archive.entries === 0 ? '' : ',';
  const added = harEntry(event, archive.began + (event.elapsedMs ?? archive.spent));
  const text = `${open(archive)}${separator}\n${writeJson(added)}`;
  archive.numbers.add(event.exchange, archive.entries);
  archive.entries += 1;
  return text;
}

/** The result of the run, and why it ended early. */
function endOf({ verdict, reason, stop }: RunSummary, findings: readonly object[]): object {
  return { verdict, reason, ...defined({ stop }), findings };
}

function shortFinding({ numbers }: Archive, finding: Finding): object {
  return {
    ...pick(finding, wordsIn('id check severity message')),
    entries: finding.exchange === undefined ? [] : numbers.of(finding.exchange),
  };
}

/**
 * One exchange as an entry of an HTTP Archive 1.2. Members that HAR does not have begin with `_`,
 * as it requires.
 */
function harEntry(
  { case: testCase, exchange }: EventOf<'exchange-recorded'>,
  endedAt: number,
): object {
  const { request, response, fault, durationMs } = exchange;
  return {
    startedDateTime: new Date(endedAt - durationMs).toISOString(),
    time: durationMs,
    request: harRequest(request, urlOf(exchange)),
    response: response === undefined ? noResponse(exchange) : harResponse(response),
    cache: {},
    // Only the total is measured; HAR requires three parts that add up to it.
    timings: { send: 0, wait: durationMs, receive: 0 },
    _vouch: {
      case: testCase.id,
      title: testCase.title,
      phase: testCase.phase,
      operation: testCase.operation,
      fault,
    },
  };
}

function harRequest({ method, headers, body, target }: HttpRequest, url: string): object {
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    queryString: query(target),
    ...(body.length === 0 ? {} : { postData: postData(headers, body) }),
    headersSize: -1,
    bodySize: body.length,
  };
}

/** HAR has no base64 for request bodies; `_encoding` has the meaning of `encoding` in `content`. */
function postData(headers: HeaderList, body: Uint8Array): object {
  const { encoding, text } = writeBody(body);
  return {
    mimeType: headerValue(headers, 'content-type') ?? '',
    text,
    ...(encoding === 'base64' ? { _encoding: encoding } : {}),
  };
}

function harResponse(response: HttpResponse): object {
  const { status, headers, body } = response;
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: content(response),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body.length,
  };
}

/**
 * A body without its content coding, as HAR requires; one that cannot be decoded is shown as
 * received.
 */
function content(response: HttpResponse): object {
  const { headers, body } = response;
  const mimeType = headerValue(headers, 'content-type') ?? '';
  const coded = body.length > 0 && headerValue(headers, 'content-encoding') !== undefined;
  const decoded = coded ? decodeContent(response) : undefined;
  const bytes = decoded?.ok === true ? decoded.bytes : body;
  const { encoding, text } = writeBody(bytes);
  return {
    size: bytes.length,
    ...(decoded?.ok === true ? { compression: bytes.length - body.length } : {}),
    mimeType,
    text,
    ...(encoding === 'base64' ? { encoding } : {}),
    ...(decoded?.ok === false
      ? { comment: 'as it came: its content coding cannot be undone' }
      : {}),
  };
}

/** Browsers write a request without a response as status 0. */
function noResponse({ fault }: Exchange): object {
  return {
    ...{ status: 0, statusText: '', httpVersion: '', cookies: [], headers: [] },
    content: { size: 0, mimeType: 'x-unknown' },
    ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
    ...(fault === undefined ? {} : { _error: `${fault.kind}: ${fault.message}` }),
  };
}

function pairs(headers: HeaderList): { readonly name: string; readonly value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The query as sent; invalid percent-encoding stays as it is. */
function query(target: string): { readonly name: string; readonly value: string }[] {
  const at = target.indexOf('?');
  if (at === -1 || at === target.length - 1) return [];
  return target
    .slice(at + 1)
    .split('&')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      const text = value.join('=');
      return { name: decodeQueryPercent(name) ?? name, value: decodeQueryPercent(text) ?? text };
    });
}
