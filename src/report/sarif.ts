import { wordsIn } from '../words-in.ts';
import type { Check } from '../check/topics/check.ts';
import { checks } from '../check/topics/index.ts';
import type { Basis, Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { pick } from '../json/value.ts';
import { writeJson } from '../text/safe-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { resultOf } from './sarif-result.ts';
import { verdictLine } from './verdict.ts';

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
