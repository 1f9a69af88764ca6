import type { RunEvent, RunInfo } from '../../src/check/model/event.ts';
import type { Exchange } from '../../src/check/model/exchange.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import type { RunSummary } from '../../src/check/model/run-summary.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const sampleRun: RunInfo = {
  id: 'vouch-7f3a9c',
  target: 'http://127.0.0.1:4010/v1',
  servers: { messages: 'http://127.0.0.1:4011' },
  contract: {
    title: 'Pet Store Service Interface',
    version: '1.0.0',
    file: 'openapi/petstore.v1.yaml',
  },
  mode: 'read-write',
  seed: '42',
  startedAt: '2030-06-01T09:30:00.000Z',
  version: '0.1.0',
};

const listExchange: Exchange = {
  baseUrl: 'http://127.0.0.1:4010/v1',
  request: {
    method: 'GET',
    target: '/v1/pets?status=sold',
    headers: [['authorization', 'Bearer $VOUCH_TOKEN']],
    body: bytes(''),
  },
  response: {
    status: 200,
    headers: [['Content-Type', 'application/json; charset=utf-8']],
    body: bytes('[{"id":1,"name":"Biscuit","categoryId":1,"status":"lost"}]'),
  },
  durationMs: 3.2,
};

export const wrongStatus: Finding = {
  id: 'f3a9c2',
  check: 'body-matches-schema',
  basis: 'contract',
  severity: 'error',
  blame: 'server',
  operation: { id: 'listPets', method: 'GET', path: '/pets' },
  message: 'the answer has a status that the contract does not know',
  expected: 'one of available, pending, sold',
  actual: '"lost" at /0/status',
  trying: 'a plain request with the filter status=sold',
  pointer: '/components/schemas/PetStatus/enum',
  place: { file: 'openapi/petstore.v1.yaml', line: 366, column: 7 },
  frame: [
    '  364 |       description: The state of an animal.',
    '  365 |       type: string',
    '> 366 |       enum: [available, pending, sold]',
    '      |       ^',
    '  367 |',
  ].join('\n'),
  exchange: listExchange,
  curl: [
    `curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept: ` +
      `application/json, application/problem+json' 'http://127.0.0.1:4010/v1/` +
      `pets?status=sold'`,
  ],
  count: 12,
  operations: ['listPets', 'getPet'],
  evidence: 'a body that breaks its schema needs no control; it came in 12 of 12 answers',
};

export const resetConnection: Finding = {
  ...wrongStatus,
  id: '0b44de',
  check: 'operation-answers',
  blame: 'undecided',
  operation: { id: 'createPet', method: 'POST', path: '/pets' },
  message:
    'the connection was reset before an answer came, while other operations ' +
    'answered all the time and went on doing so afterwards',
  expected: 'an answer',
  actual: 'a reset connection',
  trying: 'name is a text of 10,000 characters',
  pointer: '/paths/~1pets/post',
  place: { file: 'openapi/petstore.v1.yaml', line: 120, column: 5 },
  frame: '> 120 |     post:\n      |     ^',
  exchange: {
    baseUrl: 'http://127.0.0.1:4010/v1',
    request: {
      method: 'POST',
      target: '/v1/pets',
      headers: [['content-type', 'application/json']],
      body: bytes('{}'),
    },
    fault: { kind: 'connection.reset', message: 'read ECONNRESET' },
    durationMs: 1240,
  },
  curl: [
    `curl --path-as-is -X POST --data-raw '{}' 'http://127.0.0.1:4010/v1/pets'`,
    `curl --path-as-is 'http://127.0.0.1:4010/v1/pets'`,
  ],
  count: 1,
  operations: ['createPet'],
  evidence: 'repeated twice',
};

export const slowOperation: Finding = {
  ...wrongStatus,
  id: '77aa01',
  check: 'answers-in-time',
  basis: 'advice',
  severity: 'warning',
  message: 'one answer in twenty took longer than 2 s',
  expected: 'less than 2 s for 95 of 100 answers',
  actual: '2.41 s',
  trying: 'every request to it',
  pointer: '/paths/~1pets/get',
  place: { file: 'openapi/petstore.v1.yaml', line: 72, column: 5 },
  frame: '> 72 |     get:\n     |     ^',
  curl: [],
  count: 1,
  operations: ['listPets'],
  evidence: '112 answers were timed',
};

