import { expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import { type Case, makeCase, makeSequence } from '../../../../src/check/model/case.ts';
import type { Source } from '../../../../src/check/model/request-template.ts';
import {
  executeSequence,
  type Sender,
} from '../../../../src/check/engine/send/execute-sequence.ts';
import { RunLog } from '../../../../src/check/engine/send/run-log.ts';
import { makeSecrets } from '../../../../src/check/secrets/secrets.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { listingContract } from '../../fixture/listing-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const contract = listingContract({ paging: 'cursor', total: 'none' });
const [operation] = contract.operations;
if (operation === undefined) throw new Error('The contract has no operation.');
const cursor = operation.parameters.find(({ name }) => name === 'cursor');
if (cursor === undefined) throw new Error('The contract has no cursor.');

function ask(title: string, source?: Source): Case {
  const given =
    source === undefined || cursor === undefined || operation === undefined
      ? []
      : [{ parameter: cursor, source }];
  if (operation === undefined) throw new Error('The contract has no operation.');
  return makeCase({
    title,
    phase: 'sequence',
    operation,
    request: { arguments: given, credential: 'given' },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
}

const next: Source = { kind: 'next', resource: 'things', parameter: 'cursor' };
const optional = (title: string): Case => ({ ...ask(title, next), optional: true });

/** A list that names a next page as often as it is told to. */
function senderOf(...cursors: readonly (string | null)[]): Sender {
  const left = [...cursors];
  const { signal } = new AbortController();
  return {
    send: async (baseUrl, request) => {
      const body: JsonValue = { data: [{ id: 1 }], nextCursor: left.shift() ?? null };
      return [
        {
          baseUrl,
          request,
          durationMs: 1,
          response: {
            status: 200,
            headers: [['Content-Type', 'application/json']],
            body: new TextEncoder().encode(JSON.stringify(body)),
          },
        },
      ];
    },
    secrets: makeSecrets({}, 'seed'),
    memory: new Memory(contract),
    userAgent: 'test',
    signals: { stop: signal, cut: signal },
    baseUrl: () => 'http://host',
    spend: () => undefined,
    isPointless: () => undefined,
  };
}

const sequence = makeSequence(ask('all'), optional('second'), optional('third'), ask('all again'));

test('an optional step is sent if its values are known', async () => {
  const attempt = await executeSequence(sequence, senderOf('a', 'b'));
  expect(
    attempt.steps.map(
      ({ case: { title }, sent }) => `${title} ${String([...sent.arguments.values()])}`,
    ),
  ).toEqual(['all ', 'second a', 'third b', 'all again ']);
  expect(attempt.sequence).toBe(sequence);
});

test('an optional step is skipped, and the sequence continues without it', async () => {
  const attempt = await executeSequence(sequence, senderOf('a', null));
  expect(attempt.steps.map(({ case: { title } }) => title)).toEqual(['all', 'second', 'all again']);
  expect(attempt.sequence.cases).toEqual(attempt.steps.map((step) => step.case));
  expect(attempt.unsent).toBeUndefined();
});

test('a required step without values ends the sequence', async () => {
  const attempt = await executeSequence(
    makeSequence(ask('all'), ask('second', next), ask('all again')),
    senderOf(null),
  );
  expect(attempt.steps.map(({ case: { title } }) => title)).toEqual(['all']);
  expect(attempt.unsent).toMatchObject({
    case: { title: 'second' },
    reason: 'no value for cursor is known',
  });
});

test('a read is sent again after each pause, and the last response counts', async () => {
  const waited: number[] = [];
  const patient = makeSequence(ask('all'), ask('second'));
  const reads = new Set(patient.cases.slice(0, 1));
  const wait = async (ms: number): Promise<void> => void waited.push(ms);
  const attempt = await executeSequence(patient, senderOf('a', 'b', 'c', 'd'), {
    patience: { reads, pauses: [10, 20], wait },
  });
  expect(waited).toEqual([10, 20]);
  expect(
    attempt.steps.map(({ exchange }) => new TextDecoder().decode(exchange.response?.body)),
  ).toEqual(['c', 'd'].map((letter) => `{"data":[{"id":1}],"nextCursor":"${letter}"}`));
});

test('the log counts skipped steps', async () => {
  const heard: string[][] = [];
  const log = new RunLog(({ cases }, steps) => {
    heard.push(cases.map(({ title }) => title));
    return steps;
  });
  const entry = log.open(sequence);
  entry.close(
    await executeSequence(sequence, senderOf(null), {
      onStep: (step) => {
        entry.add(step);
      },
    }),
  );
  log.finish();
  expect(heard).toEqual([['all', 'all again']]);
  expect([...log.passedOver]).toEqual(sequence.cases.slice(1, 3).map(({ id }) => id));
  expect([...log.unsent]).toEqual([]);
});

test('of two requests at once, one takes another record than the other changes', async () => {
  const library = libraryContract();
  const replace = library.operations.find(({ id }) => id === 'replaceBook');
  const identifier = replace?.parameters.find((parameter) => parameter.in === 'path');
  const media = replace?.requestBody?.content[0];
  if (replace === undefined || identifier === undefined || media === undefined)
    throw new Error('The library replaces no books.');
  const add = (id: number): Said => {
    const book = { title: 'Dune', shelfId: 4, status: 'shelved' };
    return { ask: 'POST /books', body: book, status: 201, answer: { id, ...book } };
  };
  const memory = new Memory(library);
  const { earlier, ...last } = talk(library, [add(5), add(6)]);
  for (const step of [...earlier, last]) memory.learn(step);
  const targets: string[] = [];
  const plain = senderOf();
  const sender: Sender = {
    ...plain,
    memory,
    send: (baseUrl, request, signals) => {
      targets.push(request.target);
      return plain.send(baseUrl, request, signals);
    },
  };
  const lend = (title: string): Case =>
    makeCase({
      title,
      phase: 'sequence',
      operation: replace,
      request: {
        arguments: [{ parameter: identifier, source: { kind: 'own', resource: 'books' } }],
        credential: 'given',
        body: { kind: 'content', media, value: { title: 'Dune', shelfId: 4, status: 'lent' } },
      },
      intent: { kind: 'valid', rigour: 'plain', at: '' },
    });
  const both = ['one', 'other'].map((title) => executeSequence(makeSequence(lend(title)), sender));
  await Promise.all(both);
  expect(targets).toEqual(['/books/5', '/books/6']);
});
