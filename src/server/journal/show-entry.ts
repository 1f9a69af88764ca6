import type { HeaderList } from '../../http/message.ts';
import { decodeUtf8 } from '../../json/parse-json.ts';
import { type JournalEntry, sessionOf } from './journal-entry.ts';
import type { Redact } from './redact.ts';

/**
 * A short form of an exchange with secrets redacted. A type, so that it is assignable to a JSON
 * object.
 */
export type ShownInShort = {
  readonly id: number;
  /** When its request arrived (RFC 3339). */
  readonly at: string;
  readonly method: string;
  readonly target: string;
  readonly operation: string | null;
  readonly session: string | null;
  readonly status: number;
  /** The network fault that a scenario applied. */
  readonly fault: string | null;
  /** The number of callbacks that it triggered. */
  readonly callbacks: number;
  readonly durationMs: number;
};

/** A request or a response with secrets redacted. */
export type ShownMessage = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text as it is, other bytes as base64; null if empty. */
  readonly body: { readonly text: string } | { readonly base64: string } | null;
  /** The size of the body in bytes. */
  readonly bytes: number;
  /** Whether only the start of the body was kept. */
  readonly truncated: boolean;
};

/** An exchange in the journal. */
export type ShownExchange = ShownInShort & {
  readonly request: ShownMessage;
  readonly response: ShownMessage;
};

/** The full form of an entry. */
export function showEntry(entry: JournalEntry, common: Redact): ShownExchange {
  const { request, answer } = entry;
  const redact = common.within(request);
  return {
    ...showShortly(entry, redact),
    request: showMessage(request.headers, request.body, { size: entry.requestSize, redact }),
    response: showMessage(answer.headers, answer.body, { size: entry.answerSize, redact }),
  };
}

export function showShortly(
  { id, at, request, answer, fault, callbacks, durationMs }: JournalEntry,
  redact: Redact,
): ShownInShort {
  return {
    id,
    at: new Date(at).toISOString(),
    method: request.method,
    target: redact.target(request.target),
    operation: answer.operation ?? null,
    session: sessionOf(request) ?? null,
    status: answer.status,
    fault: fault ?? null,
    callbacks,
    durationMs,
  };
}

function showMessage(
  headers: HeaderList,
  body: Uint8Array,
  { size, redact }: { readonly size: number; readonly redact: Redact },
): ShownMessage {
  return {
    headers: redact.headers(headers),
    body: showBody(body, size > body.length, redact),
    bytes: size,
    truncated: size > body.length,
  };
}

function showBody(body: Uint8Array, cut: boolean, redact: Redact): ShownMessage['body'] {
  if (body.length === 0) return null;
  const text = readText(body, cut ? 3 : 0);
  return text !== undefined
    ? { text: redact.text(text) }
    : { base64: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64') };
}

/** A cut can split a character: up to three bytes at the end may be invalid. */
function readText(body: Uint8Array, maxOff: number): string | undefined {
  for (let off = 0; off <= maxOff && off < body.length; off += 1) {
    const decoded = decodeUtf8(body.subarray(0, body.length - off));
    if (decoded.ok) return decoded.text;
  }
  return undefined;
}
