import { severities } from '../contract/model/severity.ts';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { checks } from '../check/topics/index.ts';
import type { Exchange } from '../check/model/exchange.ts';
import type { Finding } from '../check/model/finding.ts';
import { formatOverlay } from '../contract/overlay/format-overlay.ts';
import { formatPlace, suggestId, usage } from '../errors.ts';
import { defined } from '../json/value.ts';
import { chooseContract } from '../library/choose-contract.ts';
import { lintContract } from '../lint/lint-contract.ts';
import type { LintProblem, LintReport } from '../lint/lint-report.ts';
import { writeBody } from '../report/body-text.ts';
import { bySeverity } from '../report/run-record.ts';
import type { AllowedDocument } from './access.ts';
import { takePage } from './bound-output.ts';
import { type CheckParts, findingOutput, type KeptRun, showFinding } from './check-tools.ts';
import { addTool, pageInput, pageOutput, type McpHost, reading } from './tool.ts';

/** The maximum number of characters of a body in the explanation of a finding. */
const maxBody = 1_500;

const runInput = z.string().max(40).optional().describe('id of a run; default: the last one');

/** Adds the tools that read the results of a run, and the linter. */
export function addFindingTools(
  server: McpServer,
  host: McpHost,
  { access, runs }: Pick<CheckParts, 'access' | 'runs'>,
): void {
  addListTool(server, host, runs);
  addExplainTool(server, host, runs);
  addOverlayTool(server, host, runs);
  addLintTool(server, host, access);
}

function addListTool(server: McpServer, host: McpHost, runs: CheckParts['runs']): void {
  addTool(server, host, {
    name: 'list_findings',
    title: 'List the findings of a run',
    description: 'Lists the findings of a check, errors first.',
    input: { run: runInput, severity: z.enum(severities).optional(), ...pageInput },
    output: { run: z.string(), findings: z.array(findingOutput), page: pageOutput },
    annotations: reading,
    quotes: ['findings'],
    run: async ({ run: expected, severity, ...part }) => {
      const { id, record } = runs.find(expected);
      const found = bySeverity(record.findings).filter(
        (finding) => severity === undefined || finding.severity === severity,
      );
      const { items, page } = takePage(found.map(showFinding), part);
      return { run: id, findings: items, page };
    },
  });
}

const headersOutput = z.array(z.array(z.string()));
const exchangeOutput = z.object({
  method: z.string(),
  url: z.string(),
  requestHeaders: headersOutput,
  requestBody: z.string(),
  status: z.number().optional(),
  responseHeaders: headersOutput.optional(),
  responseBody: z.string().optional(),
  fault: z.string().optional().describe('why the response could not be read'),
});

function addExplainTool(server: McpServer, host: McpHost, runs: CheckParts['runs']): void {
  addTool(server, host, {
    name: 'explain_finding',
    title: 'Explain a finding',
    description:
      'Describes one finding of a check: what was expected and seen, the lines of the document ' +
      'that it violates, the exchange that shows it, a curl command that reproduces it, and the ' +
      'rule with its reason. Secrets are redacted.',
    input: { finding: z.string().max(40).describe('id of the finding'), run: runInput },
    output: {
      run: z.string(),
      rule: z.string().describe('what the check requires'),
      why: z.string(),
      basis: z.enum(['contract', 'protocol', 'inferred', 'advice']),
      finding: findingOutput.extend({
        expected: z.string(),
        actual: z.string(),
        tried: z.string(),
        pointer: z.string().describe('JSON Pointer of the place'),
        frame: z.string().describe('lines of the document around the place'),
        evidence: z.string().describe('how it was confirmed'),
        curl: z.array(z.string()),
        operations: z.array(z.string()).describe('ids of all affected operations'),
        exchange: exchangeOutput.optional(),
      }),
    },
    annotations: reading,
    quotes: ['finding'],
    run: async ({ finding: id, run: expected }) => {
      const { id: run, ...kept } = runs.find(expected);
      const finding = findFinding(kept, id);
      const check = checks.find((each) => each.id === finding.check);
      return {
        run,
        rule: check?.rule ?? '',
        why: check?.reason ?? '',
        basis: finding.basis,
        finding: describeFinding(finding),
      };
    },
  });
}

function findFinding({ record }: Pick<KeptRun, 'record'>, id: string): Finding {
  const all = record.findings.flatMap((finding) => [finding, ...(finding.alsoSeenAs ?? [])]);
  const found = all.find((finding) => finding.id === id);
  if (found !== undefined) return found;
  throw usage(`The run has no finding ${id}.`, {
    hint: all.length === 0 ? 'The run has no findings at all.' : suggestId(id, all),
  });
}

