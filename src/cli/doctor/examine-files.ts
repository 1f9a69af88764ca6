import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { codeOf, formatPlace, VouchError } from '../../errors.ts';
import { lintContract } from '../../lint/lint-contract.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { countOf, countsOf } from '../../text/counts.ts';
import { findDocuments } from '../init/find-documents.ts';
import type { Diagnosis, Patient } from './examination.ts';
import { defined } from '../../json/defined.ts';

/** Whether the configuration can be read. */
export function examineConfig({ config, folder }: Patient): Diagnosis[] {
  if (config instanceof Error) return [unreadable(config)];
  if (config.file === undefined)
    return [
      {
        level: 'ok',
        text: 'there is none, and none is needed',
        hint: 'Write one with vouch init.',
      },
    ];
  return [{ level: 'ok', text: relative(folder, config.file) }];
}

/** Whether the document can be read, and what the lint says of it. */
export async function examineContract({ contract, config, folder }: Patient): Promise<Diagnosis[]> {
  if (config instanceof Error)
    return [
      { level: 'warn', text: 'not looked at, because the configuration says which one it is' },
    ];
  if (contract instanceof Error) return [unreadable(contract)];
  const isBundled = config.contract === undefined && (config.documents ?? []).length === 0;
  const read = `${isBundled ? 'the one that comes with vouch, ' : ''}${contract.file}: ${contract.title} ${contract.version}, ${countOf(contract.operations.length, 'operation')}`;
  try {
    const { counts } = await lintContract(contract.file);
    // A sound document of another house style has dozens, and is served and checked like any other.
    if (counts.error > 0)
      return [
        {
          level: 'warn',
          text: `${read}; the lint has ${countsOf([[counts.error, 'error']])}`,
          hint: 'vouch mock and vouch check take it as it stands, mistakes included; vouch start does not. See them with vouch lint.',
        },
      ];
    return [
      {
        level: 'ok',
        text: `${read}; the lint has ${countsOf([
          [counts.warning, 'warning'],
          [counts.note, 'note'],
        ])}`,
        ...(isBundled ? await ownDocument(folder) : {}),
      },
    ];
  } catch (error) {
    return [unreadable(error)];
  }
}

/** A document that lies here and that no configuration names is probably the one that is meant. */
async function ownDocument(folder: string): Promise<Pick<Diagnosis, 'hint'>> {
  const [first] = await findDocuments(folder);
  return first === undefined
    ? {}
    : { hint: `${first} is here: take it for good with vouch init, or once by its name.` };
}

/** What runs leave for `vouch replay` and `vouch cleanup` has to be written somewhere. */
export async function examineState({ io, platform }: Patient): Promise<Diagnosis[]> {
  const folder = stateFolder(io.env, platform);
  const lost = 'vouch replay and vouch cleanup will know nothing of runs on this machine';
  if (folder === undefined)
    return [
      {
        level: 'warn',
        text: `there is none: ${lost}`,
        hint: 'Name a folder: export VOUCH_STATE_DIR=~/.vouch',
      },
    ];
  const probe = join(folder, `doctor-${String(process.pid)}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return [{ level: 'ok', text: folder }];
  } catch (error) {
    return [
      {
        level: 'warn',
        text: `${folder} cannot be written to (${codeOf(error) ?? String(error)}): ${lost}`,
        hint: 'Let it be written to, or name another folder: export VOUCH_STATE_DIR=~/.vouch',
      },
    ];
  }
}

/** A file that cannot be used, in one sentence with its place. */
export function unreadable(error: unknown): Diagnosis {
  if (!(error instanceof VouchError))
    return { level: 'fail', text: error instanceof Error ? error.message : String(error) };
  const place = error.place === undefined ? '' : ` (${formatPlace(error.place)})`;
  return {
    level: 'fail',
    text: `${error.message}${place}`,
    ...defined({ hint: error.hint }),
  };
}
