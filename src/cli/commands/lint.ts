import { Option } from 'commander';
import { formatLint, lintFormats, type LintFormat } from '../../lint/format-lint.ts';
import { exitCodes } from '../exit-code.ts';
import { wantsColor } from '../io.ts';
import type { CommandEntry } from './command.ts';

/** `vouch lint [doc]`: whether the contract itself is sound, and says enough to be kept. */
export const lintCommand: CommandEntry = {
  name: 'lint',
  register(program, start) {
    program
      .command('lint [document]')
      .summary('say whether the contract itself is sound')
      .description("Holds an OpenAPI document against Redocly's recommended rules and vouch's own, and names what it leaves open. Reads that one file; fetches nothing.")
      .addOption(new Option('--format <format>', 'how to print').choices([...lintFormats]).default('pretty'))
      .option('--config <file>', 'the configuration (default: vouch.config.yaml here)')
      .action((document: string | undefined, options: { format: LintFormat; config?: string }) =>
        start(async (io) => {
          const [{ findContract }, { lintContract }] = await Promise.all([import('../find-contract.ts'), import('../../lint/lint-contract.ts')]);
          const { contract } = await findContract(document, options.config);
          const report = await lintContract(contract.file);
          io.out(formatLint(report, options.format, { color: wantsColor(io, 'out'), width: io.width }));
          return report.counts.error > 0 ? exitCodes.broken : exitCodes.kept;
        }),
      );
  },
};
