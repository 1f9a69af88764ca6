import type { HeaderList } from '../../http/message.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Redact } from './redact.ts';
import { sessionOf } from './session-of.ts';

/**
 * An exchange in a line's worth of members, without its secrets. A type and no interface, so that
 * it is a JSON object too.
 */
export type ShownInShort = {
  readonly id: number;
  /** When its request came, by the machine's clock (RFC 3339). */
  readonly at: string;
  readonly method: string;
  readonly target: string;
  readonly operation: string | null;
  readonly session: string | null;
  readonly status: number;
  /** What happened to the answer on the wire, because a scenario has it so. */
  readonly fault: string | null;
  /** How many callbacks it led to. */
  readonly callbacks: number;
  readonly durationMs: number;
};

/** A request or an answer, without its secrets. */
export type ShownMessage = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A text as it is, and bytes that are none as base64; null where there are none. */
  readonly body: { readonly text: string } | { readonly base64: string } | null;
  /** How many bytes the body had. */
  readonly bytes: number;
  /** Only the beginning of the body was kept. */
  readonly truncated: boolean;
};

/** An exchange as the journal shows it. */
export type ShownExchange = ShownInShort & {
  readonly request: ShownMessage;
  readonly response: ShownMessage;
};

/** An entry whole. */
export function showEntry(entry: JournalEntry, common: Redact): ShownExchange {
  const { request, answer } = entry;
  const redact = common.within(request);
  return {
    ...showShortly(entry, redact),
    request: showMessage(request.headers, request.body, { size: entry.requestSize, redact }),
    response: showMessage(answer.headers, answer.body, { size: entry.answerSize, redact }),
  };
}

/** An entry in short. */
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

/**
 * Where a body was cut, the cut may have gone through a character: up to three bytes at the end are
 * then no text.
 */
function readText(body: Uint8Array, mostOff: number): string | undefined {
  for (let off = 0; off <= mostOff && off < body.length; off += 1) {
    const decoded = decodeUtf8(body.subarray(0, body.length - off));
    if (decoded.ok) return decoded.text;
  }
  return undefined;
}
