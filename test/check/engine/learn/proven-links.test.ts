import { expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { OverlayMaker } from '../../../../src/check/engine/overlay/make-overlay.ts';
import { parseContract } from '../../../../src/contract/load.ts';
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

test('a whole value is written as a link of the contract', () => {
  const maker = new OverlayMaker(contract);
  maker.take({
    type: 'gap-observed',
    gap: { id: 'link getReceipt token', message: 'It is not said.' },
    observed: '{token} takes job_ref of POST /prints.',
    proposal: {
      at: '/paths/~1prints/post/responses/200',
      update: { links: { getReceipt: { operationId: 'getReceipt' } } },
    },
  });
  expect(maker.make().actions).toEqual([
    {
      target: "$['paths']['/prints']['post']['responses']['200']",
      update: { links: { getReceipt: { operationId: 'getReceipt' } } },
      because: ['It is not said. {token} takes job_ref of POST /prints.'],
    },
  ]);
});
