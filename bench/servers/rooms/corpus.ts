import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { keys } from './office.ts';
import { startRooms } from './server.ts';
import { shows } from './shows.ts';
import { variantNames } from './variants.ts';

const file = new URL('rooms.yaml', import.meta.url);

const withKey = (key: string) => ({ 'X-Api-Key': key });
const credentials = {
  first: withKey(keys.ines),
  second: withKey(keys.tomas),
  anonymous: {},
  wrongKey: withKey('wrong-key-0000'),
  prefix: withKey(keys.ines.slice(0, 9)),
};

/** Sites, rooms and bookings. */
export const rooms: Corpus = {
  name: 'rooms',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startRooms,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
