import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readBaseUrl } from '../../check/model/base-url.ts';
import { makeRedactor } from '../../check/secrets/redact.ts';
import type { CheckOptions } from '../../check/engine/check-target.ts';
import type { Config, TargetConfig } from '../../config/config.ts';
import { suggestWord, usage } from '../../errors.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import { readVersion } from '../../library/package-files.ts';
import type { NamedTarget } from '../../mcp/access.ts';
import { serveMcp } from '../../mcp/serve-mcp.ts';
import type { CheckedTarget, McpHost } from '../../mcp/tool.ts';
import { readSettingsAndWarn } from '../check/check-settings.ts';
import { isBaseUrl, readTarget, type TargetFlags } from '../check/find-target.ts';
import { keepRun } from '../check/run-records.ts';
import { findContract } from '../find-contract.ts';
import { exitCodes, type Io } from '../io.ts';
import { withDocumentErrors } from '../print-error.ts';

export interface McpFlags extends TargetFlags {
  readonly config?: string;
  readonly root: readonly string[];
  readonly target: readonly string[];
  readonly allowWrites: boolean;
}

/** Serves the protocol on stdin and stdout until stdin ends, or until a stop signal. */
export async function runMcpCommand(io: Io, flags: McpFlags): Promise<number> {
  const streams = io.openStdio?.();
  if (streams === undefined)
    throw usage('vouch mcp needs stdin and stdout.', { hint: 'Start it from an MCP client.' });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  streams.input.once('end', end).once('close', end).once('error', end);
  streams.output.once('error', end).once('close', end);
  const stopped = AbortSignal.any([io.signal, ended.signal]);
  const host = await makeMcpHost({ ...io, signal: stopped }, flags);
  if (io.isTTY.out)
    io.err('vouch mcp speaks the Model Context Protocol on stdin and stdout. Stop with Ctrl-C.\n');
  await serveMcp(host, new StdioServerTransport(streams.input, streams.output));
  return exitCodes.passed;
}

/** What the command line gives to the server. Targets are read once, when the server starts. */
export async function makeMcpHost(given: Io, flags: McpFlags): Promise<McpHost> {
  const secrets = new Set([given.env['VOUCH_TOKEN']?.trim() ?? ''].filter((value) => value !== ''));
  const io: Io = { ...given, keepSecret: (value) => void secrets.add(value) };
  const config = await readConfigOnce(process.cwd(), flags.config);
  return {
    roots: flags.root,
    config: flags.config,
    targets: flags.target.map((word) => nameTarget(word, config)),
    allowWrites: flags.allowWrites,
    version: readVersion(),
    clock: io.clock,
    signal: io.signal,
    hurry: io.hurry,
    log: io.err,
    redact: (text) => {
      const known = [...secrets].map((value) => ({ value, shell: '$VOUCH_TOKEN' }));
      return makeRedactor({ secrets: known, invented: [], headerNames: [] }).text(text);
    },
    targetOptions: (target) => readOptions(io, { flags, config, target }),
    mockSettings: ({ prepared }) => readSettingsAndWarn(io, prepared),
    keepRun: (contract) => keepRun(io, contract),
    withDocumentErrors: ({ contract, root }, work) =>
      withDocumentErrors({ document: contract, flags: { ...configOf(flags), root } }, work),
  };
}

function nameTarget(word: string, { targets }: Config): NamedTarget {
  const url = Object.hasOwn(targets, word) ? targets[word]?.url : word;
  if (url !== undefined && isBaseUrl(url))
    return { word: word === url ? base(url) : word, url: base(url) };
  throw usage(`${word} is neither a base URL nor a target of the configuration.`, {
    hint: suggestWord(word, Object.keys(targets)),
  });
}

function base(url: string): string {
  return readBaseUrl(url, 'The URL of --target');
}

function configOf({ config }: McpFlags): { readonly config?: string | undefined } {
  return { config };
}

interface Reading {
  readonly flags: McpFlags;
  /** As it was when the server started. */
  readonly config: Config;
  readonly target: CheckedTarget;
}

/**
 * The options of `vouch check` for a target. Credentials, headers and servers are those of the
 * command line, and of the configuration at the start: a client may have changed the file since.
 * A target that the person did not name gets none of them.
 */
async function readOptions(io: Io, { flags, config, target }: Reading): Promise<CheckOptions> {
  const { url, named, document } = target;
  const chosen = await findContract(document.contract, { ...configOf(flags), root: document.root });
  if (named === undefined) {
    const { identities: _identities, ...others } = chosen.config;
    const own = { auth: [], header: [], server: {}, withoutDefault: true };
    return readTarget(io, { ...chosen, config: { ...others, targets: {} } }, url, own);
  }
  const entry: TargetConfig | undefined = config.targets[named.word];
  const targets = entry === undefined ? {} : { [named.word]: entry };
  const { identities: _identities, ...others } = chosen.config;
  const frozen = { ...others, targets, identities: config.identities };
  const options = readTarget(io, { ...chosen, config: frozen }, named.word, flags);
  return { ...options, url };
}
