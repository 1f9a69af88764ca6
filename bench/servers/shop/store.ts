import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

/** What all records have; times are milliseconds, and amounts of money cents. */
interface Kept {
  readonly id: number;
  readonly shop: Shop;
  readonly created_at: number;
}

export interface Variant extends Kept {
  readonly product: Product;
  title: string;
  price: number;
  sku: string;
  inventory_policy: string;
  readonly levels: readonly Level[];
  updated_at: number;
}

export interface Level extends Kept {
  readonly item: number;
  readonly location: number;
  available: number;
  updated_at: number;
}

export interface Product extends Kept {
  title: string;
  body_html: string | null;
  vendor: string;
  handle: string;
  status: string;
  published_at: number | null;
  updated_at: number;
  readonly variants: Variant[];
}

export interface Customer extends Kept {
  email: string;
  first_name: string;
  last_name: string;
  note: string | null;
  updated_at: number;
}

export interface Line {
  readonly id: number;
  readonly variant: Variant;
  readonly title: string;
  readonly quantity: number;
  current_quantity: number;
  readonly price: number;
}

export interface Refund extends Kept {
  readonly note: string | null;
  readonly amount: number;
  readonly refund_line_items: readonly object[];
}

/** What drafts and orders have in common. */
export interface Draft extends Kept {
  readonly customer: Customer | undefined;
  readonly note: string | null;
  readonly lines: readonly Line[];
  order_id: number | null;
  completed_at: number | null;
}

export interface Order extends Omit<Draft, 'order_id' | 'completed_at'> {
  readonly order_number: number;
  readonly shipping: readonly { readonly title: string; readonly price: number }[];
  readonly discounts: readonly { readonly code: string; readonly amount: number }[];
  financial_status: string;
  readonly refunds: Refund[];
  cancel_reason: string | null;
  closed_at: number | null;
  cancelled_at: number | null;
}

export interface PriceRule extends Kept {
  readonly title: string;
  readonly value_type: string;
  readonly value: number;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly usage_limit: number | null;
}

export interface Code extends Kept {
  readonly rule: PriceRule;
  readonly code: string;
  usage_count: number;
}

export interface Shop {
  readonly name: string;
  /** The main location, and another one. */
  readonly locations: readonly [number, number];
  lastOrder: number;
}

/** The access tokens by shop. */
export const tokens = {
  fjord: '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',
  dune: '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',
} as const;

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly newId: () => number;
  readonly shops: Readonly<Record<keyof typeof tokens, Shop>>;
  readonly products: Product[];
  readonly variants: Variant[];
  readonly levels: Level[];
  readonly customers: Customer[];
  readonly orders: Order[];
  readonly drafts: Draft[];
  readonly rules: PriceRule[];
  readonly codes: Code[];
  /** Positions in lists by tokens. */
  readonly cursors: Map<string, string>;
}

/** A service without records. */
export function openShop({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let last = varies('ids-are-large') ? 7_400_000_000_001 : 9_100;
  const newId = (): number => (last += varies('ids-are-large') ? 1_733 : 1);
  const open = (name: string): Shop => ({ name, locations: [newId(), newId()], lastOrder: 1000 });
  return {
    has: choose('defect', defectNames, defect),
    ...{ varies, newId, shops: { fjord: open('fjord'), dune: open('dune') } },
    ...{ products: [], variants: [], levels: [], customers: [], orders: [], drafts: [] },
    ...{ rules: [], codes: [], cursors: new Map() },
  };
}

/** A moment to the second, as the service keeps them. */
export const now = (): number => Math.floor(Date.now() / 1000) * 1000;

/** Takes a record out of its list. */
export function remove<T>(records: T[], record: T): void {
  const at = records.indexOf(record);
  if (at >= 0) records.splice(at, 1);
}
