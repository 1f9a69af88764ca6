import { fields, listOf, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { addRow, archiveRow, changeRow, entryCreation, shownAfter } from './objects.ts';
import type { Row } from './store.ts';

type Call = api.Call;

const batchOf = (entry: Rule): Rule =>
  fields(
    { inputs: listOf(entry, { min: 1, max: 100 }), properties: api.names, idProperty: api.id },
    ['inputs'],
  );

const creations = batchOf(entryCreation);
const reads = batchOf(fields({ id: api.id }, ['id']));
const changes = batchOf(
  fields({ id: api.id, properties: api.record, idProperty: api.id, objectWriteTraceId: api.id }, [
    'id',
    'properties',
  ]),
);

interface Input {
  readonly id: string;
  readonly idProperty?: string;
  readonly properties: Json;
  readonly objectWriteTraceId?: string;
}

interface Batch {
  /** The status if no entry fails. */
  readonly status: number;
  readonly run: (input: Input, among: readonly Row[]) => Json;
}

/** Runs each entry of a batch for itself. */
function runBatch(call: Call, inputs: readonly Input[], { status, run }: Batch): Answer {
  const { service, portal } = call;
  const { has, varies, now } = service;
  const startedAt = api.time(now(), service);
  const among = has('batch-email-twice') ? [...portal.rows] : portal.rows;
  const [results, errors]: [Json[], Json[]] = [[], []];
  for (const input of inputs)
    try {
      results.push(run(input, among));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const found = error.answer.json as Json;
      const { objectWriteTraceId: trace } = input;
      const context = trace === undefined ? {} : { objectWriteTraceId: [trace] };
      errors.push({ ...found, context: { ...(found['context'] as Json | undefined), ...context } });
      if (has('batch-stops-at-fault')) break;
    }
  const isFailed = errors.length > 0;
  const json = {
    status: 'COMPLETE',
    results: varies('batches-reversed') ? results.toReversed() : results,
    ...(isFailed ? { numErrors: errors.length, errors } : {}),
    ...{ startedAt, completedAt: api.time(now(), service) },
  };
  const isHidden = has('batch-failures-as-201') && status === 201;
  return { status: isFailed && !isHidden ? 207 : status, json };
}

const needWrite = (call: Call): void => {
  if (!call.service.has('scope-of-batches-unchecked'))
    api.need(call, api.scope('contacts', 'write'));
};

const inputsOf = (body: Json): readonly Input[] => body['inputs'] as readonly Input[];

export function createBatch(call: Call): Answer {
  needWrite(call);
  const inputs = inputsOf(api.readBody(call, creations));
  const run = (input: Input, among: readonly Row[]): Json => {
    const body = input as unknown as Json;
    return api.show(call, addRow(call, 'contacts', body, { among }), shownAfter('contacts', body));
  };
  return runBatch(call, inputs, { status: 201, run });
}

/** The contact that an entry names. */
const rowOf = (call: Call, { id, idProperty }: Pick<Input, 'id' | 'idProperty'>): Row =>
  idProperty === undefined
    ? api.find(call, 'contacts', id)
    : api.findBy(call, 'contacts', [id, idProperty]);

export function readBatch(call: Call): Answer {
  api.need(call, api.scope('contacts', 'read'));
  const body = api.readBody(call, reads);
  const { properties, idProperty } = body as {
    readonly properties?: readonly string[];
    readonly idProperty?: string;
  };
  const by = idProperty === undefined ? {} : { idProperty };
  const shown = properties === undefined ? {} : { properties };
  const run = ({ id }: Input): Json => api.show(call, rowOf(call, { id, ...by }), shown);
  return runBatch(call, inputsOf(body), { status: 200, run });
}

export function updateBatch(call: Call): Answer {
  needWrite(call);
  const inputs = inputsOf(api.readBody(call, changes));
  const run = (input: Input): Json => {
    const body = { properties: input.properties };
    const row = rowOf(call, input);
    changeRow(call, row, body);
    return api.show(call, row, shownAfter('contacts', body));
  };
  return runBatch(call, inputs, { status: 200, run });
}

export function archiveBatch(call: Call): Answer {
  needWrite(call);
  const wanted = inputsOf(api.readBody(call, reads)).map(({ id }) => id);
  for (const row of call.portal.rows)
    if (
      row.type === 'contacts' &&
      row.archivedAt === null &&
      wanted.some((id) => api.isIt(row, id))
    )
      archiveRow(call, row);
  return { status: 204 };
}
