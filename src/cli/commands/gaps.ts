import { stringifyJson } from '../../json/stringify-json.ts';
import { formatPlace } from '../../errors.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import type { Gap } from '../../contract/model.ts';
import { exitCodes } from '../exit-code.ts';
import type { ContractWords } from '../find-contract.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions } from './contract-options.ts';

/** `vouch gaps [doc]`: where the contract is silent, and what the mock assumes there. */
export const gapsCommand: CommandEntry = {
  name: 'gaps',
  register(program, start) {
    addContractOptions(program.command('gaps [document]'))
      .summary('list where the contract is silent')
      .description('Lists every place where the contract is silent, beside what the mock assumes there.')
      .action((document: string | undefined, options: ContractWords) =>
        start(async (io) => {
          const { findContract } = await import('../find-contract.ts');
          const chosen = await findContract(document, options);
          io.out(formatGaps(chosen));
          return exitCodes.kept;
        }),
      );
  },
};

function formatGaps({ contract, config }: ChosenContract): string {
  if (contract.gaps.length === 0) return `${contract.file} leaves nothing open that vouch looks for.\n`;
  const blocks = contract.gaps.map((gap) => [`${gap.id}  ${formatPlace(contract.locate(gap.pointer))}`, `  ${gap.message}`, ...assumed(gap, config.mock.assume ?? [])].join('\n'));
  return `${blocks.join('\n')}\n\n${String(contract.gaps.length)} gaps in ${contract.file}.\n`;
}

function assumed(gap: Gap, assumptions: NonNullable<ChosenContract['config']['mock']['assume']>): string[] {
  const of = assumptions.filter(({ operation }) => operation === gap.operation?.id);
  if (gap.kind === 'success-open') return of.flatMap(({ status, because }) => (status === undefined ? [] : [`  The mock answers ${String(status)}: ${because}.`]));
  if (gap.kind === 'payload-open') return of.flatMap(({ body, because }) => (body === undefined ? [] : [`  The mock answers ${stringifyJson(body)}: ${because}.`]));
  if (gap.kind !== 'default-unknown') return [];
  const field = gap.id.split('.').at(-2) ?? '';
  return of.flatMap((assumption) => (assumption.default?.[field] === undefined ? [] : [`  The mock takes ${stringifyJson(assumption.default[field])}: ${assumption.because}.`]));
}
