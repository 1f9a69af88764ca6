import type { Command } from 'commander';

/** The words of every command that reads a contract. */
export function addContractOptions(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration (default: vouch.config.yaml here)')
    .option(
      '--allow-ref-host <host>',
      'fetch documents from this host where the contract refers to them; repeatable',
      collectHost,
    );
}

function collectHost(host: string, before: readonly string[] = []): readonly string[] {
  return [...before, host];
}
