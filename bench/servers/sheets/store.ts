import { randomBytes } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { tableNames, tables, type TableName } from './tables.ts';
import { variantNames, type VariantName } from './variants.ts';

export type UserName = keyof typeof tokens;

/** The tokens by user. */
export const tokens = {
  hanna: 'patH4nnaLindqvis.5f0c1f2e8f3b4c7d9a6e',
  milo: 'patM1loFerreira0.b83d0e7a41c95f62d07e',
} as const;

export const users = {
  hanna: { id: 'usrHannaLindqvist', email: 'hanna@northlight.example', name: 'Hanna Lindqvist' },
  milo: { id: 'usrMiloFerreira00', email: 'milo@northlight.example', name: 'Milo Ferreira' },
} as const;

export interface Comment {
  readonly id: string;
  readonly author: UserName;
  readonly text: string;
  readonly created: number;
}

export interface Rec {
  readonly id: string;
  readonly base: Base;
  readonly table: TableName;
  readonly created: number;
  /** What was written; links are kept at tasks alone. */
  fields: Record<string, unknown>;
  archived: boolean;
  /** From the oldest on. */
  readonly comments: Comment[];
  commentsEver: number;
  /** Ids of the projects before. */
  former: readonly string[];
  /** The Hours that a task was created with. */
  firstHours?: unknown;
}

export type Change = 'created' | 'changed' | 'destroyed';

export interface Payload {
  readonly table: TableName;
  readonly user: UserName;
  readonly time: number;
  readonly ids: Readonly<Record<Change, readonly string[]>>;
}

export interface Webhook {
  readonly id: string;
  readonly user: UserName;
  readonly table: TableName;
  readonly changes: readonly Change[];
  readonly created: number;
  readonly payloads: Payload[];
}

export interface Base {
  readonly id: string;
  readonly name: string;
  readonly owner: UserName;
  readonly readers: readonly UserName[];
  readonly created: number;
  readonly records: Record<TableName, Map<string, Rec>>;
  readonly webhooks: Map<string, Webhook>;
  /** By table, and then by view: its id. */
  readonly viewIds: Readonly<Record<TableName, readonly string[]>>;
}

/** What is left of a list: the ids behind a page. */
interface Rest {
  /** The list to which it belongs. */
  readonly key: string;
  readonly ids: () => readonly string[];
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly bases: Map<string, Base>;
  readonly rests: Map<string, Rest>;
  readonly newId: (prefix: string) => string;
}

/** A service without bases. */
export function openSheets({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  const length = varies('ids-are-longer') ? 24 : 14;
  const newId = (prefix: string): string =>
    prefix + randomBytes(32).toString('base64').replaceAll(/[+/=]/g, '7').slice(0, length);
  const has = choose('defect', defectNames, defect);
  return { has, varies, bases: new Map(), rests: new Map(), newId };
}

export function addBase(service: Service, more: Pick<Base, 'name' | 'owner' | 'readers'>): Base {
  const idsOf = (table: TableName): string[] => tables[table].views.map(() => service.newId('viw'));
  const viewIds: unknown = Object.fromEntries(tableNames.map((one) => [one, idsOf(one)]));
  const base: Base = {
    ...{ id: service.newId('app'), created: Date.now(), webhooks: new Map() },
    records: { projects: new Map(), tasks: new Map(), people: new Map() },
    viewIds: viewIds as Base['viewIds'],
    ...more,
  };
  service.bases.set(base.id, base);
  return base;
}

export function addRecord(service: Service, base: Base, table: TableName): Rec {
  const record: Rec = {
    ...{ id: service.newId('rec'), base, table, created: Date.now(), fields: {} },
    ...{ archived: false, comments: [], commentsEver: 0, former: [] },
  };
  base.records[table].set(record.id, record);
  return record;
}

/** The records as they are now; called, the answer brings them back. */
export function keep({ records }: Base): () => void {
  const kept = tableNames.map((name) =>
    [...records[name]].map(([id, one]) => [id, { ...one, fields: { ...one.fields } }] as const),
  );
  return () => {
    for (const [at, name] of tableNames.entries()) records[name] = new Map(kept[at]);
  };
}