function describeFinding(finding: Finding): object {
  const { expected, actual, trying, pointer, frame, evidence, curl, operations, exchange } =
    finding;
  return {
    ...showFinding(finding),
    ...{ expected, actual, tried: trying, pointer, frame, evidence, curl, operations },
    ...(exchange === undefined ? {} : { exchange: describeExchange(exchange) }),
  };
}

function describeExchange({ baseUrl, request, response, fault }: Exchange): object {
  return {
    method: request.method,
    url: new URL(baseUrl).origin + request.target,
    requestHeaders: request.headers,
    requestBody: showBody(request.body),
    ...(response === undefined
      ? {}
      : {
          status: response.status,
          responseHeaders: response.headers,
          responseBody: showBody(response.body),
        }),
    ...(fault === undefined ? {} : { fault: fault.message }),
  };
}

function showBody(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, maxBody);
  const { encoding, text } = writeBody(shown);
  const rest = bytes.length - shown.length;
  const more = rest === 0 ? '' : `… (${String(rest)} more bytes)`;
  return `${encoding === 'utf8' ? '' : 'base64:'}${text}${more}`;
}

function addOverlayTool(server: McpServer, host: McpHost, runs: CheckParts['runs']): void {
  addTool(server, host, {
    name: 'propose_overlay',
    title: 'Propose an Overlay',
    description:
      'Writes an OpenAPI Overlay that documents what a service did and its document omits, for ' +
      'the findings that are the fault of the document. Writes no file. Review it before you use ' +
      'it: the service may be wrong. Every page is a whole Overlay.',
    input: { run: runInput, ...pageInput },
    output: {
      run: z.string(),
      overlay: z.string().nullable().describe('YAML; null if nothing is to be added'),
      page: pageOutput,
    },
    annotations: reading,
    quotes: ['overlay'],
    run: async ({ run: expected, offset, limit }) => {
      const { id, overlay } = runs.find(expected);
      const { actions, ...head } = overlay.make();
      const { items, page } = takePage(actions, { offset, limit });
      const text = items.length === 0 ? null : formatOverlay({ ...head, actions: items });
      return { run: id, overlay: text, page };
    },
  });
}

function addLintTool(server: McpServer, host: McpHost, access: CheckParts['access']): void {
  addTool(server, host, {
    name: 'lint_document',
    title: 'Lint an OpenAPI document',
    description:
      "Checks a document against Redocly's recommended rules and vouch's own. Each problem has " +
      'its place and the lines around it. A note is a gap: what the document leaves open.',
    input: {
      document: z.string().max(1_000).optional().describe('path; default: as for start_mock'),
      least: z.enum(severities).default('warning').describe('the mildest severity to list'),
      rule: z.string().max(200).optional().describe('only problems of this rule'),
      ...pageInput,
    },
    output: {
      file: z.string(),
      counts: z.object({ error: z.number(), warning: z.number(), note: z.number() }),
      problems: z.array(
        z.object({
          rule: z.string(),
          severity: z.enum(severities),
          message: z.string(),
          place: z.string().describe('file:line:column'),
          frame: z.string().describe('lines of the document around the place'),
          hint: z.string().optional(),
        }),
      ),
      page: pageOutput,
    },
    annotations: reading,
    quotes: ['file', 'problems'],
    run: async ({ document, least, rule, ...part }) => {
      const { file, counts, problems } = await lintDocument(host, await access.document(document));
      const expected = problems.filter(
        (problem) =>
          severities.indexOf(problem.severity) <= severities.indexOf(least) &&
          (rule === undefined || problem.rule === rule),
      );
      const { items, page } = takePage(expected.map(showProblem), part);
      return { file, counts, problems: items, page };
    },
  });
}

function lintDocument(host: McpHost, allowed: AllowedDocument): Promise<LintReport> {
  const { root, contract: named } = allowed;
  return host.withDocumentErrors(allowed, async () => {
    const choice = { contract: named, config: host.config, root };
    const { contract } = await chooseContract(choice);
    return lintContract(contract.file, { root, overlays: contract.overlays });
  });
}

function showProblem({ rule, severity, message, place, frame, hint }: LintProblem): object {
  return { rule, severity, message, frame, place: formatPlace(place), ...defined({ hint }) };
}
