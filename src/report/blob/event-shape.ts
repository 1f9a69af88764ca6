import type { RunEvent } from '../../check/model/event.ts';

type Kind = 'text' | 'number' | 'list' | 'object';

/**
 * What nobody can make a report without, by the type of an event: where it stands, and what it is.
 * A new type does not compile until it is named here.
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
export function isEventType(type: unknown): type is RunEvent['type'] {
  return typeof type === 'string' && Object.hasOwn(needed, type);
}

/**
 * The member without which an event is none, such as `finding.severity`; undefined where nothing is
 * missing.
 */
export function lackOf(type: RunEvent['type'], event: object): string | undefined {
  return Object.entries(needed[type]).find(([path, kind]) => !isOfKind(at(event, path), kind))?.[0];
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
