import { separate } from '../check/engine/judge/evidence.ts';
import type { Finding, OperationName } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { cleanLine, cleanText, escapeXmlAttribute, escapeXmlText } from '../text/safe-text.ts';
import { makeTextStyle } from '../text/text-style.ts';
import { findingBlock, titleOf } from './pretty/finding-block.ts';
import { commandOf } from './pretty/pretty-start.ts';
import type { Reporter } from './reporter.ts';
import { type RunRecord, atEnd, bySeverity, operationsOf } from './run-record.ts';
import { sentWords, shutClauses, verdictLine, workflowStepLine, workflowTitle } from './verdict.ts';

/** For CI: JUnit XML that GitLab, Jenkins and others show as test results. */
export const junit = {
  id: 'junit',
  description: 'for GitLab, Jenkins and others: JUnit XML, a case for each check of an operation',
  begin: (options) => {
    const seconds = new Map<string, number>();
    const answer = atEnd(
      (record, summary) => writeXml(makeJUnitReport({ record, summary, seconds })),
      options,
    );
    return (event) => {
      if (event.type === 'exchange-recorded')
        addSeconds(seconds, event.case.operation, event.exchange.durationMs / 1000);
      return answer(event);
    };
  },
} as const satisfies Reporter;

function addSeconds(seconds: Map<string, number>, operation: string, more: number): void {
  seconds.set(operation, (seconds.get(operation) ?? 0) + more);
}

/** A run that is over, and how long each operation's exchanges took. */
interface JUnitRun {
  readonly record: RunRecord;
  readonly summary: RunSummary;
  readonly seconds: ReadonlyMap<string, number>;
}

/**
 * The run as JUnit XML (junit-10.xsd of Jenkins' xUnit plugin): a suite for each operation, with a
 * case for each check that applied there. A case fails if its check found an error there, also if
 * another operation reports the finding; warnings and notes are its `system-out`. A last suite is
 * the run itself: it has internal errors and an inconclusive end.
 */
function makeJUnitReport(run: JUnitRun): XmlElement {
  const { record, summary } = run;
  const suites = [
    ...operationsOf(record, summary).map((operation) => operationSuite(operation, run)),
    ...workflowSuites(run),
    runSuite(run),
  ];
  const total = (name: string): number =>
    suites.reduce((sum, { attributes }) => sum + Number(attributes[name] ?? 0), 0);
  return element(
    'testsuites',
    {
      name:
        record.run === undefined
          ? 'vouch check'
          : cleanLine(`${commandOf(record.run)} ${record.run.target}`),
      time: (summary.durationMs / 1000).toFixed(3),
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
    },
    suites,
  );
}

function operationSuite(operation: OperationName, run: JUnitRun): XmlElement {
  const { record, summary, seconds } = run;
  const findings = bySeverity(record.findings.flatMap(separate)).filter(
    (finding) => finding.operation.id === operation.id || finding.operations.includes(operation.id),
  );
  const counted = summary.operations.find(({ id }) => id === operation.id);
  const asked = (counted?.requests ?? findings.length) > 0;
  const checks = [
    ...new Set([...Object.keys(counted?.checks ?? {}), ...findings.map(({ check }) => check)]),
  ];
  const cases = checks.flatMap((check) =>
    checkCases(
      check,
      operation,
      findings.filter((finding) => finding.check === check),
    ),
  );
  const only = asked
    ? plainCase('requests', operation, [])
    : plainCase('requests', operation, [
        element('skipped', { message: skipReason(operation, run) }),
      ]);
  return suite(
    {
      name: `${operation.method} ${operation.path}`,
      id: operation.id,
      time: seconds.get(operation.id),
    },
    cases.length === 0 ? [only] : cases,
    run,
  );
}

function skipReason({ id }: OperationName, { record, summary }: JUnitRun): string {
  const reason =
    record.skipped.find(({ operation }) => operation.id === id)?.reason ??
    summary.operations.find((operation) => operation.id === id)?.skipped;
  return cleanLine(reason ?? 'no request sent');
}

/**
 * GitLab and Jenkins read one failure of a case: the first error is in the case of the check, each
 * further one has its own case.
 */
function checkCases(
  check: string,
  operation: OperationName,
  findings: readonly Finding[],
): XmlElement[] {
  const [first, ...further] = findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => ({ id: finding.id, failure: failureOf(finding) }));
  const others = findings.filter(({ severity }) => severity !== 'error');
  const otherElements =
    others.length === 0 ? [] : [element('system-out', {}, [others.map(blockOf).join('\n')])];
  return [
    plainCase(check, operation, [
      ...(first === undefined ? [] : [first.failure]),
      ...otherElements,
    ]),
    ...further.map(({ id, failure }) => plainCase(`${check} [${id}]`, operation, [failure])),
  ];
}

function failureOf(finding: Finding): XmlElement {
  return element('failure', { type: cleanLine(finding.check), message: titleOf(finding) }, [
    blockOf(finding),
  ]);
}

/** A check has no duration; some readers require one. */
function plainCase(
  name: string,
  operation: OperationName,
  content: XmlElement['content'],
): XmlElement {
  return element(
    'testcase',
    { name: cleanLine(name), classname: cleanLine(operation.id), time: '0' },
    content,
  );
}

