import { choose, type Start } from '../serving/plant.ts';
import type { Answer, ServiceRequest } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

/** Contents that a file had; times are milliseconds of a full second. */
export type Revision = Readonly<Record<'rev' | 'contents', string>> &
  Readonly<Record<'client_modified' | 'server_modified', number>>;

/** A file or a folder at the place that its key tells: its path in lower case. */
export interface Item {
  readonly id: string;
  readonly home: Account;
  readonly kind: 'file' | 'folder';
  key: string;
  name: string;
  /** Its path as it was when it came to its place. */
  display: string;
  /** Those of a file, the current one last. */
  revisions: Revision[];
  tags: readonly string[];
  /** The number of its last change. */
  changed: number;
  shared: SharedFolder | undefined;
}

/** What a path had that was deleted or moved away, with the file if it was deleted. */
export interface Gone {
  readonly key: string;
  readonly display: string;
  readonly changed: number;
  readonly file: Item | undefined;
}

type Texts = 'account_id' | 'email' | 'display_name' | 'team';

export interface Account extends Readonly<Record<Texts, string>> {
  readonly isAdmin: boolean;
  readonly items: Map<string, Item>;
  readonly gone: Map<string, Gone>;
}

export interface SharedFolder {
  readonly id: string;
  readonly item: Item;
  /** Their roles, that of the owner too. */
  readonly members: Map<Account, string>;
}

export interface Link {
  readonly url: string;
  readonly account: Account;
  readonly item: Item;
  visibility: string;
  password: string | undefined;
  expires: number | undefined;
  allow_download: boolean;
}

/** What a cursor goes on with. */
export interface Cursor {
  readonly kind: string;
  readonly account: Account;
  readonly root: string | undefined;
  readonly next: (call: Call) => Answer;
}

/** Access tokens by the first name of their people. */
export const tokens = {
  nadia: 'lb.4f1d09ab7c3e4d52a6f80e1b9c27d6a3',
  ivo: 'lb.a83c2b7e915f40d8b1e6720c4d9f35ee',
  mei: 'lb.06e9d4c1f7b84a3f9d52b8e0a17c64f2',
  lena: 'lb.d17f50e3a92b4c68807b3f6e5c1a9d40',
} as const;

/** Ids of accounts; Nadia and Lena are administrators, Ivo and Mei in the team of Nadia. */
export const accountIds = {
  ...{ nadia: 'acc:NTg0YzAx', ivo: 'acc:NTg0YzAy', lena: 'acc:N2IxOWYx' },
} as const;

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly newId: (prefix: string) => string;
  readonly newRev: () => string;
  /** The number of the next change, and that of the last. */
  readonly change: () => number;
  readonly lastChange: () => number;
  readonly accounts: Account[];
  readonly people: Map<string, Account>;
  readonly folders: SharedFolder[];
  readonly links: Link[];
  readonly cursors: Map<string, Cursor>;
}

/** Where the paths of a request begin: in a home, or in a shared folder of it. */
export interface Root {
  readonly home: Account;
  readonly folder: SharedFolder | undefined;
  readonly canWrite: boolean;
}

/** A request with the account that it acts for. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly account: Account;
  readonly root: Root;
}

/** A service without records. */
export function openDrive({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let [id, rev, changes] = [40_961, 0x5f0a10c4b01, 0];
  const more = varies('ids-are-long') ? 'x0Zk7_q-Lm2VtR9aYwE4-' : '';
  return {
    has: choose('defect', defectNames, defect),
    varies,
    newId: (prefix) => `${prefix}${more}${(id += 17).toString(36).padStart(9, 'A')}`,
    newRev: () => (rev += 0x1b3).toString(16),
    change: () => (changes += 1),
    lastChange: () => changes,
    ...{ accounts: [], people: new Map(), folders: [], links: [], cursors: new Map() },
  };
}

/** A moment to the second, as the service keeps them. */
export const toSecond = (time = Date.now()): number => Math.floor(time / 1000) * 1000;

/** Takes a record out of its list. */
export function remove<T>(records: T[], record: T): void {
  const at = records.indexOf(record);
  if (at >= 0) records.splice(at, 1);
}
