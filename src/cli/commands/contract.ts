import { Option } from 'commander';
import { type LintFormat, lintFormats } from '../../lint/lint-report.ts';
import { countOf } from '../../text/counts.ts';
import { type ExitCode, exitCodes, type Io, wantsColor } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import type { GapsFlags } from '../check/run-gaps-command.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions, addDocumentHeaders, addTargetOptions } from './command.ts';

interface LintFlags extends ContractFlags {
  readonly format: LintFormat;
  readonly all?: boolean;
}

/**
 * `vouch lint [doc]`: checks whether the contract is valid and complete enough to be tested
 * against.
 */
export const lintCommand: CommandEntry = {
  name: 'lint',
  register(program, start) {
    addDocumentHeaders(addContractOptions(program.command('lint [document]')))
      .summary('lint the contract')
      .description(
        "Checks an OpenAPI document against Redocly's recommended rules and vouch's " +
          'own, and lists what it leaves open. An error is what breaks a client, the mock ' +
          'or a check; style is a warning, unless redocly.yaml says otherwise. The ' +
          'document is a file, a URL, or - for stdin. Reads it and the files in its folder ' +
          'or repository that it references; fetches what it references on other hosts ' +
          'only with --allow-ref-host.',
      )
      .addOption(
        new Option('--format <format>', 'output format')
          .choices([...lintFormats])
          .default('pretty'),
      )
      .option('--all', 'show every problem (default: five of each rule; other formats have all)')
      .action((document: string | undefined, options: LintFlags) =>
        start(async (io) => {
          if (document !== undefined && (await isWorkflowFile(io, document)))
            return lintWorkflows(io, document, options.root);
          const [
            { findContract, loadAgain, withDocumentHeaders },
            { lintContract },
            { formatLint },
          ] = await Promise.all([
            import('../find-contract.ts'),
            import('../../lint/lint-contract.ts'),
            import('../../lint/format-lint.ts'),
          ]);
          const flags = withDocumentHeaders(options, io);
          const { contract } = await findContract(document, flags);
          const source = contract.source ?? contract.file;
          const report = await lintContract(source, loadAgain(contract, flags));
          io.out(
            formatLint(report, options.format, {
              color: wantsColor(io, 'out'),
              width: io.width,
              all: options.all === true,
            }),
          );
          return report.counts.error > 0 ? exitCodes.failed : exitCodes.passed;
        }),
      );
  },
};

/** Whether a file says at its top that it is an Arazzo document. */
async function isWorkflowFile(io: Io, path: string): Promise<boolean> {
  const bytes = await io.readFile(path).catch(() => new Uint8Array());
  const head = new TextDecoder().decode(bytes.subarray(0, 4_096));
  return /^(?:\s*\{[^{}]*)?"?arazzo"?\s*:/m.test(head);
}

/** Reads an Arazzo document; the first error is thrown with its place. */
async function lintWorkflows(io: Io, path: string, root: string | undefined): Promise<ExitCode> {
  const { loadWorkflows } = await import('../../config/read-data.ts');
  for (const { file, workflows } of await loadWorkflows([path], { root }))
    io.out(`${file}: no errors, ${countOf(workflows.length, 'workflow')}\n`);
  return exitCodes.passed;
}

/**
 * `vouch gaps [url] [doc]`: what the contract leaves open, what the mock assumes there, and what a
 * target does.
 */
export const gapsCommand: CommandEntry = {
  name: 'gaps',
  register(program, start) {
    addTargetOptions(addContractOptions(program.command('gaps [url] [document]')))
      .summary('list what the contract leaves open')
      .description(
        'Lists every gap: a place where the contract does not say what happens, ' +
          'with what the mock assumes there. With a base URL (or a target of ' +
          'vouch.config.yaml, by name), sends the requests of a check and reports ' +
          'what the target does.',
      )
      .action((first: string | undefined, second: string | undefined, flags: GapsFlags) =>
        start(async (io) => {
          const { runGapsCommand } = await import('../check/run-gaps-command.ts');
          return runGapsCommand(io, { flags, first, second });
        }),
      );
  },
};

interface TypesFlags extends ContractFlags {
  readonly output?: string;
}

/** `vouch types [doc]`: the types of a contract for handlers, tests and clients. */
export const typesCommand: CommandEntry = {
  name: 'types',
  register(program, start) {
    addDocumentHeaders(addContractOptions(program.command('types [document]')))
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
