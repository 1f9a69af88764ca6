import type { Io } from './io.ts';

/** A word with a dot, a slash or a colon is the path of a document, or its URL. */
const isPlace = /[./\\:]/;
/** Flags of the program itself, which need no command. */
const ownFlag = /^(?:-h|--help|-V|--version)$/;

/**
 * The words of a command line with its command: `mock` where there is none, because the first word
 * is a document, a flag of `mock` or missing. A word that is neither a document nor a command is
 * left to be reported. Alone in a folder without a document, vouch serves its example.
 */
export async function withCommand(
  words: readonly string[],
  commands: readonly string[],
  io: Pick<Io, 'readFile'>,
): Promise<readonly string[]> {
  const [first] = words;
  if (first === undefined) return (await isEmptyFolder()) ? ['mock', '--demo'] : ['mock'];
  if (commands.includes(first) || words.some((word) => ownFlag.test(word))) return words;
  const isDocument = first.startsWith('-') || isPlace.test(first) || (await isFile(first, io));
  return isDocument ? ['mock', ...words] : words;
}

async function isEmptyFolder(): Promise<boolean> {
  // Loaded on demand: the other commands read them when they need them.
  const [{ findConfig }, { findDocuments }] = await Promise.all([
    import('../config/config.ts'),
    import('../library/find-documents.ts'),
  ]);
  const folder = process.cwd();
  return findConfig(folder) === undefined && (await findDocuments(folder)).length === 0;
}

async function isFile(path: string, { readFile }: Pick<Io, 'readFile'>): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
