import { openService, type Opened } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import type { Json } from '../serving/requests.ts';
import { Refused } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export type Type = 'articles' | 'comments' | 'people' | 'tags';

/** A resource without what follows from others; `to` has the identifiers that it relates to. */
export interface Resource {
  readonly type: Type;
  readonly id: string;
  readonly attributes: Json;
  readonly to: Readonly<Record<string, string | null | readonly string[]>>;
}

type Records = ReadonlyMap<Type, Map<string, Resource>>;

/** A started service. */
export interface Service extends Opened<DefectName, VariantName> {
  readonly records: Records;
  /** Slugs of deleted articles. */
  readonly oldSlugs: Set<unknown>;
  /** By article: by how much its commentCount is too low. */
  readonly missed: Map<string, number>;
}

export const key = 'newsroom-key-8807';
export const media = 'application/vnd.api+json';

/** What of a request is wrong. */
interface Source {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** Refuses a request with one error of JSON:API. */
export function fail({ has }: Service, status: number, title: string, source: Source = {}): never {
  const { pointer, parameter, header } = source;
  const told = {
    ...(pointer === undefined || has('pointer-missing') ? {} : { pointer: placeOf(has, pointer) }),
    ...(parameter === undefined || has('parameter-unnamed') ? {} : { parameter }),
    ...(header === undefined ? {} : { header }),
  };
  const error = {
    status: has('status-is-number') ? status : String(status),
    title,
    ...(Object.keys(told).length === 0 ? {} : { source: told }),
  };
  const headers = {
    'Content-Type': has('plain-json') ? 'application/json' : media,
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  };
  throw new Refused({ status, headers, json: { errors: [error] } });
}

function placeOf(has: Service['has'], pointer: string): string {
  if (has('pointer-to-data')) return '/data';
  return has('pointer-without-attributes') ? pointer.replace('/attributes', '') : pointer;
}

export const all = (service: Service, type: Type): Resource[] => [
  ...(service.records.get(type)?.values() ?? []),
];

export const find = (service: Service, type: Type, id: unknown): Resource | undefined =>
  service.records.get(type)?.get(String(id));

export function keep(service: Service, resource: Resource): void {
  service.records.get(resource.type)?.set(resource.id, resource);
}

export const commentsOf = (service: Service, article: string): Resource[] =>
  all(service, 'comments').filter(({ to }) => to['article'] === article);

/** The records at the start. */
export function openStore(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames, uuids: 'ids-are-uuids' } as const;
  const types = ['articles', 'comments', 'people', 'tags'] as const;
  const service: Service = {
    ...openService(names, start),
    records: new Map(types.map((type) => [type, new Map<string, Resource>()])),
    oldSlugs: new Set(),
    missed: new Map(),
  };
  fill(service);
  return service;
}

const writers = ['Ada Berg', 'Ben Okoro', 'Cleo Diaz', 'Dag Lind', 'Eve Sato', 'Finn Ryan'];
const labels = ['sea', 'city', 'food', 'music', 'law', 'sport', 'art'];

export const writeTime = (time: number): string => new Date(time).toISOString();

function fill(service: Service): void {
  const { varies } = service;
  const id = (at: number): string => String(at + (varies('examples-unknown') ? 900 : 0));
  for (const [at, name] of writers.entries()) {
    const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
    keep(service, { type: 'people', id: id(at + 1), attributes: { name, email }, to: {} });
  }
  for (const [at, label] of labels.entries())
    keep(service, { type: 'tags', id: id(at + 1), attributes: { label }, to: {} });
  for (let at = 0; at < (varies('starts-empty') ? 0 : 23); at += 1) {
    const createdAt = writeTime(Date.UTC(2025, 0, 1 + at * 9, 9));
    const isDraft = at % 3 === 1;
    const attributes = {
      title: `${['Tides', 'Bread', 'Trams', 'Choirs'][at % 4] ?? ''} of ${String(1990 + at)}`,
      body: at % 5 === 0 ? '' : 'It was a long day.',
      slug: `story-${String(at + 1)}`,
      status: isDraft ? 'draft' : 'published',
      priority: (at * 37) % 101,
      createdAt,
      updatedAt: createdAt,
      publishedAt: isDraft ? null : createdAt,
    };
    const to = {
      author: id(1 + (at % 4)),
      editor: at % 4 === 0 ? id(5) : null,
      tags: [id(1 + (at % 7)), ...(at % 2 === 0 ? [id(1 + ((at + 3) % 7))] : [])],
    };
    keep(service, { type: 'articles', id: id(at + 1), attributes, to });
    for (let n = 0; n < (isDraft ? 0 : at % 4); n += 1) {
      const made = { body: `Comment ${String(n + 1)}`, createdAt };
      const links = { article: id(at + 1), author: id(1 + ((at + n) % 5)) };
      const place = all(service, 'comments').length + 1;
      keep(service, { type: 'comments', id: id(place), attributes: made, to: links });
    }
  }
}
