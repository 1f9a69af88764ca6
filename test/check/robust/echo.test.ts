import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { alarms, findingsOf } from '../fixture/inline-service.ts';

const text = { type: 'string', minLength: 1, maxLength: 100 };
const asked: JsonObject = {
  type: 'object',
  required: ['message'],
  properties: {
    message: text,
    status: text,
    channel: { type: 'string', format: 'uuid' },
    sender: { type: 'string', format: 'email' },
    sendAt: { type: 'string', format: 'date-time' },
    card: { ...text, minLength: 12 },
  },
};
const answered: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    ...(asked['properties'] as JsonObject),
    id: { type: 'string' },
    status: { type: 'string', readOnly: true },
  },
};

/** A POST that makes something which no other operation shows. */
const contractOf = (path: string, operationId: string) =>
  makeContract({
    paths: {
      [path]: {
        post: {
          operationId,
          requestBody: { required: true, ...jsonContent(asked) },
          responses: {
            201: { description: 'made', ...jsonContent(answered) },
            400: { description: 'refused', ...jsonContent({ type: 'object' }) },
          },
        },
      },
    },
  });

type Echo = (sent: Record<string, string>) => Record<string, string>;

async function run(echo: Echo, path = '/messages', id = 'sendMessage'): Promise<string[]> {
  const contract = contractOf(path, id);
  const media = contract.operations[0]?.requestBody?.content[0];
  const findings = await findingsOf(contract, ({ method, body, header, path: segments }) => {
    if (`/${segments.join('/')}` !== path) return { status: 404 };
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
    const refused = { status: 400, json: {} };
    if (!/^application\/json\b/i.test(header('content-type') ?? '')) return refused;
    let sent: Record<string, string>;
    try {
      sent = JSON.parse(body) as Record<string, string>;
    } catch {
      return refused;
    }
    if (media?.schema?.accepts(sent, 'request') !== true) return refused;
    return { status: 201, json: { ...sent, id: 'm-1', status: 'queued', ...echo(sent) } };
  });
  return alarms(findings);
}

const mapValues = (
  sent: Record<string, string>,
  change: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, change(value, name)]));

describe('a POST that returns its message without storing it', () => {
  test.each<[string, Echo]>([
    ['answers what was sent', () => ({})],
    ['masks a number', (sent) => ('card' in sent ? { card: '**** **** 1111' } : {})],
    ['cuts a long text', ({ message = '' }) => ({ message: message.slice(0, 20) })],
    ['adds a signature', ({ message = '' }) => ({ message: `${message} -- sent by a service` })],
    [
      'writes identifiers, hosts and moments in its own way',
      (sent) =>
        mapValues(sent, (value, name) => {
          if (name === 'channel') return value.toUpperCase();
          if (name === 'sender') return value.toLowerCase();
          return name === 'sendAt' ? new Date(value).toISOString() : value;
        }),
    ],
  ])('raises no alarm where the service %s', async (_, echo) => {
    expect((await run(echo)).filter((line) => line.includes('created-is-returned'))).toEqual([]);
  });

  test('has no finding if the operation transforms the text', async () => {
    const echo: Echo = () => ({ message: 'Bonjour' });
    expect(await run(echo, '/translations', 'translateMessage')).toEqual([]);
    expect(await run(echo, '/messages/search', 'searchMessages')).toEqual([]);
  });

  test('has a finding if the message differs', async () => {
    expect(await run(() => ({ message: 'Something else' }))).toContainEqual(
      expect.stringMatching(
        /^error created-is-returned sendMessage: The response to a create has another message than was sent/,
      ),
    );
  });
});
