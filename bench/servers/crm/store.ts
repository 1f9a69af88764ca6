import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export const objectTypes = ['contacts', 'companies', 'deals', 'tasks'] as const;

export type ObjectType = (typeof objectTypes)[number];

export interface Option {
  readonly label: string;
  readonly value: string;
  readonly displayOrder: number;
}

/** A property that the records of an object type can have. */
export interface Definition {
  readonly name: string;
  label: string;
  readonly type: string;
  readonly fieldType: string;
  options: readonly Option[];
  readonly hasUniqueValue: boolean;
  readonly readOnly: boolean;
  readonly systemDefined: boolean;
  readonly createdAt: number;
  updatedAt: number;
}

/** A record; times are milliseconds. A property without a value is not in `values`. */
export interface Row {
  readonly id: string;
  readonly type: ObjectType;
  readonly createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
  readonly values: Map<string, string>;
  /** The stage that a deal was created in. */
  firstStage: string | undefined;
  /** What was merged into it. */
  readonly mergedIds: string[];
  readonly emails: string[];
}

/** An association, made from one record to another. */
export interface Link {
  readonly from: Row;
  readonly to: Row;
}

export interface Owner {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly archived: boolean;
}

export interface Stage {
  readonly id: string;
  readonly label: string;
  readonly probability: string;
  readonly isClosed: boolean;
}

/** A pipeline; its stages are in their order. */
export interface Pipeline {
  readonly id: string;
  readonly label: string;
  readonly stages: readonly Stage[];
}

/** All that belongs to one customer of the service. */
export interface Portal {
  readonly definitions: Readonly<Record<ObjectType, Definition[]>>;
  readonly owners: Owner[];
  readonly pipelines: readonly Pipeline[];
  rows: Row[];
  links: Link[];
}

/** A private app: who sends requests, and what it may do. */
export interface App {
  readonly portal: Portal;
  readonly scopes: readonly string[];
}

/** Access tokens of the private apps; the last is of the second portal. */
export const tokens = {
  growth: 'lbr-eu1-5f0c1d7e-93b2-4a68-8d1f-6c2e47a9b035',
  dashboard: 'lbr-eu1-a41e90c3-27d5-4f1b-b6c8-0e93d75f2a16',
  newsletter: 'lbr-eu1-d8b67f24-50ae-4c39-97f3-b1a26ce4085d',
  northern: 'lbr-eu1-0c92e5ba-e671-4d84-a3b9-84f7d013c6e2',
} as const;

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly newId: () => string;
  /** Milliseconds; no two are the same. */
  readonly now: () => number;
  readonly portals: Portal[];
  /** Private apps by their tokens. */
  readonly apps: Map<string, App>;
}

/** A service without portals. */
export function openCrm({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  const isLarge = varies('ids-are-large');
  let [last, time] = [isLarge ? 31_400_000_017 : 1_200, 0];
  return {
    has: choose('defect', defectNames, defect),
    varies,
    newId: () => String((last += isLarge ? 1_087 : 1)),
    now: () => (time = Math.max(Date.now(), time + 1)),
    ...{ portals: [], apps: new Map() },
  };
}

export function newRow(service: Service, type: ObjectType, moment = service.now()): Row {
  return {
    ...{ id: service.newId(), type, createdAt: moment, updatedAt: moment, archivedAt: null },
    ...{ values: new Map(), firstStage: undefined, mergedIds: [], emails: [] },
  };
}

/** The records of a type that a record is associated with, in the order of their ids. */
export function linked({ links }: Portal, row: Row, type: ObjectType, { has }: Service): Row[] {
  const others = links.flatMap(({ from, to }) => {
    if (from === row) return [to];
    return to === row && !has('seen-from-one-side') ? [from] : [];
  });
  return others.filter((one) => one.type === type).sort((a, b) => Number(a.id) - Number(b.id));
}

/** Where a deal stands. */
export function stageOf({ pipelines }: Portal, id: string | undefined): Stage | undefined {
  return pipelines.flatMap(({ stages }) => stages).find((one) => one.id === id);
}

export const isWon = (stage: Stage | undefined): boolean =>
  stage?.isClosed === true && Number(stage.probability) === 1;