export const extraField: Finding = {
  ...slowOperation,
  id: '91c0de',
  check: 'fields-documented',
  severity: 'note',
  message: 'the answer has the field tags, which the contract does not name',
  count: 40,
};

export const sampleSummary: RunSummary = {
  verdict: 'failed',
  reason: '2 errors in 2 of 5 operations.',
  requests: 1301,
  durationMs: 1240,
  findings: { error: 2, warning: 1, note: 1 },
  operations: [
    {
      id: 'listPets',
      method: 'GET',
      path: '/pets',
      requests: 1112,
      errors: 1,
      warnings: 1,
      notes: 1,
      statuses: { 200: 1080, 400: 20, 401: 12 },
      checks: { 'no-server-error': 1112, 'body-matches-schema': 1080, 'operation-answers': 1112 },
    },
    {
      id: 'createPet',
      method: 'POST',
      path: '/pets',
      requests: 96,
      errors: 1,
      warnings: 0,
      notes: 0,
      statuses: { 201: 60, 400: 30, 401: 5 },
      checks: { 'no-server-error': 96, 'operation-answers': 96 },
    },
    {
      id: 'getPet',
      method: 'GET',
      path: '/pets/{petId}',
      requests: 93,
      errors: 0,
      warnings: 0,
      notes: 0,
      statuses: { 200: 80, 404: 13 },
      checks: { 'no-server-error': 93, 'body-matches-schema': 93, 'operation-answers': 93 },
    },
    {
      id: 'getStoreOrders',
      method: 'GET',
      path: '/store/orders',
      requests: 0,
      errors: 0,
      warnings: 0,
      notes: 0,
      statuses: {},
      checks: {},
    },
    {
      id: 'sendMessage',
      method: 'POST',
      path: '/messages',
      requests: 0,
      errors: 0,
      warnings: 0,
      notes: 0,
      skipped: 'its server has no URL',
      statuses: {},
      checks: {},
    },
  ],
  checks: [
    { id: 'no-server-error', inspected: 1301, findings: 0 },
    { id: 'body-matches-schema', inspected: 1240, findings: 1 },
    { id: 'operation-answers', inspected: 1301, findings: 1 },
    { id: 'deprecation-announced', inspected: 0, findings: 0 },
  ],
};

/** Every kind of event, in the order in which a run would tell them. */
export const sampleEvents: readonly RunEvent[] = [
  { type: 'run-started', run: sampleRun },
  {
    type: 'operation-skipped',
    operation: { id: 'sendMessage', method: 'POST', path: '/messages' },
    reason: 'its server has no URL; give one with --server messages=URL',
  },
  { type: 'plan-made', cases: 62, requests: 1300 },
  {
    type: 'exchange-recorded',
    case: {
      id: 'listPets.filter.sold',
      title: 'status=sold',
      phase: 'read',
      operation: 'listPets',
    },
    exchange: listExchange,
  },
  { type: 'finding-reported', finding: extraField },
  { type: 'finding-reported', finding: slowOperation },
  { type: 'finding-reported', finding: wrongStatus },
  { type: 'finding-reported', finding: resetConnection },
  {
    type: 'gap-observed',
    gap: {
      id: 'createPet.body.status.default',
      message: 'createPet accepts a body without status, which has no documented default.',
    },
    observed: 'status was available in 3 of 3 answers',
  },
  {
    type: 'record-left',
    operation: 'createPet',
    record: '/pets/73',
    reason: 'the contract has no operation that deletes it',
  },
  {
    type: 'check-crashed',
    check: 'sort-holds',
    message: 'Cannot read properties of undefined',
    stack: 'TypeError: Cannot read properties of undefined\n    at inspect (sort-holds.ts:12:7)',
  },
  { type: 'run-finished', summary: sampleSummary },
];

/** The last event alone: a run that never came to start. */
export const bareEnd: readonly RunEvent[] = [
  {
    type: 'run-finished',
    summary: {
      verdict: 'inconclusive',
      reason: 'Nothing answered at http://127.0.0.1:4010/v1.',
      requests: 0,
      durationMs: 12,
      findings: { error: 0, warning: 0, note: 0 },
      operations: [],
      checks: [],
    },
  },
];
