import type { Contract } from '../contract/model.ts';
import { formatPlace } from '../errors.ts';
import { cleanLine } from '../text/safe-text.ts';
import { fitLines } from './fit-lines.ts';
import type { Io } from './io.ts';
import { asCalled } from './program-name.ts';

/** More are counted: a document with one wrong indent has many. */
const mostShown = 5;

/** Warns on stderr of the parts of a document that are left out because they are no OpenAPI. */
export function tellDocumentFaults(io: Io, contract: Pick<Contract, 'faults' | 'file'>): void {
  const { faults, file } = contract;
  if (faults.length === 0) return;
  const lines = faults
    .slice(0, mostShown)
    .map(({ message, place }) => `warning ${cleanLine(formatPlace(place))}  ${cleanLine(message)}`);
  const more = faults.length > mostShown ? `${String(faults.length - mostShown)} more. ` : '';
  const way = `vouch lint ${cleanLine(file)} lists all problems.`;
  const last = `${more}Parts that are not OpenAPI are ignored; ${way}`;
  io.err(fitLines(asCalled(`${[...lines, last].join('\n')}\n`, io.program), io, 'err'));
}
