import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startTracker } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('tracker.yaml', import.meta.url);

const credentials = {
  first: { 'PRIVATE-TOKEN': tokens.nora },
  second: { 'PRIVATE-TOKEN': tokens.pavel },
  anonymous: {},
  wrongKey: { 'PRIVATE-TOKEN': 'trk-0123456789abcdef' },
};

/** Issues of projects, their notes, links, labels and milestones. */
export const tracker: Corpus = {
  name: 'tracker',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startTracker,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
