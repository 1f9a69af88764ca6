import { connect, type Socket } from 'node:net';

/** A response as it stood on the wire. */
export interface RawResponse {
  /** The status line and the header lines. */
  readonly head: string;
  readonly status: string;
  readonly body: Buffer;
}

/** A connection that sends bytes as they are and reads responses by their length. */
export interface RawClient {
  readonly socket: Socket;
  /** Resolves when the connection is closed, however that happened. */
  readonly closed: Promise<void>;
  send(bytes: string | Uint8Array): void;
  /**
   * The next response; throws where the connection closes before it is whole. `bodiless` is for
   * HEAD.
   */
  read(bodiless?: boolean): Promise<RawResponse>;
}

/** Connects to a port of this machine. Text is sent as Latin-1, so that any byte can be written. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const client = clientOf(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  return client;
}

/** The same over a connection that somebody else has made, or is making. */
export function clientOf(socket: Socket): RawClient {
  const inbox = collect(socket);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // The server may reset a connection that it refuses; a row looks at the answer.
  socket.on('error', () => undefined);
  return {
    socket,
    closed,
    send: (bytes) =>
      void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    read: (bodiless = false) => inbox.take(bodiless),
  };
}

interface Inbox {
  take(bodiless: boolean): Promise<RawResponse>;
}

function collect(socket: Socket): Inbox {
  // Room is doubled when it is full: to join megabytes anew with each chunk would take seconds.
  let room: Buffer = Buffer.alloc(65_536);
  let received = room.subarray(0, 0);
  let ended = false;
  let wake = (): void => undefined;
  const keep = (bytes: Buffer): void => {
    const length = received.length + bytes.length;
    if (length > room.length) {
      room = Buffer.alloc(2 * length);
      received.copy(room);
    }
    bytes.copy(room, received.length);
    received = room.subarray(0, length);
  };
  socket.on('data', (chunk) => {
    keep(chunk);
    wake();
  });
  const finish = (): void => {
    ended = true;
    wake();
    // The other side is done, so this one is: a client that kept its half open would never see the
    // connection close.
    socket.end();
  };
  socket.once('end', finish).once('close', finish);
  return {
    async take(bodiless) {
      for (;;) {
        const response = split(received, bodiless);
        if (response !== undefined) {
          // What was read stays where it is.
          room = Buffer.alloc(65_536);
          received = room.subarray(0, 0);
          keep(response.rest);
          return response;
        }
        if (ended)
          throw new Error(
            `The connection ended after ${JSON.stringify(received.toString('latin1'))}`,
          );
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

function split(
  bytes: Buffer,
  bodiless: boolean,
): (RawResponse & { readonly rest: Buffer }) | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString('latin1');
  const status = head.split('\r\n', 1)[0] ?? '';
  const length = bodiless || /^HTTP\/1\.1 (1..|204|304)/.test(status) ? 0 : lengthOf(head);
  const from = end + 4;
  if (bytes.length < from + length) return undefined;
  return {
    head,
    status,
    body: bytes.subarray(from, from + length),
    rest: bytes.subarray(from + length),
  };
}

function lengthOf(head: string): number {
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  if (length === undefined) throw new Error(`The response does not say how long it is: ${head}`);
  return Number(length);
}

/**
 * Sends bytes on a connection of their own and reads one response. The connection stays with the
 * caller.
 */
export async function exchangeRaw(
  port: number,
  bytes: string | Uint8Array,
): Promise<{ readonly client: RawClient; readonly response: RawResponse }> {
  const client = await connectRaw(port);
  client.send(bytes);
  return { client, response: await client.read(isHead(bytes)) };
}

function isHead(bytes: string | Uint8Array): boolean {
  return Buffer.from(bytes.slice(0, 5)).toString('latin1') === 'HEAD ';
}

/** The status line that a plain GET gets on a new connection: the proof that the server lives. */
export async function statusOfGet(port: number): Promise<string> {
  const { client, response } = await exchangeRaw(
    port,
    'GET /alive HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  await client.closed;
  return response.status;
}
