import { sentForm } from '../../../contract/model/operation.ts';
import type { Contract, Effect, Operation, Resource } from '../../../contract/model.ts';
import { isTrial } from '../../../contract/protocols/trial.ts';
import { type HttpResponse, isSuccess } from '../../../http/message.ts';
import { memberOf, type JsonValue } from '../../../json/value.ts';
import { roleOf, type Sent, showValue, type Step } from '../../model/step.ts';
import { createdIdentifier, isIdentifier } from '../../reading/created-record.ts';
import { givenPathValues } from '../memory/ownership.ts';
import type { Case } from '../../model/case.ts';
import type { LeftRecords, RecordChanges, RecordName } from '../../model/record.ts';
import type { RecordGuard } from '../send/record-guard.ts';

/** The possible effect of an accepted request that no record of the run accounts for. */
type Trace = Unnamed | { readonly kind: Named; readonly identifier: JsonValue };

interface Unnamed {
  readonly kind: 'unknown' | 'unanswered';
  /** How many records the request holds. Default: one. */
  readonly records?: number;
}

/**
 * Why a record with a known name may not be the run's own: an earlier answer showed it, the
 * contract gives that name, or the run sent it and no answer confirms it.
 */
type Named = 'not own' | 'given' | 'sent';

const whyNotOwn: Readonly<Record<Named, string>> = {
  'not own': 'an earlier answer showed it, so the record may not be the run’s own',
  given: 'the contract gives that name, so the record may not be the run’s own',
  sent: 'the run sent that name, and no answer says that it is the record’s',
};

interface Writes {
  readonly operation: Operation;
  readonly method: string;
  readonly traces: Trace[];
}

/** The dependencies for interpreting accepted writes. */
export interface AcceptedWritesParts {
  readonly contract: Contract;
  readonly guard: RecordGuard;
  effectOf(operation: Operation): Effect | undefined;
}

/**
 * Counts requests that may have changed something that no record of the run accounts for:
 * successes, and requests without a response. Known records of the run are not counted.
 */
export class AcceptedWrites {
  readonly #parts: AcceptedWritesParts;
  readonly #writes = new Map<string, Writes>();

  constructor(parts: AcceptedWritesParts) {
    this.#parts = parts;
  }

  /** Adds a step with its changes of the run's records; returns whether it is counted. */
  note(step: Step, changes: RecordChanges): boolean {
    const { operation, request } = step.case;
    const whole = this.#traceOf(step, changes);
    const isCreate = this.#parts.effectOf(operation) === 'creates one';
    const trace = isCreate ? sized(whole, step.sent) : whole;
    if (trace === undefined) return false;
    const sent = sentForm(operation);
    const method = request.method ?? sent.method;
    const key = `${method} ${sent.path}`;
    const writes = this.#writes.get(key) ?? { operation, method, traces: [] };
    this.#writes.set(key, writes);
    writes.traces.push(trace);
    return true;
  }

  #traceOf(step: Step, { made, lost, isRepeated }: RecordChanges): Trace | undefined {
    const { case: testCase, exchange } = step;
    if (isTrial(step.sent.arguments)) return undefined;
    if (isRepeated === true) return { kind: 'unknown' };
    if (!this.#parts.guard.mayChange(testCase) || made !== undefined || lost.length > 0)
      return undefined;
    const method = testCase.request.method ?? testCase.operation.method;
    // A deletion leaves nothing, and a change of a singleton is restored.
    if (method === 'DELETE' || isPutBack(testCase)) return undefined;
    const { response, fault } = exchange;
    if (response === undefined) {
      return method === 'POST' && !neverLeft(fault?.kind) ? { kind: 'unanswered' } : undefined;
    }
    return isSuccess(response.status) ? this.#traceOfSuccess(step, response) : undefined;
  }

  #traceOfSuccess(step: Step, response: HttpResponse): Trace | undefined {
    const { sent } = step;
    const { operation, request } = step.case;
    // A record of another identity is unknown to the run until that identity deletes it.
    if (request.identity !== undefined && (operation.method === 'POST' || response.status === 201))
      return { kind: 'unknown' };
    const isOwn = this.#parts.guard.ownRecordOf(operation, sent) !== undefined;
    const role = roleOf(this.#parts.contract, operation);
    const isCreate = role?.action === 'create' && request.method === undefined;
    // A change of a record of the run disappears with the record; what an action made may stay: 201
    // says that it made something (RFC 9110, section 15.3.2).
    const acts = this.#parts.effectOf(operation) === 'acts on one';
    if (isOwn && !isCreate)
      return acts && response.status === 201 ? { kind: 'unknown' } : undefined;
    return isCreate ? this.#traceOfCreate(step, role.resource) : { kind: 'unknown' };
  }

