import { setImmediate } from 'node:timers/promises';
import {
  type CheckOptions,
  type PlannedRequest,
  streamCheckPlan,
  type StreamedPlan,
} from '../../check/engine/check-target.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import { describeCredentialNote } from '../../check/secrets/credential-note.ts';
import { usage } from '../../errors.ts';
import { roughDuration } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { Io } from '../io.ts';
import type { CheckFlags } from './check-flags.ts';

/** Prints a plan in pieces; a signal can stop it between two of them. */
export async function printPlan(
  io: Io,
  flags: CheckFlags,
  options: CheckOptions,
): Promise<Verdict> {
  const forMachines = isForMachines(flags, 'plan');
  const plan = await streamCheckPlan(options);
  if (plan === undefined) return 'interrupted';
  for (const piece of formatPlan(plan, forMachines)) {
    io.out(piece);
    await setImmediate();
    if (io.signal.aborted) return 'interrupted';
  }
  return 'passed';
}

/** JSON is the only machine-readable format of a plan, and of a proof. */
export function isForMachines(
  { reporter }: Pick<CheckFlags, 'reporter'>,
  noun: 'plan' | 'proof',
): boolean {
  const other = reporter.find((word) => word !== 'json' && word !== 'pretty');
  if (other !== undefined)
    throw usage(`The reporter ${other} cannot print a ${noun}.`, {
      hint: 'Remove --reporter for text, or use --reporter json.',
    });
  return reporter.includes('json');
}

/**
 * Formats a plan piece by piece: a line for each request and its body, if any, below it; or one
 * JSON object.
 */
function* formatPlan(plan: StreamedPlan, forMachines = false): Generator<string, void> {
  yield* inPieces(forMachines ? planAsJson(plan) : planAsText(plan));
}

function* planAsText(plan: StreamedPlan): Generator<string, void> {
  yield (
    `Plan for ${plan.target}: ${String(plan.count)} requests, ${plan.mode}, ` +
    `seed ${plan.seed}. No request is sent.\n`
  );
  for (const note of plan.credentials ?? []) yield `${cleanLine(describeCredentialNote(note))}\n`;
  const [quick, slow] = [100, 300].map((ms) => roughDuration(plan.rounds * ms));
  yield (
    `It takes about ${quick ?? ''} if each answer takes 100 ms, ${slow ?? ''} if 300 ms, ` +
    'without confirmations and cleanup.\n'
  );
  for (const { operation, reason } of plan.skipped)
    yield `skipped ${operation.method} ${operation.path}: ${reason}\n`;
  yield '\n';
  for (const request of plan.requests) yield `${formatRequest(request)}\n`;
}

function* planAsJson({
  requests,
  count: _count,
  rounds: _rounds,
  ...plan
}: StreamedPlan): Generator<string, void> {
  yield `${JSON.stringify(plan, null, 2).slice(0, -2)},\n  "requests": [`;
  let before = '';
  for (const request of requests) {
    yield `${before}\n    ${JSON.stringify(request)}`;
    before = ',';
  }
  yield '\n  ]\n}\n';
}

const pieceLength = 64 * 1024;

/** Joins small texts, because each write has a cost. */
function* inPieces(texts: Iterable<string>): Generator<string, void> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function formatRequest(request: PlannedRequest): string {
  const body =
    request.body === undefined ? '' : `\n${' '.repeat(10)}${cleanLine(request.body).slice(0, 200)}`;
  const effect = request.effect === 'reads' ? '' : ` [${request.effect}]`;
  const url = cleanLine(request.url).slice(0, 300);
  return (
    `${request.phase.padEnd(9)} ${request.method} ${url}${effect}  # ` +
    `${cleanLine(request.title)}${body}`
  );
}
