import type { RunEvent } from '../../../src/check/model/event.ts';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import type { Finding } from '../../../src/check/model/finding.ts';
import {
  extraField,
  resetConnection,
  sampleEvents,
  sampleRun,
  sampleSummary,
  slowOperation,
  wrongStatus,
} from '../sample-run.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const shown = wrongStatus.exchange!;

/** An exchange of the sample run with another answer. */
export function answered(
  body: Uint8Array | string,
  headers: readonly (readonly [string, string])[] = [['Content-Type', 'application/json']],
): Exchange {
  return {
    ...shown,
    response: { status: 200, headers, body: typeof body === 'string' ? encode(body) : body },
  };
}

/** An exchange as a run tells it. */
function recorded(exchange: Exchange, number: number): RunEvent {
  return {
    type: 'exchange-recorded',
    case: {
      id: `c${String(number)}`,
      title: `case ${String(number)}`,
      phase: number % 2 === 0 ? 'read' : 'boundary',
      operation: number % 3 === 0 ? 'createPet' : 'listPets',
    },
    exchange,
    elapsedMs: number,
  };
}

function reported(finding: Finding): RunEvent {
  return { type: 'finding-reported', finding };
}

/** A list of so many pets, of which one breaks the contract, and the first has the name. */
const listOf = (length: number, lost: number, name = 'Pet 0'): string =>
  JSON.stringify(
    Array.from({ length }, (_, id) => ({
      id,
      name: id === 0 ? name : `Pet ${String(id)}`,
      status: id === lost ? 'lost' : 'sold',
    })),
  );
/** A finding whose matter is beyond the part of a body that is shown at first. */
const deepFinding: Finding = {
  ...wrongStatus,
  id: 'deep01',
  exchange: answered(listOf(400, 300)),
  expected: 'the value at /300/status must be one of available, pending, sold',
  actual: '"lost"',
};

/** Bodies as they come in the wild, each in an exchange of its own, by number. */
const bodies: readonly Exchange[] = [
  answered('{"id":9007199254740993,"name":"Zoë","tags":[]}', [
    ['Content-Type', 'application/json'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ]),
  answered(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00, 0xff), [['Content-Type', 'image/png']]),
  answered(Uint8Array.of(...encode('{"name":"Bisc'), 0xff, 0x22, 0x7d)),
  answered('x'.repeat(16_000), [['Content-Type', 'text/plain']]),
  answered('y'.repeat(300_000), [['Content-Type', 'text/plain']]),
  answered('', []),
];

const coverage = {
  statuses: { reached: 1, total: 2 },
  inputs: { reached: 1, total: 2 },
  operations: [
    {
      operation: 'listPets',
      statuses: [
        { status: '200', media: 'application/json', reached: true },
        { status: '404', reached: false, why: 'no request asks for a record' },
      ],
      inputs: [
        {
          name: 'limit',
          in: 'query' as const,
          classes: [
            { class: 'minimum', reached: true },
            { class: 'maximum', reached: false, why: 'nothing says how large it may be' },
          ],
        },
      ],
    },
    { operation: 'sendMessage', why: 'its server has no URL', statuses: [], inputs: [] },
  ],
};

/** One shard of a comparison under a baseline: every part that a page may have. */
export const fullRun: readonly RunEvent[] = [
  {
    type: 'run-started',
    run: { ...sampleRun, against: 'http://127.0.0.1:4020/v1', shard: { index: 2, count: 4 } },
  },
  ...sampleEvents.slice(1, 3),
  ...[shown, ...bodies, resetConnection.exchange!].map(recorded),
  ...[
    wrongStatus,
    deepFinding,
    resetConnection,
    slowOperation,
    extraField,
    {
      ...wrongStatus,
      id: 'known1',
      check: 'sort-holds',
      message: 'the list is in another order',
      severity: 'note',
      accepted: 'error',
    } as const,
  ].map(reported),
  {
    type: 'difference-found',
    difference: {
      id: 'd1',
      operation: { id: 'listPets', method: 'GET', path: '/pets' },
      kind: 'status',
      severity: 'warning',
      at: '',
      trying: 'limit is 0',
      count: 2,
      left: '400',
      right: '200',
    },
  },
  {
    type: 'difference-found',
    difference: {
      id: 'd2',
      operation: { id: 'listPets', method: 'GET', path: '/pets' },
      kind: 'shape',
      severity: 'note',
      at: '/items/*/price',
      trying: 'a plain request',
      count: 1,
      left: 'a number',
      right: 'a text',
    },
  },
  ...sampleEvents.slice(8, 11),
  {
    type: 'run-finished',
    summary: {
      ...sampleSummary,
      findings: { error: 3, warning: 1, note: 1 },
      coverage,
      skippedFindings: [
        {
          check: 'limit-holds',
          severity: 'error',
          operation: 'listPets',
          message: 'The page is too long.',
          count: 2,
          reason: 'known, VET-12',
          until: '2030-12-31',
        },
      ],
    },
  },
];

/**
 * The same without the thousand lines of a list, which are all alike and which an audit of a page
 * reads one by one. A name is cut short, as the list was.
 */
export const briefRun: readonly RunEvent[] = fullRun.map((event) =>
  event.type === 'finding-reported' && event.finding.id === deepFinding.id
    ? reported({
        ...deepFinding,
        exchange: answered(listOf(30, 2, 'P'.repeat(700))),
        expected: 'the value at /2/status must be one of available, pending, sold',
      })
    : event,
);

/** A run with nothing to tell but that it went well. */
export const cleanRun: readonly RunEvent[] = [
  { type: 'run-started', run: sampleRun },
  recorded(answered('[]'), 0),
  {
    type: 'run-finished',
    summary: {
      ...sampleSummary,
      verdict: 'passed',
      reason: '1 response conforms.',
      requests: 1,
      findings: { error: 0, warning: 0, note: 0 },
      operations: [{ ...sampleSummary.operations[2]!, requests: 1 }],
    },
  },
];

/** A run that was stopped by hand. */
export const interruptedRun: readonly RunEvent[] = [
  { type: 'run-started', run: sampleRun },
  reported(wrongStatus),
  {
    type: 'run-finished',
    summary: {
      ...sampleSummary,
      verdict: 'interrupted',
      reason: 'Interrupted after 12 of 1,300 requests.',
      findings: { error: 1, warning: 0, note: 0 },
    },
  },
];

/** A run whose answers are all alike, and many. */
export function longRun(count: number): readonly RunEvent[] {
  return [
    { type: 'run-started', run: sampleRun },
    ...Array.from({ length: count }, (_, at) => recorded(shown, at)),
    { type: 'run-finished', summary: { ...sampleSummary, requests: count } },
  ];
}
