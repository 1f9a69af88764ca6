import { whereOf } from './finding-title.ts';
import type { Exchange } from '../check/model/exchange.ts';
import type { Finding } from '../check/model/finding.ts';
import type { HeaderList } from '../http/message.ts';
import { pick } from '../json/value.ts';
import { wordsIn } from '../words-in.ts';
import { writeBody } from './body-text.ts';
import { urlOf } from './exchange-text.ts';
import { shownCommands, shownText } from './shown-text.ts';

/** One finding as a result (SARIF 2.1.0, section 3.27). */
export interface SarifResult extends Partial<SarifExchange> {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly object[];
  /**
   * The same from run to run, even if its lines have moved: GitHub reads `primaryLocationLineHash`.
   */
  readonly partialFingerprints: Readonly<Record<string, string>>;
  /** Only in a run with a baseline. */
  readonly baselineState?: 'new' | 'unchanged';
  readonly suppressions?: readonly object[];
  readonly occurrenceCount: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface ResultSettings {
  readonly ruleIndex: number;
  /** Whether the log includes the request and its response. */
  readonly withExchange: boolean;
  /** Whether the run had a baseline. */
  readonly withBaseline: boolean;
}

/**
 * The result of a finding. One that a baseline accepts is unchanged and suppressed; any other is
 * new.
 */
export function resultOf(
  finding: Finding,
  { ruleIndex, withExchange, withBaseline }: ResultSettings,
): SarifResult {
  const { id, check, accepted, severity, count, exchange } = finding;
  return {
    ruleId: check,
    ruleIndex,
    level: severity,
    message: { text: messageOf(finding) },
    locations: [locationOf(finding)],
    partialFingerprints: { 'vouchFindingId/v1': id, primaryLocationLineHash: `${id}:1` },
    ...(withBaseline ? { baselineState: accepted === undefined ? 'new' : 'unchanged' } : {}),
    ...(accepted === undefined
      ? {}
      : {
          suppressions: [
            { kind: 'external', status: 'accepted', justification: 'The baseline accepts it.' },
          ],
        }),
    occurrenceCount: Math.max(1, count),
    ...(withExchange && exchange !== undefined ? sarifExchange(exchange) : {}),
    properties: propertiesOf(finding),
  };
}

function messageOf(finding: Finding): string {
  const { message, trying, expected, actual, evidence, curl } = finding;
  const lines = [
    `${whereOf(finding)}: ${shownText(message)}`,
    `Tried: ${shownText(trying)}`,
    `Expected: ${shownText(expected)}`,
    `Actual: ${shownText(actual)}`,
    `Why it is sure: ${evidence}`,
    ...(curl.length === 0 ? [] : ['To see it:', ...shownCommands(curl)]),
  ];
  return lines.join('\n').toWellFormed();
}

function locationOf({ operation, place, pointer }: Finding): object {
  return {
    physicalLocation: {
      artifactLocation: artifactLocation(place.file),
      region: { startLine: Math.max(1, place.line), startColumn: Math.max(1, place.column) },
    },
    logicalLocations: [
      {
        name: operation.id,
        fullyQualifiedName: `${operation.method} ${operation.path}`,
        kind: 'function',
      },
      { fullyQualifiedName: pointer === '' ? '/' : pointer, kind: 'value' },
    ],
  };
}

const findingProperties = wordsIn(
  'basis blame operations trying expected actual evidence curl accepted',
);

function propertiesOf(finding: Finding): Record<string, unknown> {
  return { findingId: finding.id, ...pick(finding, findingProperties) };
}

/**
 * A file of the repository by its relative path, so that GitHub shows the line; a URL unchanged; a
 * file elsewhere by its `file:` URL.
 */
export function artifactLocation(file: string): {
  readonly uri: string;
  readonly uriBaseId?: string;
} {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return { uri: encodeURI(file.toWellFormed()) };
  const path = file.replaceAll('\\', '/');
  const uri = path
    .replace(/^\.\//, '')
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
  if (/^[a-z]:\//i.test(path))
    return { uri: `file:///${path.slice(0, 2)}${uri.slice(uri.indexOf('/'))}` };
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}

/** The part of a result that shows its exchange (SARIF 2.1.0, sections 3.46 and 3.47). */
type SarifExchange = ReturnType<typeof sarifExchange>;

type SarifBody = { readonly text: string } | { readonly binary: string };

/** Enough of a body to recognise it: a log must be below 10 MB. */
const maxBytes = 4096;

/**
 * The exchange of a finding; `target` is the whole URL, because the log has no other place for it.
 */
function sarifExchange(exchange: Exchange) {
  const { request, response } = exchange;
  return {
    webRequest: {
      protocol: 'http',
      version: '1.1',
      method: request.method,
      target: urlOf(exchange),
      headers: headersOf(request.headers),
      ...bodyOf(request.body),
    },
    webResponse:
      response === undefined
        ? { noResponseReceived: true }
        : {
            protocol: 'http',
            version: '1.1',
            statusCode: response.status,
            headers: headersOf(response.headers),
            ...bodyOf(response.body),
            noResponseReceived: false,
          },
  };
}

/**
 * SARIF has one value for each name; several of one name are joined as HTTP allows (RFC 9110,
 * section 5.3).
 */
function headersOf(headers: HeaderList): Record<string, string> {
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...byName].map(([name, fields]) => [name, fields.map(([, value]) => value).join(', ')]),
  );
}

function bodyOf(body: Uint8Array): { readonly body?: SarifBody } {
  if (body.length === 0) return {};
  const whole = writeBody(body);
  if (whole.encoding === 'base64')
    return { body: { binary: Buffer.from(body.subarray(0, maxBytes)).toString('base64') } };
  return { body: { text: whole.text.slice(0, maxBytes).toWellFormed() } };
}
