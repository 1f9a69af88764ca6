import type { McpFlags } from '../serve/run-mcp-command.ts';
import { addTargetOptions, collect, type CommandEntry } from './command.ts';

/** `vouch mcp`: serves vouch as tools for assistants. */
export const mcpCommand: CommandEntry = {
  name: 'mcp',
  register(program, start) {
    const command = program
      .command('mcp')
      .summary('serve vouch as tools for assistants (Model Context Protocol)')
      .description(
        'Serves the Model Context Protocol on stdin and stdout, for assistants that write ' +
          'code: tools that start and stop mocks, read and verify their traffic, add scenarios, ' +
          'lint documents, check services and explain findings. Reads files below the current ' +
          'folder only, sends requests to this machine only, and only reads, unless flags allow ' +
          'more. Ends when stdin ends.',
      )
      .option(
        '--config <file>',
        'configuration file (default: vouch.config.yaml in the current folder)',
      )
      .option('--root <folder>', 'allow files of this folder too; repeatable', collect, [])
      .option(
        '--target <url>',
        'allow checks of this base URL, or target of vouch.config.yaml; repeatable; only ' +
          'these targets get the credentials and headers of the flags and of VOUCH_TOKEN',
        collect,
        [],
      )
      .option('--allow-writes', 'allow checks with mode read-write and fuzz', false);
    addTargetOptions(command).action((flags: McpFlags) =>
      start(async (io) => {
        const { runMcpCommand } = await import('../serve/run-mcp-command.ts');
        return runMcpCommand(io, flags);
      }),
    );
  },
};
