import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { changedOperations } from '../../check/engine/choose/changed-operations.ts';
import { hashContract } from '../../check/engine/judge/write-replay.ts';
import type { Changed } from '../../check/engine/settings.ts';
import { loadContract } from '../../contract/load.ts';
import { isAddress } from '../../contract/load/source.ts';
import type { Contract } from '../../contract/model.ts';
import { codeOf, usage, VouchError } from '../../errors.ts';
import { type ContractFlags, findContract } from '../find-contract.ts';

/** The location of a contract when it was read. */
export interface FormerContract {
  readonly file: string;
  readonly path?: string | undefined;
  /** The absolute paths of its Overlays. */
  readonly overlays?: readonly string[] | undefined;
}

/**
 * Finds the contract of an earlier run: the given document, else the same file, else the default
 * contract.
 */
export async function findContractAgain(
  named: string | undefined,
  { file, path, overlays = [] }: FormerContract,
  flags: ContractFlags,
): Promise<Contract> {
  if (named !== undefined) return (await findContract(named, flags)).contract;
  const again = { ...flags, overlay: [...overlays, ...(flags.overlay ?? [])] };
  for (const place of [path, file]) {
    if (place === undefined || place === '' || place.startsWith('<')) continue;
    try {
      return (await findContract(place, again)).contract;
    } catch (error) {
      if (
        !(error instanceof VouchError) ||
        !(error.code === 'contract-missing' || codeOf(error.cause) === 'ENOENT')
      )
        throw error;
    }
  }
  return (await findContract(undefined, flags)).contract;
}

/** Whether a contract differs from the one with this digest. */
export function hasChanged(contract: Contract, digits: readonly string[]): boolean {
  return digits.some((former) => former !== hashContract(contract));
}

/** A folder with more files than this is treated as a whole repository, not as one contract. */
const maxFiles = 2_000;
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a contract as of a commit, branch or tag of the Git repository that contains its document.
 * Returns undefined if the document did not exist then. Throws a VouchError outside a repository,
 * or if Git does not know the name.
 */
export async function contractAtRef(
  contract: Contract,
  ref: string,
): Promise<Contract | undefined> {
  const [document] = contract.files;
  if (document === undefined || isAddress(document))
    throw usage('--changed-since needs a contract that is a file in a Git repository.', {
      hint: 'Pass the path of the document.',
    });
  const folder = dirname(document);
  const commit = await findCommit(folder, ref);
  const text = await show(folder, `${commit}:./${basename(document)}`);
  if (text === undefined) return undefined;
  const copy = await mkdtemp(join(tmpdir(), 'vouch-changed-'));
  try {
    await writeFile(join(copy, basename(document)), text);
    // Referenced files are in the folder of the document or below it, and may have had other names
    // at that commit.
    if (
      contract.files.length > 1 + contract.overlays.length ||
      /"?\$ref"?\s*:\s*["']?[^#"'\s]/.test(text.toString('utf8'))
    )
      await copyToTemporary(folder, commit, copy);
    return await loadContract(join(copy, basename(document)), { overlays: contract.overlays });
  } catch (cause) {
    if (!(cause instanceof VouchError) || cause.code === 'usage') throw cause;
    throw new VouchError(
      'contract-unreadable',
      `Cannot read the contract at ${ref}: ${cause.message}`,
      { cause, hint: 'Use a later commit, or remove --changed-since.' },
    );
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyToTemporary(folder: string, commit: string, copy: string): Promise<void> {
  const listed = await git(folder, ['ls-tree', '-r', '-z', '--name-only', commit, '--', '.']);
  const names = listed
    .toString('utf8')
    .split('\0')
    .filter((name) => /\.(ya?ml|json)$/i.test(name));
  if (names.length > maxFiles)
    throw usage(
      `The folder of the contract had ${String(names.length)} documents at ` +
        `${commit}; --changed-since reads at most ${String(maxFiles)}.`,
      { hint: 'Move the contract to its own folder.' },
    );
  for (const name of names) {
    const target = resolve(copy, name);
    if (relative(copy, target).startsWith('..')) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, (await show(folder, `${commit}:./${name}`)) ?? '');
  }
}

/**
 * The full id of a commit. Names that Git could read as an option or as several revisions are
 * refused.
 */
async function findCommit(folder: string, ref: string): Promise<string> {
  if (!/^[\w][\w./@{}^~+-]*$/.test(ref) || ref.includes('..')) {
    throw usage(`${ref} is not a valid commit name.`, {
      hint: 'Pass a branch, a tag or a commit, such as main, v1.2.0 or HEAD~1.',
    });
  }
  await git(folder, ['rev-parse', '--is-inside-work-tree']).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT')
      throw usage('--changed-since needs Git, which is not installed.', {
        cause,
        hint: 'Install Git, or remove --changed-since.',
      });
    throw usage(
      'The folder of the contract, ' +
        `${relative(process.cwd(), folder) || 'the current folder'}, is not in a ` +
        'Git repository.',
      { cause, hint: 'Remove --changed-since, or put the contract under version control.' },
    );
  });
  try {
    return (
      await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
    )
      .toString('utf8')
      .trim();
  } catch (cause) {
    throw usage(`Git does not know the commit ${ref}.`, {
      cause,
      hint:
        'CI clones are often shallow: fetch the branch first (git fetch origin ' +
        'main), or clone the full history.',
    });
  }
}

/** The bytes of a file in a commit, or undefined if the commit does not contain it. */
async function show(folder: string, object: string): Promise<Buffer | undefined> {
  const exists = await git(folder, ['cat-file', '-e', object]).then(
    () => true,
    () => false,
  );
  return exists ? git(folder, ['show', object]) : undefined;
}

const runFile = promisify(execFile);

async function git(folder: string, args: readonly string[]): Promise<Buffer> {
  const { stdout } = await runFile('git', [...args], {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: maxBytes,
    windowsHide: true,
  });
  return stdout;
}

/** The operations that changed since a commit; all of them if the document did not exist then. */
export async function readChanged(contract: Contract, ref: string): Promise<Changed> {
  const before = await contractAtRef(contract, ref);
  return {
    since: ref,
    operations:
      before === undefined
        ? contract.operations.map(({ id }) => id)
        : changedOperations(before, contract),
  };
}
