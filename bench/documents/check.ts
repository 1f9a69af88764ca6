import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findDocuments } from './read-documents.ts';

/** A finding of a run against the mock of the same document. */
interface SelfFinding {
  readonly document: string;
  readonly severity: string;
  readonly check: string;
  readonly operation: string;
  readonly message: string;
}

/** What `vouch check --self` said of one document. */
interface SelfRun {
  readonly document: string;
  readonly findings: readonly SelfFinding[];
  readonly seconds: number;
  readonly fault?: string;
  readonly summary: string;
}

const program = fileURLToPath(new URL('../../bin/vouch.js', import.meta.url));

/**
 * `node bench/documents/check.ts FOLDER [--only RE] [--max-time SECONDS] [--out FILE]`: runs
 * `vouch check --self` on every document of a folder, and lists what is more than a note by check.
 * Each such finding is a fault of vouch, unless the document contradicts itself.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      out: { type: 'string' },
      'max-time': { type: 'string', default: '60' },
    },
  });
  const [folder = '.'] = positionals;
  const runs: SelfRun[] = [];
  for (const file of findDocuments(folder).filter((each) =>
    new RegExp(values.only ?? '').test(each),
  )) {
    const run = await checkSelf(file, { folder, seconds: values['max-time'] });
    runs.push(run);
    const errors = run.findings.filter(({ severity }) => severity === 'error').length;
    const end =
      run.fault ??
      `${String(errors)} errors, ${String(run.findings.length - errors)} warnings, ` +
        `${run.seconds.toFixed(0)} s; ${run.summary}`;
    console.log(`${run.document}: ${end}`);
  }
  tellAll(runs.flatMap(({ findings }) => findings));
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(runs, null, 1));
}

function checkSelf(
  file: string,
  { folder, seconds }: { readonly folder: string; readonly seconds: string },
): Promise<SelfRun> {
  const document = relative(folder, file).replace(/^documents\//, '');
  const words = [
    'check',
    '--self',
    file,
    '--root',
    folder,
    '--reporter',
    'json',
    '--max-time',
    seconds,
  ];
  const began = performance.now();
  return new Promise((resolve) => {
    const options = { maxBuffer: 2 ** 29, timeout: 1000 * (Number(seconds) * 3 + 60) };
    execFile(process.execPath, [program, ...words], options, (_error, out, err) => {
      const ended = { document, seconds: (performance.now() - began) / 1000 };
      try {
        resolve({ ...ended, ...readReport(document, out) });
      } catch {
        resolve({
          ...ended,
          findings: [],
          summary: '',
          fault: `no report: ${err.trim().slice(0, 300)}`,
        });
      }
    });
  });
}

interface Report {
  readonly summary: { readonly verdict: string; readonly requests: number };
  readonly findings: readonly {
    readonly severity: string;
    readonly check: string;
    readonly message: string;
    readonly operation: { readonly method: string; readonly path: string };
  }[];
}

function readReport(document: string, text: string): Pick<SelfRun, 'findings' | 'summary'> {
  // The report is vouch's own, whose form is documented.
  const report = JSON.parse(text) as Report;
  const findings = report.findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, check, message, operation }) => ({
      document,
      severity,
      check,
      message,
      operation: `${operation.method} ${operation.path}`,
    }));
  return {
    findings,
    summary: `${report.summary.verdict}, ${String(report.summary.requests)} requests`,
  };
}

function tellAll(findings: readonly SelfFinding[]): void {
  for (const [group, found] of [
    ...Map.groupBy(findings, ({ severity, check }) => `${severity} ${check}`),
  ].sort(([left], [right]) => (left < right ? -1 : 1))) {
    console.log(`\n${group}: ${String(found.length)}`);
    for (const { document, operation, message } of found)
      console.log(`  ${document} ${operation}: ${message.slice(0, 240)}`);
  }
}

await main();
