import { openService, type Opened } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface Order {
  readonly id: string;
  readonly reference: string;
  readonly note: string;
  readonly priority: string;
  readonly status: string;
  readonly created: string;
  readonly updated: string;
  readonly paid?: string;
  readonly carrier?: string;
  readonly tracking?: string;
}

export interface Line {
  readonly id: string;
  /** The identifiers of the order and the product. */
  readonly order: string;
  readonly product: string;
  readonly quantity: number;
  /** Its amount at the creation. */
  readonly first: number;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
}

/** A started service. */
export interface Service extends Opened<DefectName, VariantName> {
  readonly orders: Map<string, Order>;
  readonly lines: Map<string, Line>;
  readonly products: Map<string, Product>;
  readonly deleted: Order[];
  /** By order: how many lines were removed. */
  readonly removed: Map<string, number>;
  /** By Idempotency-Key: what was asked, and the answer. */
  readonly answered: Map<string, { readonly asked: string; readonly answer: Answer }>;
}

export const key = 'orders-key-3390';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
};

/** Refuses a request with a problem of RFC 9457. */
export function fail({ has }: Service, status: number, detail: string, pointer?: string): never {
  const named = has('pointer-elsewhere') ? '/reference' : pointer;
  const json = {
    type: 'about:blank',
    title: titles[status],
    status: has('other-status-in-problem') ? 400 : status,
    detail,
    ...(pointer === undefined ? {} : { errors: [{ pointer: named, detail }] }),
  };
  const headers = {
    'Content-Type': has('plain-problems') ? 'application/json' : 'application/problem+json',
    ...(status === 401 ? { 'WWW-Authenticate': 'ApiKey' } : {}),
  };
  throw new Refused({ status, headers, json });
}

export const linesOf = ({ lines }: Service, { id }: Order): Line[] =>
  [...lines.values()].filter(({ order }) => order === id);

export const priceOf = ({ products }: Service, { product }: Line): number =>
  products.get(product)?.price ?? 0;

/** The records at the start. */
export function openStore(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames, uuids: 'ids-are-uuids' } as const;
  const service: Service = {
    ...openService(names, start),
    orders: new Map(),
    lines: new Map(),
    products: new Map(),
    deleted: [],
    removed: new Map(),
    answered: new Map(),
  };
  fill(service);
  return service;
}

export const writeTime = (time: number): string => new Date(time).toISOString();

const goods = ['Lamp', 'Chair', 'Desk', 'Shelf', 'Clock', 'Vase', 'Rug', 'Bench', 'Stool', 'Frame'];
const statuses = ['draft', 'submitted', 'paid', 'shipped', 'cancelled'];

function fill({ orders, lines, products, varies }: Service): void {
  const base = varies('examples-unknown') ? 40_000 : 0;
  for (const [at, name] of goods.entries()) {
    const id = String(base + at + 1);
    products.set(id, { id, name, price: 495 + at * 1250, stock: 20 + ((at * 13) % 40) });
  }
  for (let at = 0; at < (varies('starts-empty') ? 0 : 24); at += 1) {
    const id = String(base + 1001 + at);
    const time = Date.UTC(2025, 2, 1 + at * 5, 10);
    const status = statuses[at % 5] ?? 'draft';
    const isPaid = status === 'paid' || status === 'shipped';
    const created = writeTime(time);
    orders.set(id, {
      id,
      reference: `PO-${String(2100 + ((at * 7) % 24))}`,
      note: at % 3 === 0 ? 'Ring twice' : '',
      priority: at % 4 === 1 ? 'express' : 'normal',
      status,
      created,
      updated: created,
      ...(isPaid ? { paid: writeTime(time + 3.6e6) } : {}),
      ...(status === 'shipped' ? { carrier: 'Post', tracking: `RX10${String(1000 + at)}` } : {}),
    });
    for (let n = 0; n < 1 + (at % 3); n += 1) {
      const product = String(base + 1 + ((at + n * 3) % goods.length));
      const line = { id: String(base + lines.size + 1), order: id, product, quantity: 1 + (n % 4) };
      lines.set(line.id, { ...line, first: 0 });
    }
  }
}
