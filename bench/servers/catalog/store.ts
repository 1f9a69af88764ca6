import { createHash } from 'node:crypto';
import { openService, type Opened } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { Refused } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

/** The structural properties of an entity. */
export type Row = Readonly<Record<string, unknown>>;

export type SetName = 'Products' | 'Reviews' | 'Categories';

/** A started service. */
export interface Service extends Opened<DefectName, VariantName> {
  /** By entity set, then by key. */
  readonly sets: Readonly<Record<SetName, Map<string, Row>>>;
  readonly deleted: Row[];
}

export const key = 'catalog-key-6614';

const codes: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  415: 'UnsupportedMediaType',
  428: 'PreconditionRequired',
};

/** Refuses a request; `target` is the property or query option that is wrong. */
export function fail({ has }: Service, status: number, message: string, target?: string): never {
  const named = has('target-is-body') ? 'body' : target;
  const isTold = target !== undefined && !has('target-missing');
  const error = { code: codes[status], message, ...(isTold ? { target: named } : {}) };
  const headers = {
    ...(has('version-missing') ? {} : { 'OData-Version': '4.0' }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  };
  throw new Refused({ status, headers, json: has('error-not-wrapped') ? error : { error } });
}

export const rowsOf = ({ sets }: Service, name: SetName): Row[] => [...sets[name].values()];

export const reviewsOf = (service: Service, { ID }: Row): Row[] =>
  rowsOf(service, 'Reviews').filter(({ ProductID }) => ProductID === ID);

export const productsOf = (service: Service, { Code }: Row): Row[] =>
  rowsOf(service, 'Products').filter(({ CategoryCode }) => CategoryCode === Code);

export function etagOf(service: Service, product: Row): string {
  const { has } = service;
  if (has('etag-constant')) return '"1"';
  const reviews = has('review-changes-etag') ? reviewsOf(service, product).length : 0;
  const text = JSON.stringify([product, reviews]);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
}

/** A key that no entity of the service has. */
export function nextKey({ nextId, varies }: Service): number {
  return Number(nextId()) * (varies('ids-are-large') ? 1_000_003 : 1);
}

/** The records at the start. */
export function openStore(start: Start): Service {
  const service: Service = {
    ...openService({ defects: defectNames, variants: variantNames }, start),
    sets: { Products: new Map(), Reviews: new Map(), Categories: new Map() },
    deleted: [],
  };
  fill(service);
  return service;
}

export const writeTime = (time: number): string => new Date(time).toISOString();

const things = ['Kite', 'Hammer', 'Atlas', 'Puzzle', 'Lens', "Painter's Set", 'Drill'];
const groups = ['toys', 'tools', 'books', 'games', 'music'];

function fill({ sets, varies }: Service): void {
  const base = varies('examples-unknown') ? 700 : 0;
  const code = (at: number): string =>
    `${varies('examples-unknown') ? 'old' : ''}${groups[at] ?? ''}`;
  for (const [at, group] of groups.entries()) {
    const Name = group.charAt(0).toUpperCase() + group.slice(1);
    sets.Categories.set(code(at), { Code: code(at), Name });
  }
  for (let at = 0; at < (varies('starts-empty') ? 0 : 27); at += 1) {
    const ID = base + at + 1;
    const time = writeTime(Date.UTC(2025, 3, 1 + at * 4, 8));
    sets.Products.set(String(ID), {
      ID,
      Name: `${things[at % things.length] ?? ''} ${String(at + 1)}`,
      Sku: `${['KT', 'HM', 'AT'][at % 3] ?? ''}-${String(100 + at * 7)}`,
      Price: Math.round((5 + ((at * 3779) % 19_500) / 100) * 100) / 100,
      Stock: (at * 17) % 90,
      Status: at % 6 === 4 ? 'Discontinued' : 'Active',
      Tags: [['wind'], ['steel', 'red'], [], ['red', 'gift']][at % 4],
      ReleaseDate: at % 3 === 1 ? null : `2024-0${String(1 + (at % 9))}-15`,
      CategoryCode: at % 7 === 6 ? null : code(at % 4),
      CreatedAt: time,
      ModifiedAt: time,
    });
    for (let n = 0; n < at % 4; n += 1) {
      const place = sets.Reviews.size + 1 + base;
      const Rating = 1 + ((at + n * 2) % 5);
      const Text = n === 1 ? null : 'As described.';
      const row = { ID: place, ProductID: ID, Rating, Text, CreatedAt: time };
      sets.Reviews.set(String(place), row);
    }
  }
}
