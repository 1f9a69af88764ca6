import { VouchError } from '../errors.ts';
import type { ContractWords } from './find-contract.ts';

/** What a command line says of where its contract comes from. */
export interface NamedContract {
  /** The document that is named; the configuration's, or the bundled one, where none is. */
  readonly document: string | undefined;
  readonly words: ContractWords;
}

/** Does some work on a contract. Where it fails in a way that nobody foresaw and the document is not built as OpenAPI wants it, that is what is told: a VouchError with the place. */
export async function blamingDocument<Result>(named: NamedContract, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VouchError ? error : ((await faultOfDocument(named).catch(() => undefined)) ?? error);
  }
}

async function faultOfDocument({ document, words }: NamedContract): Promise<VouchError | undefined> {
  const [{ findContract }, { lintContract }] = await Promise.all([import('./find-contract.ts'), import('../lint/lint-contract.ts')]);
  const { contract } = await findContract(document, words);
  const { problems } = await lintContract(contract.file, { allowRefHosts: words.allowRefHost ?? [] });
  const fault = problems.find(({ rule, severity }) => rule === 'struct' && severity === 'error');
  if (fault === undefined) return undefined;
  const { message, place, frame } = fault;
  return new VouchError('contract-unreadable', `${contract.file} is not built as OpenAPI wants it: ${message.replace(/\.?$/, '.')}`, { place, frame, hint: `Mend that first. All that is wrong with it: vouch lint ${contract.file}` });
}