  #traceOfCreate(step: Step, resource: Resource): Trace | undefined {
    const { guard } = this.#parts;
    const { operation } = step.case;
    // What is made below a record of the run goes with that record.
    const parents = givenPathValues(operation, step.sent);
    if (guard.isBelowOwn({ resource, parents })) return undefined;
    const identifier = createdIdentifier(resource, step);
    if (identifier === undefined) return sentName(resource, step.sent) ?? { kind: 'unknown' };
    if (guard.owns({ resource, identifier, parents: new Map() })) return undefined;
    return { kind: guard.isGiven(operation, identifier) ? 'given' : 'not own', identifier };
  }

  /** Attributes records that were found to their creates: each to the one that sent its name. */
  forget(found: readonly RecordName[]): void {
    for (const { resource, identifier } of found) {
      const create = resource.operations.create;
      const traces =
        this.#writes.get(`${create?.method ?? ''} ${create?.path ?? ''}`)?.traces ?? [];
      const isOf = (trace: Trace): boolean =>
        'identifier' in trace && String(trace.identifier) === String(identifier);
      const sent = traces.findIndex(isOf);
      const at = sent === -1 ? traces.findIndex((trace) => !('identifier' in trace)) : sent;
      const one = traces[at];
      if (one === undefined) continue;
      if ('identifier' in one || recordsOf([one]) < 2) traces.splice(at, 1);
      else traces[at] = { ...one, records: recordsOf([one]) - 1 };
    }
  }

  /** What may be left: one entry per operation and kind of trace. */
  left(): LeftRecords[] {
    return [...this.#writes.values()].flatMap((writes) => [
      ...this.#unknown(writes),
      ...unanswered(writes),
      ...named(writes, 'not own'),
      ...named(writes, 'given'),
      ...named(writes, 'sent'),
    ]);
  }

  #unknown({ operation, method, traces }: Writes): LeftRecords[] {
    const unknown = traces.filter(({ kind }) => kind === 'unknown');
    if (unknown.length === 0) return [];
    const sent = sentForm(operation);
    const where = `${method} ${sent.path}`;
    const creates = this.#parts.effectOf(operation) === 'creates one' && method === sent.method;
    const count = creates ? recordsOf(unknown) : unknown.length;
    const base = { operation: operation.id, count, code: 'identifier-unknown' } as const;
    if (creates) {
      const record = `${records(count)} of ${where}, identifiers unknown`;
      return [{ ...base, record, reason: 'the responses do not show which records they are' }];
    }
    const requests = count === 1 ? '1 request' : `${String(count)} requests`;
    const record = `what ${requests} to ${where} did`;
    return [
      { ...base, record, reason: 'nothing in the contract shows what was done, or how to undo it' },
    ];
  }
}

/** A trace with the number of records in the list that was sent; an empty list leaves none. */
function sized(trace: Trace | undefined, { body }: Sent): Trace | undefined {
  if (trace === undefined || 'identifier' in trace || !Array.isArray(body)) return trace;
  return body.length === 0 ? undefined : { ...trace, records: body.length };
}

function recordsOf(traces: readonly Trace[]): number {
  return traces
    .map((trace) => ('records' in trace ? (trace.records ?? 1) : 1))
    .reduce((sum, count) => sum + count, 0);
}

function isPutBack({ request: { body } }: Case): boolean {
  return body?.kind === 'json' && body.onto !== undefined;
}

function unanswered({ operation, method, traces }: Writes): LeftRecords[] {
  const count = recordsOf(traces.filter(({ kind }) => kind === 'unanswered'));
  if (count === 0) return [];
  const { path } = sentForm(operation);
  const record = `up to ${records(count)} of ${method} ${path}, identifiers unknown`;
  const reason = count === 1 ? 'its request got no answer' : 'their requests got no answer';
  return [{ operation: operation.id, count, code: 'unanswered', record, reason }];
}

function named({ operation, method, traces }: Writes, kind: Named): LeftRecords[] {
  const names = new Set(
    traces.flatMap((trace) => (trace.kind === kind ? showValue(trace.identifier) : [])),
  );
  if (names.size === 0) return [];
  const { path } = sentForm(operation);
  const record = `${records(names.size)} of ${method} ${path} (${[...names].join(', ')})`;
  const reason = whyNotOwn[kind];
  return [{ operation: operation.id, count: names.size, code: 'not-own', record, reason }];
}

/** The name that a request gave the record which it creates. */
function sentName({ identifier: { field } }: Resource, { body }: Sent): Trace | undefined {
  const name = memberOf(body, field);
  return isIdentifier(name) ? { kind: 'sent', identifier: name } : undefined;
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${String(count)} records`;
}

/** Whether the request certainly did not arrive. */
function neverLeft(fault: string | undefined): boolean {
  return (
    fault === 'connection.refused' ||
    fault === 'dns.failed' ||
    fault === 'tls.failed' ||
    fault === 'proxy.failed'
  );
}
