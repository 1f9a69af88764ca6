import { exitCodes } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import { addContractOptions, addDocumentHeaders, type CommandEntry } from './command.ts';

interface TypesFlags extends ContractFlags {
  readonly output?: string;
}

/** `vouch types [doc]`: the types of a contract for handlers, tests and clients. */
export const typesCommand: CommandEntry = {
  name: 'types',
  register(program, start) {
    addDocumentHeaders(addContractOptions(program.command('types [document]')), '--header')
      .summary('write the types of the contract')
      .description(
        'Writes TypeScript: the types of requests and responses by openapi-typescript, and with ' +
          'them those of handlers, records and verify claims. The project needs ' +
          'openapi-typescript and typescript.',
      )
      .option('-o, --output <file>', 'write into this file (default: stdout)')
      .action((document: string | undefined, options: TypesFlags) =>
        start(async (io) => {
          const [{ findContract, withDocumentHeaders }, { writeTypes }] = await Promise.all([
            import('../find-contract.ts'),
            import('../../library/types/write-types.ts'),
          ]);
          const { contract } = await findContract(document, withDocumentHeaders(options, io));
          const text = await writeTypes(contract, process.cwd());
          if (options.output === undefined) io.out(text);
          else {
            await io.writeFile(options.output, text);
            io.err(`Wrote ${options.output}.\n`);
          }
          return exitCodes.passed;
        }),
      );
  },
};
