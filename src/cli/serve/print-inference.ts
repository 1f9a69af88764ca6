import { join, relative } from 'node:path';
import { packageFolder } from '../../library/package-files.ts';
import { chooseDocuments } from '../../library/choose-documents.ts';
import { contractChoice, type ContractWords } from '../find-contract.ts';
import { fitLines } from '../fit-lines.ts';
import type { Io } from '../io.ts';
import { tellDocumentFaults } from '../tell-document-faults.ts';
import { tellOwnDocument } from '../tell-own-document.ts';
import { explainInference } from './explain-inference.ts';

/** Prints what was inferred from each contract that would be served. */
export async function printInference(
  io: Io,
  documents: readonly string[],
  words: ContractWords,
): Promise<void> {
  const chosen = await chooseDocuments({ contracts: documents, ...contractChoice(words) });
  if (documents.length === 0)
    await tellOwnDocument(io, {
      file: chosen[0]?.contract.file ?? '',
      command: 'vouch mock --explain',
    });
  for (const { contract } of chosen) tellDocumentFaults(io, contract);
  const reference = relative(process.cwd(), join(packageFolder, 'docs/reference/configuration.md'));
  for (const { contract, assume } of chosen)
    io.out(fitLines(explainInference(contract, assume ?? [], reference), io, 'out'));
}
