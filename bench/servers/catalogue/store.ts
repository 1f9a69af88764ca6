import { openService, type Opened } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

/** What the service keeps of an entity: what the client gave, and what is set by the service. */
export interface Entity {
  readonly id: string;
  readonly [name: string]: unknown;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Ref {
  readonly id: string;
  readonly name?: string;
}

export interface Price {
  readonly priceType: string;
  readonly price: { readonly unit: string; readonly value: number };
}

export interface Item extends Ref {
  readonly action: string;
  readonly quantity: number;
  readonly productOffering: Ref;
  /** The prices of the offering when it was ordered. */
  readonly prices: readonly Price[];
  state: string;
}

export interface Order extends Entity {
  readonly owner: string;
  readonly state: string;
  readonly productOrderItem: readonly Item[];
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service extends Opened<DefectName, VariantName> {
  readonly categories: Map<string, Entity>;
  readonly specifications: Map<string, Entity>;
  readonly offerings: Map<string, Entity>;
  readonly orders: Map<string, Order>;
  readonly cancellations: Map<string, Entity>;
  readonly listeners: Map<string, Json>;
  /** Offerings that are listed though they are deleted. */
  readonly ghosts: Entity[];
  /** The first names of entities, by id. */
  readonly names: Map<string, unknown>;
  requests: number;
}

export const tokens = {
  nordtel: 'ntl-7d0c61e2b98f4a55',
  fjordnet: 'fjn-e13a904c77d2486b',
} as const;

export const moment = ({ now, varies }: Service, at = now()): string => {
  const text = new Date(at).toISOString();
  return varies('dates-with-offset') ? text.replace('Z', '+00:00') : text;
};

/** The records at the start. */
export function openCatalogue(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames, uuids: 'ids-are-uuids' } as const;
  const service: Service = {
    ...openService<DefectName, VariantName>(names, start),
    categories: new Map(),
    specifications: new Map(),
    offerings: new Map(),
    orders: new Map(),
    cancellations: new Map(),
    listeners: new Map(),
    ghosts: [],
    names: new Map(),
    requests: 0,
  };
  fill(service);
  return service;
}

/** Keeps a new entity with these attributes. */
function keep(service: Service, into: Map<string, Entity>, fields: Json): Entity {
  const id = service.nextId();
  const entity = { ...fields, id };
  into.set(id, entity);
  service.names.set(id, fields['name']);
  return entity;
}

function fill(service: Service): void {
  const { categories, specifications, offerings, orders, nextId } = service;
  const lastUpdate = (at: number): string => moment(service, Date.UTC(2026, 1, 3 + at, 10, at));
  const common = { version: '1.0', '@baseType': 'Entity' };
  const category = { ...common, '@type': 'Category', lifecycleStatus: 'Active' };
  for (const [at, name] of ['Mobile', 'Broadband', 'TV', 'Roaming'].entries()) {
    const parent = name === 'Roaming' ? { parentId: [...categories.keys()][0] } : {};
    keep(service, categories, { ...category, name, ...parent, lastUpdate: lastUpdate(at) });
  }
  for (const [at, name] of ['SIM card', 'Router', 'Set-top box', 'Fibre line', 'eSIM'].entries())
    keep(service, specifications, {
      ...common,
      '@type': 'ProductSpecification',
      name,
      ...(at === 1 ? {} : { brand: at % 2 ? 'Nordtel' : 'Acme' }),
      productNumber: `PN-${String(100 + at)}`,
      lifecycleStatus: at === 4 ? 'In test' : 'Active',
      isBundle: false,
      productSpecCharacteristic: [
        {
          name: 'colour',
          valueType: 'string',
          productSpecCharacteristicValue: [{ value: 'white' }],
        },
      ],
      lastUpdate: lastUpdate(at),
    });
  const plans = [
    'Mobile S',
    'Mobile M',
    'Mobile L',
    'Fibre 100',
    'Fibre 500',
    'TV Basic',
    'TV Max',
  ];
  for (let at = 0; at < 23; at += 1) {
    const id = [...categories.keys()][Math.floor((at % 7) / 3)] ?? '';
    keep(service, offerings, {
      ...common,
      '@type': 'ProductOffering',
      name: `${plans[at % 7] ?? ''}${at < 7 ? '' : ` (${String(2020 + (at % 5))}-${String(at)})`}`,
      description: 'Monthly plan',
      lifecycleStatus: ['Active', 'Active', 'Retired', 'In design', 'In test'][at % 5],
      isBundle: at % 6 === 5,
      isSellable: true,
      category: [{ id }],
      productSpecification: { id: [...specifications.keys()][at % 4] },
      productOfferingPrice: [
        { name: 'Fee', priceType: 'recurring', price: { unit: 'EUR', value: 9.5 + at } },
        ...(at % 2 ? [] : [{ priceType: 'oneTime', price: { unit: 'EUR', value: 19.9 } }]),
      ],
      validFor: { startDateTime: `2026-0${String((at % 9) + 1)}-01T00:00:00Z` },
      lastUpdate: lastUpdate(at),
    });
  }
  for (let at = 0; at < 12; at += 1) {
    const offering: Entity = [...offerings.values()][at % 2] ?? { id: '' };
    const state = ['acknowledged', 'inProgress', 'completed', 'held'][at % 4] ?? '';
    const prices = offering['productOfferingPrice'] as Price[];
    const [action, quantity, productOffering] = ['add', (at % 3) + 1, { id: offering.id }] as const;
    const id = nextId();
    orders.set(id, {
      id,
      '@type': 'ProductOrder',
      owner: at % 3 === 2 ? 'fjordnet' : 'nordtel',
      externalId: `PO-${String(9000 + at)}`,
      priority: String(at % 5),
      state,
      orderDate: lastUpdate(30 + at),
      ...(state === 'completed' ? { completionDate: lastUpdate(40 + at) } : {}),
      productOrderItem: [{ id: '1', action, quantity, productOffering, prices, state }],
    });
  }
}

/** Someone else adds a category and an offering. */
export function addElsewhere(service: Service): void {
  const { categories, offerings } = service;
  const fields = { name: 'Elsewhere', lifecycleStatus: 'Active', lastUpdate: moment(service) };
  const { id } = keep(service, categories, { ...fields, '@type': 'Category' });
  keep(service, offerings, { ...fields, '@type': 'ProductOffering', category: [{ id }] });
}
