import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { makeMcpHost, type McpFlags } from '../../src/cli/serve/run-mcp-command.ts';
import { serveMcp } from '../../src/mcp/serve-mcp.ts';
import { type FakeIo, makeFakeIo } from '../cli/fake-io.ts';

/** Data whose shape the schemas of the tools state. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Data = any;

/** What a test does with the arguments of a call. */
export interface CallSettings {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

/** The official client, with results as data. */
export interface McpClient {
  readonly client: Client;
  /** The structured content of a call; the error of the tool is thrown. */
  call(name: string, given?: object, settings?: CallSettings): Promise<Data>;
  /** The error of a call, as data. */
  refusal(name: string, given?: object): Promise<Data>;
  close(): Promise<void>;
}

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text: string }[];
}

/** Connects the official client. It validates each result by the schema of its tool. */
export async function connect(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // The client validates results once it knows the schemas.
  await client.listTools();
  const ask = async (name: string, given: object, settings?: CallSettings): Promise<Answer> =>
    (await client.callTool({ name, arguments: { ...given } }, undefined, {
      timeout: 60_000,
      ...settings,
    })) as unknown as Answer;
  return {
    client,
    async call(name, given = {}, settings) {
      const answer = await ask(name, given, settings);
      if (answer.isError === true) throw new Error(answer.content[0]?.text);
      return answer.structuredContent;
    },
    async refusal(name, given = {}) {
      const answer = await ask(name, given);
      if (answer.isError !== true) throw new Error(`no error: ${JSON.stringify(answer)}`);
      return JSON.parse(answer.content[0]?.text ?? '').error;
    },
    close: () => client.close(),
  };
}

/** A server in this process, and its client. */
export interface InMemory extends McpClient {
  readonly io: FakeIo;
}

/** Serves in this process. The folder of the tests is the current one; `root` adds theirs. */
export async function serveInMemory(
  flags: Partial<McpFlags> = {},
  env: Record<string, string> = {},
): Promise<InMemory> {
  const io = makeFakeIo(env);
  const [own, other] = InMemoryTransport.createLinkedPair();
  const host = await makeMcpHost(io, {
    ...{ root: [], target: [], allowWrites: false, auth: [], header: [], server: {} },
    ...flags,
  });
  const served = serveMcp(host, own);
  const client = await connect(other);
  const close = async (): Promise<void> => {
    await client.close();
    await served;
  };
  return { ...client, io, close };
}
