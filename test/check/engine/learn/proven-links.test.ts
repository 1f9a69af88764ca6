import { expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { OverlayMaker } from '../../../../src/check/engine/overlay/make-overlay.ts';
import { judgeTraffic } from '../../../../src/check/traffic/judge-traffic.ts';
import type { RecordedTraffic } from '../../../../src/check/traffic/read-har.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import type { HeaderList } from '../../../../src/http/message.ts';
import { inProcess, jsonObject, sendTo, type Service } from '../../fixture/inline-service.ts';

const word = { type: 'string', minLength: 1 };
const named = { type: 'object', required: ['label'], properties: { label: word } };
const receipt = { type: 'object', properties: { job_ref: word } };
const content = (schema: object): object => ({ 'application/json': { schema } });

const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Prints', version: '1' },
    paths: {
      '/prints': {
        post: {
          operationId: 'createPrint',
          requestBody: { required: true, content: content(named) },
          responses: {
            200: { description: 'Done.', content: content(receipt) },
            400: { description: 'Refused.' },
          },
        },
      },
      '/receipts/{token}': {
        get: {
          operationId: 'getReceipt',
          parameters: [{ name: 'token', in: 'path', required: true, schema: word }],
          responses: {
            200: { description: 'Done.', content: content(named) },
            404: { description: 'None.' },
          },
        },
      },
    },
  }),
  'prints.json',
);

/** A print shop whose answer names the address of the receipt, under a name of its own. */
function prints(): Service {
  const kept = new Map<string, string>();
  return ({ method, path: [head, token], body }) => {
    if (method === 'POST' && head === 'prints') {
      const label = jsonObject(body)?.['label'];
      if (typeof label !== 'string' || label === '') return { status: 400 };
      const made = `r-${String(1000 + kept.size)}`;
      kept.set(made, label);
      return { status: 200, json: { job_ref: `/receipts/${made}` } };
    }
    const label = head === 'receipts' ? kept.get(token ?? '') : undefined;
    return method === 'GET' && label !== undefined
      ? { status: 200, json: { label } }
      : { status: head === 'prints' || head === 'receipts' ? 405 : 404 };
  };
}

test('the report tells which answer the values of a path come from', async () => {
  const { events, summary } = await checkTarget({
    url: inProcess,
    contract,
    seed: 'links',
    mode: 'read-write',
    send: sendTo(prints()),
  });
  expect(summary.operations.map(({ requests }) => requests > 0)).toEqual([true, true]);
  const learned = events.flatMap((event) =>
    event.type === 'gap-observed' && event.gap.id.startsWith('link ') ? [event] : [],
  );
  expect(learned.map(({ gap, observed }) => `${gap.message} ${observed}`)).toEqual([
    'The contract does not say where the {token} of /receipts/{token} comes from. ' +
      '{token} takes a part of job_ref of POST /prints.',
  ]);
});

/** An exchange of a recording, answered 200. */
function recorded(
  method: string,
  target: string,
  [sent, answer]: [string, string],
): RecordedTraffic {
  const headers: HeaderList = [['Content-Type', 'application/json']];
  const body = (text: string): Uint8Array => new TextEncoder().encode(text);
  return {
    label: `${method} ${target}`,
    bodyRecorded: true,
    exchange: {
      baseUrl: 'http://prints.test',
      request: { method, target, headers: sent === '' ? [] : headers, body: body(sent) },
      response: { status: 200, headers, body: body(answer) },
      durationMs: 1,
    },
  };
}

test('a whole value is written as a link of the contract', async () => {
  const maker = new OverlayMaker();
  const exchanges = [
    recorded('POST', '/prints', ['{"label":"a"}', '{"job_ref":"r-1000"}']),
    recorded('GET', '/receipts/r-1000', ['', '{"label":"a"}']),
  ];
  const traffic = { file: 'prints.har', exchanges, unusable: new Map() };
  for await (const event of judgeTraffic({ contract, traffic, seed: 'links' })) maker.take(event);
  expect(maker.make().actions).toEqual([
    {
      target: "$['paths']['/prints']['post']['responses']['200']",
      update: {
        links: {
          getReceipt: {
            operationId: 'getReceipt',
            parameters: { token: '$response.body#/job_ref' },
          },
        },
      },
      because: [
        'The contract does not say where the {token} of /receipts/{token} comes from. ' +
          '{token} takes job_ref of POST /prints.',
      ],
    },
  ]);
});
