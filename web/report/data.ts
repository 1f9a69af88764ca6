import type {
  PackedExchanges,
  PageData,
  PageExchange,
  PageFinding,
  PageRow,
} from '../../src/report/html/page-data.ts';
import { shortened } from '../shared/text.ts';
import { unpackText } from './body.ts';

export type OperationSummary = PageData['summary']['operations'][number];
export type Coverage = NonNullable<PageData['summary']['coverage']>['operations'][number];

/** The data of the page. `main.tsx` unpacks its blocks before this module is evaluated. */
export const data = readData();
export const { run, summary } = data;

/** All findings; those in the baseline come last. */
export const findings: readonly PageFinding[] = [
  ...data.findings.filter(({ accepted }) => accepted === undefined),
  ...data.findings.filter(({ accepted }) => accepted !== undefined),
];

export interface ExchangeRow {
  readonly number: number;
  readonly operation: string;
  readonly phase: string;
  readonly title: string;
  readonly method: string;
  readonly target: string;
  /** A status, or why there is none. */
  readonly outcome: number | string;
  readonly ms: number;
  /** The end of the exchange in milliseconds from the start of the run. */
  readonly at: number;
}

let knownRows: readonly ExchangeRow[] | undefined;

/** Every exchange in short form. Without recorded times, exchanges are in sequence. */
export function allRows(): readonly ExchangeRow[] {
  knownRows ??= readRows();
  return knownRows;
}

/** Whether the rows are unpacked; until then, `allRows` must not be called. */
export function areRowsReady(): boolean {
  return document.querySelector('script[data-rows][type="application/x-deflate"]') === null;
}

type Parts = 'headers' | 'body';

/** An exchange in full; undefined if the report left it out for its size. */
export async function readExchange(number: number): Promise<PageExchange | undefined> {
  const block = document.querySelector(
    `script[data-details="${String(Math.floor(number / data.step))}"]`,
  );
  if (block === null) return undefined;
  const { texts, exchanges } = JSON.parse(await unpackText(block.textContent)) as PackedExchanges;
  const packed = exchanges[number % data.step];
  if (packed === undefined) return undefined;
  const { request, response, ...rest } = packed;
  const textAt = (place: number): string => texts[place] ?? '';
  const partsOf = ({
    headers,
    body,
  }: Pick<typeof request, Parts>): Pick<PageExchange['request'], Parts> => ({
    headers: headers.map(([name, value]) => [textAt(name), textAt(value)] as const),
    body: { ...body, text: textAt(body.text) },
  });
  return {
    ...rest,
    request: { ...request, ...partsOf(request) },
    ...(response === undefined ? {} : { response: { ...response, ...partsOf(response) } }),
  };
}

function readData(): PageData {
  const block = document.getElementById('end');
  if (block === null) throw new Error('The block with the end of the run is missing.');
  return readBlock(block) as PageData;
}

/** The reporter wrote the block, so its type is known. */
function readBlock(block: Element): unknown {
  return JSON.parse(block.textContent);
}

function readRows(): ExchangeRow[] {
  let spent = 0;
  return [...document.querySelectorAll('script[data-rows]')]
    .flatMap((block) => readBlock(block) as PageRow[])
    .map(([number, operation, phase, title, method, target, outcome, ms, at]) => {
      spent += ms;
      return { number, operation, phase, title, method, target, outcome, ms, at: at ?? spent };
    });
}

/** The class of an outcome: `2xx`, or no response. */
export function classOf(outcome: number | string): string {
  return typeof outcome === 'number' ? `${String(Math.floor(outcome / 100))}xx` : 'no answer';
}

const classKinds: Readonly<Record<string, string>> = {
  '1xx': 'note',
  '2xx': 'kept',
  '3xx': 'note',
  '4xx': 'warning',
  '5xx': 'error',
  'no answer': 'none',
};

/** The color of a class of outcomes. */
export function kindOfClass(name: string): string {
  return classKinds[name] ?? 'none';
}

export function kindOf(outcome: number | string): string {
  return typeof outcome === 'number' ? (classKinds[classOf(outcome)] ?? 'error') : 'error';
}

/** How an operation fared: an error, at least one judged success, or neither. */
export type OperationVerdict = 'failed' | 'passed' | 'not covered';

export const verdictKinds: Readonly<Record<OperationVerdict, string>> = {
  failed: 'error',
  passed: 'kept',
  'not covered': 'none',
};

export function verdictOf({ id, errors, requests, shut }: OperationSummary): OperationVerdict {
  if (errors > 0) return 'failed';
  const isReached = requests > 0 && shut === undefined && !data.untested.includes(id);
  return isReached ? 'passed' : 'not covered';
}

const operationsById = new Map(summary.operations.map((operation) => [operation.id, operation]));
/** Longer names of operations are cut, except on their own page. */
export const longestTitle = 200;
/** Longer messages of findings are shown in full in one place, and cut elsewhere. */
export const longestMessage = 600;

/** Method and path of an operation, or its id if the contract does not have it. */
export function titleOf(id: string): string {
  const operation = operationsById.get(id);
  return shortened(operation === undefined ? id : nameOf(operation), longestTitle);
}

/** Method and path: `GET /pets`. */
export function nameOf({ method, path }: Pick<OperationSummary, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The durations of each operation's exchanges, by its id, the shortest first. */
export function durationsByOperation(): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { operation, ms } of allRows()) {
    const known = times.get(operation);
    if (known === undefined) times.set(operation, [ms]);
    else known.push(ms);
  }
  for (const each of times.values()) each.sort((left, right) => left - right);
  return times;
}

/** The value that a share of the sorted values does not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
