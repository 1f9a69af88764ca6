import { describe, expect, test } from 'vitest';
import { runCheck } from '../../../../src/check/engine/check-target.ts';
import type { RunEvent } from '../../../../src/check/model/event.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import type { Send } from '../../../../src/check/transport/send.ts';
import { type Answered, jsonObject, sendTo } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const domain = '{ $ref: "#/components/schemas/Domain" }';

/** Domains with records: what their names look like, and which kinds there are, is nowhere said. */
const contract = contractOf(`
paths:
  /domains:
    get: { operationId: listDomains, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${domain} }`)} } } }
    post: { operationId: addDomain, requestBody: { required: true, ${json(domain)} }, responses: {
        '201': { description: made, ${json(domain)} }, '422': { description: refused } } }
  /domains/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
    get: { operationId: getDomain, responses: { '200': { description: ok, ${json(domain)} },
        '404': { description: none } } }
    delete: { operationId: dropDomain, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Domain: { type: object, required: [name, kind], properties: {
    name: { type: string }, kind: { type: string }, master: { type: string },
    endsAt: { type: string, format: date-time } } } } }`);

const now = new Date('2026-03-01T12:00:00Z');

/** A service that wants what its contract does not say; it counts what was done to others. */
function domainService(why: (body: Record<string, unknown>) => string | undefined): {
  readonly send: Send;
  readonly domains: Map<string, unknown>;
  readonly accepted: Record<string, unknown>[];
} {
  const names = ['shop.example.', 'mail.example.', 'team.example.'];
  const domains = new Map<string, unknown>(names.map((name) => [name, { name, kind: 'Native' }]));
  const accepted: Record<string, unknown>[] = [];
  const add = (text: string): Answered => {
    const body = jsonObject(text);
    const refusal = body === undefined ? 'no JSON object' : why(body);
    if (body === undefined || refusal !== undefined)
      return { status: 422, json: { error: refusal } };
    accepted.push(body);
    domains.set(String(body['name']), body);
    return { status: 201, json: body };
  };
  const send = sendTo(({ method, path, body }) => {
    const name = decoded(path[1] ?? '');
    if (name === '' && method === 'GET') return { status: 200, json: [...domains.values()] };
    if (name === '' && method === 'POST') return add(body);
    const known = name === undefined ? undefined : domains.get(name);
    if (name === undefined || known === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: known };
    if (method !== 'DELETE') return { status: 405 };
    domains.delete(name);
    return { status: 204 };
  });
  return { send, domains, accepted };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

async function checkDomains(service: ReturnType<typeof domainService>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of runCheck({
    contract,
    url: 'http://127.0.0.1:9',
    mode: 'read-write',
    seed: 'lessons',
    clock: () => now,
    send: service.send,
  }))
    events.push(event);
  return events;
}

const summaryOf = (events: readonly RunEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== 'run-finished') throw new Error('the run did not finish');
  return last.summary;
};

const findingsOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'finding-reported' ? [event.finding] : []));

describe('a service with undocumented requirements', () => {
  test('on the format of names gets the format of existing records', async () => {
    const service = domainService(({ name, kind }) => {
      if (typeof name !== 'string' || !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.$/.test(name))
        return `the name '${String(name)}' is not canonical`;
      return kind === 'Native' ? undefined : `unknown kind ${String(kind)}`;
    });
    const events = await checkDomains(service);
    expect(summaryOf(events).reach).toMatchObject({ reached: 4, total: 4, isPartial: false });
    expect(service.accepted.length).toBeGreaterThan(1);
    expect([...service.domains.keys()]).toEqual([
      'shop.example.',
      'mail.example.',
      'team.example.',
    ]);
    const refused = findingsOf(events).filter(({ check }) => check === 'valid-accepted');
    expect(refused.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const notes = findingsOf(events).filter(({ message }) => message.includes('accepts one in'));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({
      check: 'valid-accepted',
      severity: 'note',
      blame: 'contract',
      operation: { id: 'addDomain' },
    });
  });

  test('on dates in the future gets one after now', async () => {
    const service = domainService(({ endsAt }) =>
      endsAt !== undefined && new Date(String(endsAt)) < now
        ? 'end time is in the past'
        : undefined,
    );
    const events = await checkDomains(service);
    expect(summaryOf(events).reach).toMatchObject({ reached: 4 });
    expect(service.accepted.length).toBeGreaterThan(1);
  });

  test.each([
    ['optional', 'master', "Key 'master' is required"],
    ['unknown', 'owner', 'owner is required'],
    ['unknown', 'owner', 'Missing field in JSON data: owner'],
  ])('of a member that is %s to the contract gets it: %s', async (_how, name, text) => {
    const service = domainService((body) => (typeof body[name] === 'string' ? undefined : text));
    expect(summaryOf(await checkDomains(service)).reach?.reached).toBe(4);
  });

  test('that refuses everything gets few attempts, and is reported as shut', async () => {
    let asked = 0;
    const service = domainService(() => {
      asked += 1;
      return 'no';
    });
    const events = await checkDomains(service);
    const { reach } = summaryOf(events);
    expect(findingsOf(events).map(({ check, severity }) => `${severity} ${check}`)).toContain(
      'note valid-accepted',
    );
    expect(reach).toMatchObject({ reached: 2, total: 4, isPartial: false });
    expect(reach?.shut.map(({ code }) => code)).toContain('refused');
    expect(asked).toBeLessThan(300);
  });

  test('no record of others is used as the name of a new one', async () => {
    const service = domainService(({ kind }) => (kind === 'Native' ? undefined : 'unknown kind'));
    await checkDomains(service);
    const taken = service.accepted.filter(({ name }) =>
      /^(shop|mail|team)\.example\.$/.test(String(name)),
    );
    expect(taken).toEqual([]);
  });
});
