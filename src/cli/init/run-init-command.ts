import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { configFileNames } from '../../config/read-config.ts';
import { loadContract } from '../../contract/load.ts';
import { VouchError } from '../../errors.ts';
import { packageFolder } from '../../library/package-files.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { Io } from '../io.ts';
import { configText } from './config-text.ts';
import { findDocuments } from './find-documents.ts';

/** What `vouch init` was asked for. */
export interface InitWords {
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly allowRefHost?: readonly string[];
}

/**
 * Writes a first configuration into `folder`, for the document that is named or found there. Throws
 * a VouchError ('usage') where that cannot be told, or would write over one.
 */
export async function runInitCommand(
  io: Io,
  folder: string,
  { document, words }: { readonly document: string | undefined; readonly words: InitWords },
): Promise<void> {
  if (!words.dryRun && !words.force) refuseToOverwrite(folder);
  const file =
    document === undefined ? await chooseDocument(folder) : relative(folder, resolve(document));
  const contract = await loadContract(
    join(folder, file),
    words.allowRefHost === undefined ? {} : { allowRefHosts: words.allowRefHost },
  );
  const text = configText({
    contract,
    document: file.replaceAll('\\', '/'),
    schema: schemaPath(folder),
  });
  if (words.dryRun) return io.out(text);
  await io.writeFile(join(folder, configFileNames[0]), text);
  io.err(
    [
      `Wrote ${configFileNames[0]} for ${cleanLine(file)}: ${cleanLine(contract.title)} ${cleanLine(contract.version)}, ${countOf(contract.operations.length, 'operation')}.`,
      '',
      'Next:',
      '  vouch mock           serve it',
      '  vouch lint           is the document itself sound?',
      '  vouch check --self   what does a check ask? (here the mock, which keeps it)',
      '  vouch check local    does your own server keep it? (its address is in the file)',
      '  vouch doctor         is everything there that these need?',
      '',
    ].join('\n'),
  );
}

function refuseToOverwrite(folder: string): void {
  const there = configFileNames.find((name) => existsSync(join(folder, name)));
  if (there === undefined) return;
  throw new VouchError('usage', `There is a ${there} already, and it is left as it is.`, {
    hint:
      there === configFileNames[0]
        ? 'See what would be written with --dry-run, or write over it with --force.'
        : `See what would be written with --dry-run. --force writes ${configFileNames[0]}, which counts for more than ${there}.`,
  });
}

async function chooseDocument(folder: string): Promise<string> {
  const [first, ...others] = await findDocuments(folder);
  if (first === undefined)
    throw new VouchError(
      'usage',
      'No OpenAPI document was found here, nor in folders such as openapi/, api/ and docs/.',
      {
        hint: 'Name it: vouch init path/to/openapi.yaml. Without one of your own, vouch mock serves the contract that comes with it.',
      },
    );
  if (others.length === 0) return first;
  const names = [first, ...others].map(cleanLine);
  throw new VouchError(
    'usage',
    `There are ${String(names.length)} OpenAPI documents here:\n${names
      .slice(0, 20)
      .map((name) => `  ${name}`)
      .join('\n')}`,
    { hint: `Name the one that is meant: vouch init ${names[0] ?? ''}` },
  );
}

/**
 * The schema of the installed package, where it is installed for this folder; a place of npx's own
 * would be gone tomorrow.
 */
function schemaPath(folder: string): string {
  const inPackage = 'schemas/config.schema.json';
  const own = relative(folder, join(packageFolder, inPackage)).replaceAll('\\', '/');
  if (!own.startsWith('..')) return `./${own}`;
  return `./node_modules/vouch/${inPackage}`;
}
