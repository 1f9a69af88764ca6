import type { RunEvent } from '../../src/check/model/event.ts';
import { sampleRun, sampleSummary, wrongStatus } from './sample-run.ts';

/** What a hostile server, or a hostile contract, would like to see printed. */
export const hostile =
  '\u001b[31mred\u001b]8;;http://evil.example\u0007\u009b2J\u202egnp.exe ' +
  '\r\n::error::owned\n##[error]owned <script>alert(1)</script> ]]> & "\' ' +
  '| `` @team \ufffe\ud800 %0A,:';

/** A run in which every text that comes from outside is hostile. */
export const hostileEvents: readonly RunEvent[] = [
  {
    type: 'run-started',
    run: {
      ...sampleRun,
      target: hostile,
      seed: hostile,
      servers: { [hostile]: hostile },
      contract: { title: hostile, version: hostile, file: hostile },
    },
  },
  {
    type: 'operation-skipped',
    operation: { id: hostile, method: 'GET', path: hostile },
    reason: hostile,
  },
  ...(['error', 'warning', 'note'] as const).map((severity): RunEvent => ({
    type: 'finding-reported',
    finding: {
      ...wrongStatus,
      ...{
        id: hostile,
        check: hostile,
        severity,
        message: hostile,
        expected: hostile,
        actual: hostile,
        trying: hostile,
        frame: hostile,
        evidence: hostile,
      },
      operation: { id: hostile, method: hostile, path: hostile },
      operations: [hostile],
      place: { file: hostile, line: 1, column: 1 },
      curl: [`curl ${hostile}`],
      exchange: {
        baseUrl: hostile,
        request: { method: 'GET', target: hostile, headers: [], body: new Uint8Array() },
        response: {
          status: 200,
          headers: [['content-type', hostile]],
          body: new TextEncoder().encode(hostile),
        },
        fault: { kind: 'protocol.not-http', message: hostile },
        durationMs: 1,
      },
    },
  })),
  { type: 'gap-observed', gap: { id: hostile, message: hostile }, observed: hostile },
  { type: 'record-left', operation: hostile, record: hostile, reason: hostile },
  { type: 'check-crashed', check: hostile, message: hostile, stack: hostile },
  {
    type: 'run-finished',
    summary: {
      ...sampleSummary,
      reason: hostile,
      operations: [
        {
          id: hostile,
          method: 'GET',
          path: hostile,
          requests: 1,
          errors: 1,
          warnings: 1,
          notes: 1,
          statuses: { [hostile]: 1 },
          checks: { [hostile]: 1 },
        },
      ],
      checks: [{ id: hostile, inspected: 1, findings: 1 }],
    },
  },
];
