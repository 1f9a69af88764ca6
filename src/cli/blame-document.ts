import { VouchError } from '../errors.ts';
import type { ContractWords } from './find-contract.ts';

/** What a command line says of where its contract comes from. */
export interface NamedContract {
  /** The document that is named; the configuration's, or the bundled one, where none is. */
  readonly document: string | undefined;
  readonly words: ContractWords;
}

/**
 * Does some work on a contract. Where it fails in a way that nobody foresaw and the document is not
 * built as OpenAPI wants it, that is what is told: a VouchError with the place.
 */
export async function blamingDocument<Result>(
  named: NamedContract,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VouchError
      ? error
      : ((await faultOfDocument(named).catch(() => undefined)) ?? error);
  }
}

async function faultOfDocument({
  document,
  words,
}: NamedContract): Promise<VouchError | undefined> {
  const [{ findContract }, { lintContract }] = await Promise.all([
    import('./find-contract.ts'),
    import('../lint/lint-contract.ts'),
  ]);
  // Where no contract can be made of it, it still has a name.
  const found = await findContract(document, words).catch(() => undefined);
  const file = found?.contract.file ?? document;
  if (file === undefined) return undefined;
  const { problems } = await lintContract(file, { allowRefHosts: words.allowRefHost ?? [] });
  const fault = problems.find(({ rule, severity }) => rule === 'struct' && severity === 'error');
  if (fault === undefined) return undefined;
  const { message, place, frame } = fault;
  const sentence = `${file} does not have the structure of OpenAPI: ${message.replace(/\.?$/, '.')}`;
  const hint = `Fix that first. vouch lint ${file} lists all problems.`;
  return new VouchError('contract-unreadable', sentence, { place, frame, hint });
}
