const suspectedLine = Symbol('suspectedLine');

/**
 * The parts of Node's HTTP parser that this module uses. It also accepts request lines of RTSP and
 * ICE.
 */
interface LineParser {
  /** A copy of the current chunk. */
  getCurrentBuffer(): Uint8Array;
  /** Called at the start of a message; `HTTPParser.kOnMessageBegin` is 0. */
  0?: unknown;
  /** A possible request line of another protocol in the current message. */
  [suspectedLine]?: string;
}

/** A connection whose requests Node parses. */
export interface ParsedConnection {
  readonly parser?: unknown;
}

/** The parts of a request that Node provides; the name of its protocol is missing. */
export interface ParsedRequest {
  readonly socket: object;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Prepares a connection so that `isNonHttpRequest` works for its requests. */
export function watchRequestLines({ parser }: ParsedConnection): void {
  if (isLineParser(parser)) parser[0] = noteChunk;
}

/** A longer line is refused for its length. */
const maxLineLength = 16_384;

function noteChunk(this: LineParser): void {
  const chunk = latin1(this.getCurrentBuffer());
  const suspect = chunk.includes('RTSP') || chunk.includes('ICE/') ? chunk : unfinishedLine(chunk);
  this[suspectedLine] = suspect;
}

/** The unfinished last line of a chunk, which may continue in the next one. */
function unfinishedLine(chunk: string): string {
  const line = chunk.slice(chunk.lastIndexOf('\n') + 1);
  return line.length > maxLineLength ? '' : line;
}

/**
 * Whether the request line that was just parsed names another protocol than HTTP. A line that is
 * spread over more than two chunks counts as HTTP.
 */
export function isNonHttpRequest({ socket, method = '', url = '' }: ParsedRequest): boolean {
  const parser = 'parser' in socket ? socket.parser : undefined;
  if (!isLineParser(parser)) return false;
  const suspect = parser[suspectedLine] ?? '';
  if (suspect === '' || !suspect.includes(method.slice(0, suspect.length))) return false;
  const rest = suspect.endsWith('\n') ? '' : latin1(parser.getCurrentBuffer());
  return namesOther(suspect + rest, `${method} ${url}`);
}

/** A chunk can contain several requests, some with the same method and target. */
function namesOther(text: string, start: string): boolean {
  const ends = text.split(/\r?\n/).flatMap((line) => {
    return line.startsWith(`${start} `) ? [line.slice(start.length).trimStart()] : [];
  });
  return ends.length > 0 && ends.every((end) => /^(?:RTSP|ICE)\//.test(end));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function isLineParser(parser: unknown): parser is LineParser {
  return typeof parser === 'object' && parser !== null && 'getCurrentBuffer' in parser;
}
