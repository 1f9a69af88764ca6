import { wordsIn } from '../words-in.ts';
import type { Check } from '../check/topics/check.ts';
import { checks } from '../check/topics/index.ts';
import type { Basis, Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { pick } from '../json/value.ts';
import { writeJson } from '../text/safe-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { verdictLine } from './verdict.ts';
import { whereOf } from './finding-title.ts';
import type { Exchange } from '../check/model/exchange.ts';
import type { HeaderList } from '../http/message.ts';
import { writeBody } from './body-text.ts';
import { urlOf } from './exchange-text.ts';
import { shownCommands, shownText } from './shown-text.ts';

/** For code scanning: a SARIF 2.1.0 log, whose results are on the lines of the contract. */
export const sarif = {
  id: 'sarif',
  description: 'for code scanning (GitHub and others): SARIF 2.1.0',
  begin: (options) =>
    atEnd((record, summary) => `${writeJson(makeSarifReport(record, summary), 1)}\n`, options),
} as const satisfies Reporter;

/** A SARIF 2.1.0 log with one run. */
export type SarifLog = ReturnType<typeof makeSarifReport>;

/** GitHub accepts so many results of a run, and 10 MB in all; exchanges take most of it. */
const maxResults = 5000;
const maxExchanges = 500;

/** The log of a run that is over: worst findings first, at most 5,000 of them. */
function makeSarifReport(record: RunRecord, summary: RunSummary) {
  const { run } = record;
  const findings = bySeverity(record.findings);
  const rules = rulesOf(findings);
  const withBaseline = findings.some(({ accepted }) => accepted !== undefined);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'vouch', version: run?.version, semanticVersion: run?.version, rules },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': {
            description: {
              text: 'The root of the repository, or the folder of the run outside of one.',
            },
          },
        },
        invocations: [invocation(record, summary)],
        results: findings.slice(0, maxResults).map((finding, at) =>
          resultOf(finding, {
            ruleIndex: indexes.get(finding.check) ?? 0,
            withExchange: at < maxExchanges,
            withBaseline,
          }),
        ),
        properties: propertiesOf(record, summary),
      },
    ],
  };
}

function propertiesOf({ run }: RunRecord, summary: RunSummary): Record<string, unknown> {
  return {
    ...pick(summary, wordsIn('verdict reason stop requests')),
    ...(run && { ...pick(run, ['target', 'contract', 'mode', 'seed']), runId: run.id }),
  };
}

/** The outcome of the run: one that tested nothing must not look like one without findings. */
function invocation({ run, crashed, findings }: RunRecord, summary: RunSummary): object {
  const { verdict, durationMs } = summary;
  const crashes = crashed.map(({ check, message, stack }) => ({
    level: 'error',
    message: { text: `The check ${check} crashed: ${message}`.toWellFormed() },
    exception: { kind: 'Error', message: `${message}\n${stack}`.toWellFormed() },
  }));
  const unclear =
    verdict === 'passed' || verdict === 'failed'
      ? []
      : [{ level: 'warning', message: { text: verdictLine(summary).toWellFormed() } }];
  const hidden =
    findings.length <= maxResults
      ? []
      : [
          {
            level: 'warning',
            message: {
              text:
                `${String(findings.length - maxResults)} findings are left out: a run ` +
                `may hold ${String(maxResults)}.`,
            },
          },
        ];
  const began = run === undefined ? Number.NaN : Date.parse(run.startedAt);
  return {
    executionSuccessful: verdict === 'passed' || verdict === 'failed',
    ...(Number.isNaN(began)
      ? {}
      : {
          startTimeUtc: new Date(began).toISOString(),
          endTimeUtc: new Date(began + durationMs).toISOString(),
        }),
    toolExecutionNotifications: [...crashes, ...unclear, ...hidden],
  };
}

const everyCheck: readonly Check[] = checks;

/**
 * The rules to which results refer by index: every check of the table, then others that findings
 * name.
 */
function rulesOf(findings: readonly Finding[]) {
  const known = new Set(everyCheck.map(({ id }) => id));
  const strange = new Map(
    findings.filter(({ check }) => !known.has(check)).map((finding) => [finding.check, finding]),
  );
  return [
    ...everyCheck.map(ruleOf),
    ...[...strange.values()].map(({ check, basis, severity }) =>
      ruleOf({ id: check, basis, severity, rule: check, reason: '' }),
    ),
  ];
}

const bases: Readonly<Record<Basis, string>> = {
  contract: 'By the contract, which says so',
  protocol: 'By a standard: an RFC says MUST',
  inferred: 'By convention: its meaning is read out of the contract',
  advice: 'Good practice: an RFC says SHOULD, or it is a good habit',
};

/**
 * A rule of a SARIF log (SARIF 2.1.0, section 3.49), with what GitHub reads from its properties.
 */
function ruleOf({
  id,
  basis,
  severity,
  rule,
  reason,
}: Pick<Check, 'id' | 'basis' | 'severity' | 'rule' | 'reason'>) {
  const why = `${bases[basis]}.`;
  return {
    id,
    shortDescription: { text: rule },
    fullDescription: { text: [rule, reason].filter((text) => text !== '').join(' ') },
    help: {
      text: [rule, reason, why].filter((text) => text !== '').join('\n'),
      markdown: [`**${rule}**`, reason, why, `\`vouch explain ${id}\``]
        .filter((text) => text !== '')
        .join('\n\n'),
    },
    defaultConfiguration: { level: severity },
    properties: {
      basis,
      tags: ['api', basis],
      precision: basis === 'contract' || basis === 'protocol' ? 'very-high' : 'high',
      'problem.severity': severity === 'note' ? 'recommendation' : severity,
    },
  };
}

/** One finding as a result (SARIF 2.1.0, section 3.27). */
interface SarifResult extends Partial<SarifExchange> {
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

interface ResultSettings {
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
function resultOf(
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
    properties: { findingId: finding.id, ...pick(finding, findingProperties) },
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