const layout = { style: makeTextStyle(false), width: 100 };

function blockOf(finding: Finding): string {
  return `\n${findingBlock(finding, layout).join('\n')}\n`;
}

function runSuite(run: JUnitRun): XmlElement {
  const { record, summary } = run;
  const crashes = [...new Map(record.crashed.map((crash) => [crash.check, crash])).values()].map(
    ({ check, message, stack }) =>
      runCase(`internal error in ${check}`, [
        element('error', { type: cleanLine(check), message: cleanLine(message) }, [
          cleanText(stack),
        ]),
      ]),
  );
  const words = verdictLine(summary, record);
  const unclear =
    summary.verdict === 'inconclusive' ||
    summary.verdict === 'interrupted' ||
    (summary.verdict === 'crashed' && crashes.length === 0);
  const ends = unclear ? [element('error', { type: summary.verdict, message: words })] : [];
  const left = record.left.map(
    ({ record: name, operation, reason }) =>
      `left behind: ${cleanLine(name)} of ${cleanLine(operation)}: ${cleanLine(reason)}`,
  );
  const shut = shutClauses(summary).map((clause) => `skipped: ${clause}`);
  const text = [words, ...shut, sentWords(summary), ...left].join('\n');
  const content = [...ends, element('system-out', {}, [`\n${text}\n`])];
  return suite(
    { name: 'run', id: record.run?.id, time: summary.durationMs / 1000 },
    [...reachProperties(summary), runCase('run', content), ...crashes],
    run,
  );
}

function runCase(name: string, content: XmlElement['content']): XmlElement {
  return element('testcase', { name: cleanLine(name), classname: 'vouch', time: '0' }, content);
}

/** A suite with a case for each workflow of the user, which shows its steps. */
function workflowSuites(run: JUnitRun): XmlElement[] {
  const { workflows = [] } = run.summary;
  if (workflows.length === 0) return [];
  const cases = workflows.map((workflow) => {
    const { id, place, outcome, steps, durationMs } = workflow;
    const message = cleanLine(workflowTitle(workflow));
    const failed =
      outcome === 'failed' ? [element('failure', { type: 'criteria-hold', message })] : [];
    const skipped = outcome === 'not-run' ? [element('skipped', { message })] : [];
    const text = steps.map((step) => cleanLine(workflowStepLine(step))).join('\n');
    const shown = steps.length === 0 ? [] : [element('system-out', {}, [`\n${text}\n`])];
    return element(
      'testcase',
      {
        name: cleanLine(id),
        classname: cleanLine(`workflows ${place.file}`),
        time: (durationMs / 1000).toFixed(3),
      },
      [...skipped, ...failed, ...shown],
    );
  });
  const time = workflows.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return [suite({ name: 'workflows', id: undefined, time }, cases, run)];
}

/** How much of the contract was reached, as properties of the suite of the run. */
function reachProperties({ reach }: RunSummary): XmlElement[] {
  if (reach === undefined) return [];
  const values = { reached: reach.reached, operations: reach.total, partial: reach.isPartial };
  const properties = Object.entries(values).map(([name, value]) =>
    element('property', { name: `vouch.${name}`, value: String(value) }),
  );
  return [element('properties', {}, properties)];
}

interface SuiteName {
  readonly name: string;
  readonly id: string | undefined;
  /** In seconds. */
  readonly time: number | undefined;
}

function suite(
  { name, id, time }: SuiteName,
  cases: readonly XmlElement[],
  { record: { run } }: JUnitRun,
): XmlElement {
  const having = (child: string): number =>
    cases.filter(({ content }) =>
      content.some((part) => typeof part !== 'string' && part.name === child),
    ).length;
  const attributes = {
    name: cleanLine(name),
    id: id === undefined ? undefined : cleanLine(id),
    tests: cases.filter((part) => part.name === 'testcase').length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time: time?.toFixed(3),
    timestamp: run === undefined ? undefined : cleanLine(run.startedAt.replace(/(\.\d+)?Z$/, '')),
    file: run === undefined ? undefined : cleanLine(run.contract.file),
  };
  return element('testsuite', attributes, cases);
}

/**
 * An element of an XML document: its attributes in order, and its content. Undefined attributes are
 * omitted.
 */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly content: readonly (XmlElement | string)[];
}

function element(
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement {
  return { name, attributes, content };
}

/**
 * An XML 1.0 document in UTF-8. Each element has its own lines; text is unchanged, except for
 * forbidden characters.
 */
function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, '')}\n`;
}

function writeElement({ name, attributes, content }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXmlAttribute(String(value))}"`],
  );
  const start = `${indent}<${name}${written.join('')}`;
  if (content.length === 0) return `${start}/>`;
  if (content.every((part) => typeof part === 'string'))
    return `${start}>${content.map(escapeXmlText).join('')}</${name}>`;
  const inner = content.map((part) =>
    typeof part === 'string'
      ? `${indent}  ${escapeXmlText(part)}`
      : writeElement(part, `${indent}  `),
  );
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}
