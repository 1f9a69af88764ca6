import { randomUUID } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export type Value = string | number | boolean;

export interface Clause {
  readonly attribute: string;
  readonly op: string;
  readonly values: readonly Value[];
  readonly negate: boolean;
}

export interface Rule {
  readonly _id: string;
  readonly description: string;
  readonly clauses: readonly Clause[];
  variation: number;
}

export interface Target {
  variation: number;
  values: string[];
}

export interface Share {
  variation: number;
  readonly weight: number;
}

export type Fallthrough = { variation: number } | { readonly rollout: Share[] };

/** What a flag has in an environment. */
export interface Settings {
  on: boolean;
  offVariation: number;
  fallthrough: Fallthrough;
  targets: Target[];
  rules: Rule[];
  prerequisites: { readonly key: string; readonly variationId: string }[];
  version: number;
  lastModified: number;
}

export interface Variation {
  readonly _id: string;
  value: Value;
  name: string;
}

/** What requests change in a flag. */
export interface FlagState {
  name: string;
  description: string;
  tags: string[];
  temporary: boolean;
  archived: boolean;
  archivedDate: number | null;
  maintainerId: string;
  variations: Variation[];
  readonly defaults: { onVariation: number; offVariation: number };
  readonly environments: Record<string, Settings>;
}

export interface Flag {
  readonly project: Project;
  readonly key: string;
  readonly creationDate: number;
  version: number;
  state: FlagState;
}

export interface SegmentState {
  name: string;
  description: string;
  included: string[];
  excluded: string[];
}

export interface Segment {
  readonly key: string;
  readonly creationDate: number;
  readonly clauses: readonly Clause[];
  version: number;
  state: SegmentState;
}

export interface Environment {
  readonly project: Project;
  readonly key: string;
  readonly name: string;
  readonly requireComments: boolean;
  readonly creationDate: number;
  readonly segments: Segment[];
}

export interface Project {
  readonly account: Account;
  readonly key: string;
  readonly name: string;
  readonly creationDate: number;
  readonly environments: Environment[];
  readonly flags: Flag[];
}

export interface Member {
  readonly _id: string;
  readonly email: string;
  role: string;
  name: string;
  readonly creationDate: number;
}

export interface Token {
  readonly _id: string;
  readonly account: Account;
  readonly member: Member;
  readonly token: string;
  readonly name: string;
  readonly role: string;
  readonly creationDate: number;
  isRevoked: boolean;
}

export interface Webhook {
  readonly _id: string;
  readonly url: string;
  readonly on: boolean;
  readonly sign: boolean;
  readonly creationDate: number;
}

export interface Entry {
  readonly _id: string;
  readonly account: Account;
  readonly date: number;
  readonly kind: string;
  readonly action: string;
  readonly resource: string;
  readonly name: string;
  readonly comment: string | null;
  readonly member: { readonly _id: string; readonly email: string };
}

export interface Account {
  readonly name: string;
  readonly projects: Project[];
  readonly members: Member[];
  readonly webhooks: Webhook[];
}

/** The access tokens at the start: of an admin and a reader, and of an admin of another account. */
export const tokens = {
  harbor: 'tgat-5b1c7e0a94d24f6f8a3be2d60c97f418',
  reader: 'tgat-d02f86b3517a4c0e9e64a1f7830bc95d',
  quarry: 'tgat-87e3a9c41f0d4b52b6d85c20fe713a96',
} as const;

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly newId: () => string;
  /** Milliseconds; no two are the same. */
  readonly now: () => number;
  readonly accounts: Readonly<Record<'harbor' | 'quarry', Account>>;
  readonly tokens: Token[];
  /** The newest last. */
  readonly entries: Entry[];
}

/** A service without records. */
export function openFlags({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let [last, time] = [0x1_0000, 0];
  const open = (name: string): Account => ({ name, projects: [], members: [], webhooks: [] });
  return {
    has: choose('defect', defectNames, defect),
    varies,
    newId: () => {
      last += 1;
      return varies('ids-are-uuids')
        ? randomUUID()
        : `6917ac20e4b0${last.toString(16).padStart(12, '0')}`;
    },
    now: () => (time = Math.max(Date.now(), time + 1)),
    accounts: { harbor: open('harbor'), quarry: open('quarry') },
    tokens: [],
    entries: [],
  };
}

/** Takes a record out of its list. */
export function remove<T>(records: T[], record: T): void {
  const at = records.indexOf(record);
  if (at >= 0) records.splice(at, 1);
}
