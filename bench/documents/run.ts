import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Asker } from './ask-operations.ts';
import { judgeAnswer, type Verdict } from './judge-answer.ts';
import { operationsOf } from './operations.ts';
import { findDocuments, type ForeignDocument, readForeign } from './read-documents.ts';
import { Sampler } from './sample.ts';
import { makeJudge } from './schemas.ts';
import { type RunningServer, serverNames, startOn } from './servers.ts';

/** How one server did on one document. */
interface Outcome {
  readonly name: string;
  readonly readyMs?: number;
  /** After all requests. */
  readonly residentMiB?: number;
  readonly fault?: string;
  readonly verdicts: readonly (Verdict & {
    readonly operation: string;
    readonly target?: string;
    readonly isShown?: boolean;
  })[];
}

const order = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * `node bench/documents/run.ts FOLDER [--only RE] [--server vouch|prism|mockoon] [--out FILE]
 * [--reasons N]`:
 * starts a mock on every document of a folder, sends a valid request of every operation, and judges
 * the answers. Requests and judgements are made by code that is not vouch's.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      server: { type: 'string', default: 'vouch' },
      out: { type: 'string' },
      reasons: { type: 'string', default: '30' },
    },
  });
  const [folder = '.'] = positionals;
  const server = serverNames.find((name) => name === values.server);
  if (server === undefined) throw new Error(`--server is one of ${serverNames.join(', ')}`);
  const outcomes: Outcome[] = [];
  for (const file of findDocuments(folder).filter((each) =>
    new RegExp(values.only ?? '').test(each),
  )) {
    const document = readForeign(folder, file);
    const outcome = await tryDocument(document, () => startOn(server, document, folder));
    if (outcome.fault === undefined && outcome.verdicts.length === 0) continue;
    outcomes.push(outcome);
    console.log(lineOf(outcome));
  }
  tellAll(outcomes, Number(values.reasons));
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(outcomes, null, 1));
  process.exit(0);
}

async function tryDocument(
  document: ForeignDocument,
  start: () => Promise<RunningServer>,
): Promise<Outcome> {
  const { name } = document;
  let server: RunningServer;
  try {
    server = await start();
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error), verdicts: [] };
  }
  try {
    const verdicts = await askAll(document, server.url);
    return { name, readyMs: server.readyMs, residentMiB: server.residentMiB(), verdicts };
  } finally {
    await server.stop();
  }
}

async function askAll({ document }: ForeignDocument, url: string): Promise<Outcome['verdicts']> {
  const operations = operationsOf(document);
  const judge = makeJudge(document);
  const asker = new Asker(url, operations, new Sampler(document, judge));
  const verdicts: Outcome['verdicts'][number][] = [];
  for (const operation of operations.toSorted(
    (left, right) => order.indexOf(left.method) - order.indexOf(right.method),
  )) {
    const exchange = await asker
      .ask(operation)
      .catch((error: unknown) => ({ unsent: `no answer: ${String(error)}` }));
    const asked =
      'target' in exchange ? { target: exchange.target, isShown: exchange.isShown } : {};
    verdicts.push({
      ...judgeAnswer(operation, exchange, judge),
      operation: `${operation.method} ${operation.path}`,
      ...asked,
    });
  }
  return verdicts;
}

function counts(verdicts: Outcome['verdicts']): {
  documented: number;
  success: number;
  unsent: number;
} {
  const documented = verdicts.filter(({ verdict }) => verdict !== 'nothing documented');
  return {
    documented: documented.length,
    success: documented.filter(({ verdict }) => verdict === 'success').length,
    unsent: documented.filter(({ verdict }) => verdict === 'unsent').length,
  };
}

function lineOf({ name, fault, readyMs = 0, verdicts }: Outcome): string {
  if (fault !== undefined) return `${name}: does not start: ${fault}`;
  const { documented, success } = counts(verdicts);
  return (
    `${name}: ready in ${readyMs.toFixed(0)} ms; ` +
    `${String(success)} of ${String(documented)} operations (${share(success, documented)})`
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** The median and the maximum. */
function spreadOf(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((left, right) => left - right);
  return [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
}

function tellAll(outcomes: readonly Outcome[], reasons: number): void {
  const started = outcomes.filter(({ fault }) => fault === undefined);
  const all = started.flatMap(({ name, verdicts }) => verdicts.map((each) => ({ ...each, name })));
  const { documented, success, unsent } = counts(all);
  const shown = counts(all.filter(({ isShown }) => isShown === true));
  const [middle, longest] = spreadOf(started.map(({ readyMs = 0 }) => readyMs));
  const [usual, most] = spreadOf(started.map(({ residentMiB = 0 }) => residentMiB));
  console.log(
    `\n${String(started.length)} of ${String(outcomes.length)} documents start; ready in ` +
      `${middle.toFixed(0)} ms (median), ${longest.toFixed(0)} ms (longest); memory after all ` +
      `requests ${usual.toFixed(0)} MiB (median), ${most.toFixed(0)} MiB (most)\n` +
      `${String(success)} of ${String(documented)} operations gave a documented, valid success ` +
      `(${share(success, documented)}); ${String(unsent)} could not be requested; ` +
      `${String(all.length - documented)} more document no success\n` +
      `${String(shown.success)} of ${String(shown.documented)} whose identifiers an answer shows ` +
      `(${share(shown.success, shown.documented)})`,
  );
  const wrong = all.filter(
    ({ verdict }) => verdict !== 'success' && verdict !== 'nothing documented',
  );
  const groups = [
    ...Map.groupBy(
      wrong,
      ({ verdict, reason, isShown }) =>
        `${isShown === false ? 'not shown, ' : ''}${verdict}: ${reason.slice(0, 110)}`,
    ),
  ];
  for (const [reason, group] of groups
    .sort(([, left], [, right]) => right.length - left.length)
    .slice(0, reasons)) {
    const some = group
      .slice(0, 3)
      .map(({ name, operation }) => `${name.split('/')[0] ?? ''} ${operation}`);
    console.log(`${String(group.length).padStart(5)}  ${reason}   (${some.join('; ')})`);
  }
}

await main();
