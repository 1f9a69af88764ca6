import type { RunEvent } from '../../check/model/event.ts';
import { usage, type VouchError } from '../../errors.ts';
import { blobHead, fromPlainData, type PlainData } from './blob.ts';

/**
 * The events of a blob, read line by line: `run-started` first, and nothing after `run-finished`. A
 * truncated file (the job that wrote it was killed) gives the events up to there. Throws a
 * VouchError that names the line if a file is no blob, was written by another vouch, or is damaged.
 */
export async function* readBlob(
  file: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<RunEvent, void> {
  let number = 0;
  let torn: number | undefined;
  let before: RunEvent['type'] | undefined;
  for await (const text of lines) {
    number += 1;
    if (torn !== undefined) throw damaged(file, torn, 'is not a JSON object');
    const data = parseLine(text);
    if (number === 1) readHead(file, data);
    else if (data === undefined) torn = number;
    else {
      const event = readEvent(file, number, data);
      refuseDisorder(event, before, file, number);
      before = event.type;
      yield event;
    }
  }
  if (number === 0) throw notABlob(file, 'it is empty');
}

function refuseDisorder(
  { type }: RunEvent,
  before: RunEvent['type'] | undefined,
  file: string,
  number: number,
): void {
  if (type === 'run-started' && before !== undefined) throw joined(file, number);
  if (type !== 'run-started' && before === undefined)
    throw damaged(file, number, `is ${type}, but the run must start first`);
  if (before === 'run-finished')
    throw damaged(file, number, `is ${type}, after the end of the run`);
}

type Line = { readonly [key: string]: PlainData };

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // JSON.parse returns only JSON, and this is an object.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Line)
      : undefined;
  } catch {
    return undefined;
  }
}

function readHead(file: string, data: Line | undefined): void {
  if (data?.['type'] !== blobHead.type) throw notABlob(file, 'its first line is not a blob header');
  if (data['blob'] !== blobHead.blob)
    throw usage(
      `${file} was written by another version of vouch: its format is ` +
        `${String(data['blob'])}, this version reads ${String(blobHead.blob)}.`,
      { hint: 'Use the same version of vouch for the shards and for the merge.' },
    );
}

function readEvent(file: string, number: number, data: Line): RunEvent {
  const { type } = data;
  if (type === blobHead.type) throw joined(file, number);
  if (!isEventType(type))
    throw damaged(file, number, `is an unknown event: ${JSON.stringify(type) ?? 'it has no type'}`);
  const lack = Object.entries(needed[type]).find(
    ([path, kind]) => !isOfKind(at(data, path), kind),
  )?.[0];
  if (lack !== undefined) throw damaged(file, number, `is ${type} without ${lack}`);
  // The head says that vouch wrote it, in this format.
  return fromPlainData(data) as RunEvent;
}

function notABlob(file: string, why: string): VouchError {
  return usage(`${file} is not a blob: ${why}.`, {
    hint: 'Write one with: vouch check URL --reporter blob=FILE',
  });
}

function damaged(file: string, number: number, why: string): VouchError {
  return usage(`The blob ${file} is damaged: line ${String(number)} ${why}.`, {
    hint: 'Download it again from its job, or run the job again.',
  });
}

function joined(file: string, number: number): VouchError {
  return usage(`${file} contains more than one run: another starts in line ${String(number)}.`, {
    hint: 'Pass each blob as its own file: vouch report merge shard-1.blob shard-2.blob',
  });
}

type Kind = 'text' | 'number' | 'list' | 'object';

/**
 * The members that every report needs, by the type of an event: their place and type. A new type
 * does not compile until it is listed here.
 */
const needed: Readonly<Record<RunEvent['type'], Readonly<Record<string, Kind>>>> = {
  'run-started': {
    'run.id': 'text',
    'run.target': 'text',
    'run.servers': 'object',
    'run.contract.title': 'text',
    'run.contract.version': 'text',
    'run.contract.file': 'text',
    'run.mode': 'text',
    'run.seed': 'text',
    'run.startedAt': 'text',
    'run.version': 'text',
  },
  'operation-skipped': {
    'operation.id': 'text',
    'operation.method': 'text',
    'operation.path': 'text',
    reason: 'text',
  },
  'plan-made': { cases: 'number', requests: 'number' },
  'exchange-recorded': {
    'case.operation': 'text',
    'case.title': 'text',
    'exchange.baseUrl': 'text',
    'exchange.request.headers': 'list',
    'exchange.request.body': 'object',
    'exchange.durationMs': 'number',
  },
  'finding-reported': {
    'finding.id': 'text',
    'finding.check': 'text',
    'finding.severity': 'text',
    'finding.operation.id': 'text',
    'finding.message': 'text',
    'finding.place.file': 'text',
    'finding.frame': 'text',
    'finding.curl': 'list',
    'finding.count': 'number',
    'finding.operations': 'list',
    'finding.evidence': 'text',
  },
  'gap-observed': { 'gap.id': 'text', 'gap.message': 'text', observed: 'text' },
  'difference-found': {
    'difference.operation.id': 'text',
    'difference.kind': 'text',
    'difference.severity': 'text',
  },
  'record-left': { operation: 'text', record: 'text', reason: 'text' },
  'check-crashed': { check: 'text', message: 'text', stack: 'text' },
  'run-finished': {
    'summary.verdict': 'text',
    'summary.reason': 'text',
    'summary.requests': 'number',
    'summary.durationMs': 'number',
    'summary.findings.error': 'number',
    'summary.findings.warning': 'number',
    'summary.findings.note': 'number',
    'summary.operations': 'list',
    'summary.checks': 'list',
  },
};

/** Whether events of this type exist. */
function isEventType(type: unknown): type is RunEvent['type'] {
  return typeof type === 'string' && Object.hasOwn(needed, type);
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (within, key) =>
        typeof within === 'object' && within !== null && Object.hasOwn(within, key)
          ? Reflect.get(within, key)
          : undefined,
      value,
    );
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'object') return typeof value === 'object' && value !== null;
  return typeof value === (kind === 'text' ? 'string' : 'number');
}
