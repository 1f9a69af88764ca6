import { expect, test } from 'vitest';
import {
  type CleanupLedger,
  hideInLedger,
  type IntendedWrite,
  noteWrites,
  type SettledWrite,
} from '../../../../src/check/engine/cleanup/cleanup-ledger.ts';
import type { Send } from '../../../../src/check/transport/send.ts';

interface Notes extends CleanupLedger {
  readonly intended: IntendedWrite[];
  readonly settled: SettledWrite[];
}

function openNotes(): Notes {
  const intended: IntendedWrite[] = [];
  const settled: SettledWrite[] = [];
  return {
    intended,
    settled,
    intend: (write) => void intended.push(write),
    settle: (write) => void settled.push(write),
  };
}

const baseUrl = 'http://127.0.0.1:1/v1';
const answered: Send = async (url, request) => ({
  baseUrl: url,
  request,
  response: { status: 201, headers: [], body: new Uint8Array() },
  durationMs: 1,
});

test.each([
  ['POST', 'a name vouch-1a2b3c-4d', undefined],
  ['POST', 'a name', true],
  ['POST', '', true],
  ['PUT', 'a name', undefined],
  ['DELETE', '', undefined],
])(
  'what a %s with the body %j may make can be known by more than its answer, or it is said so',
  async (method, body, unmarked) => {
    const notes = openNotes();
    const request = {
      method,
      target: '/v1/books?secret=1',
      headers: [],
      body: new TextEncoder().encode(body),
    };
    await noteWrites(
      answered,
      hideInLedger(notes, (text) => text.replace('books', '***')),
      { mark: 'vouch-1a2b3c' },
    )(baseUrl, request, new AbortController().signal);
    expect(notes.intended).toEqual([
      {
        write: 1,
        method,
        url: 'http://127.0.0.1:1/v1/***',
        ...(unmarked === undefined ? {} : { unmarked }),
      },
    ]);
    expect(notes.settled).toEqual([{ type: 'answered', write: 1, status: 201 }]);
  },
);

test('safe requests are not noted, and requests without a response are marked', async () => {
  const notes = openNotes();
  const silent: Send = async (url, request) => ({
    baseUrl: url,
    request,
    fault: { kind: 'timeout', message: 'No answer came.' },
    durationMs: 1,
  });
  const send = noteWrites(silent, notes, { mark: 'm' });
  for (const method of ['GET', 'HEAD', 'POST', 'PATCH'])
    await send(
      baseUrl,
      { method, target: '/v1', headers: [], body: new Uint8Array() },
      new AbortController().signal,
    );
  expect(notes.intended.map(({ write, method }) => [write, method])).toEqual([
    [1, 'POST'],
    [2, 'PATCH'],
  ]);
  expect(notes.settled).toEqual(
    [1, 2].map((write) => ({ type: 'unanswered', write, reason: 'timeout' })),
  );
});
