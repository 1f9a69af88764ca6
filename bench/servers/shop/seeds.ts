import { addCode, addRule } from './discounts.ts';
import { addCustomer } from './inventory-and-customers.ts';
import { addOrder } from './orders.ts';
import { addProduct, addVariant } from './products.ts';
import type { Service, Shop } from './store.ts';

const first =
  'Astrid Bjarne Carmen Dagfinn Eva Farid Gro Halvard Ingunn Jonas Kari Lars Marit Nils Oda Per ' +
  'Randi Sara Tor Ulla Vidar Wenche Yngve Zoe';
const last = ['Berg', 'Dahl', 'Ek', 'Foss', 'Hagen'];

interface Range {
  readonly materials: string;
  readonly things: string;
  readonly options: readonly string[];
  readonly vendors: readonly string[];
}

const ranges = {
  fjord: {
    ...{ materials: 'Wool Linen Down Canvas', things: 'Blanket Cap Jacket Scarf Bag Mitten' },
    ...{ options: ['Grey', 'Moss', 'Rust'], vendors: ['Fjord Mill', 'Fjord', 'Nordvik'] },
  },
  dune: {
    ...{ materials: 'Glazed Raw Painted', things: 'Bowl Cup Jug Plate Tile Vase Lamp' },
    ...{ options: ['Small', 'Large'], vendors: ['Dune Kiln', 'Sahel Clay'] },
  },
};

const day = 86_400_000;

function fillShop(
  service: Service,
  shop: Shop,
  { materials, things, options, vendors }: Range,
): void {
  const start = Date.UTC(2025, 1, 3, 9);
  const titles = materials
    .split(' ')
    .flatMap((material) => things.split(' ').map((thing) => `${material} ${thing}`));
  for (const [at, title] of titles.entries()) {
    const moment = start + at * 5 * day + at * 61_000;
    const times = { created_at: moment, updated_at: moment + (at % 4) * day };
    const status = at % 7 === 3 ? 'draft' : at % 9 === 5 ? 'archived' : 'active';
    const given = {
      title,
      status,
      vendor: vendors[at % vendors.length],
      body_html: `<p>${title}</p>`,
    };
    const product = addProduct(service, shop, given);
    Object.assign(product, times, { published_at: status === 'active' ? moment : null });
    for (const [place, option] of options.slice(0, 1 + (at % options.length)).entries()) {
      const price = `${String(12 + at * 3 + place * 5)}.${place === 0 ? '90' : '50'}`;
      const sku = `${title.replaceAll(/[^A-Z]/g, '')}-${String(at)}-${option.toUpperCase()}`;
      const inventory_policy = at % 6 === 4 ? 'continue' : 'deny';
      const more = { inventory_policy, inventory_quantity: 40 + at };
      const variant = addVariant(service, product, { title: option, price, sku, ...more });
      Object.assign(variant, times);
      for (const [where, level] of variant.levels.entries())
        Object.assign(level, { available: where === 0 ? 40 + at : at % 5, updated_at: moment });
    }
  }
  const people = first.split(' ').slice(0, titles.length - 1);
  const own = people.map((first_name, at) => {
    const last_name = last[at % 5] ?? '';
    const email = `${first_name}.${last_name}@${shop.name}-mail.example`;
    const customer = addCustomer(service, shop, { first_name, last_name, email });
    const created_at = start + at * 6 * day + at * 47_000;
    return Object.assign(customer, { created_at, updated_at: created_at + (at % 3) * day });
  });
  const variants = service.variants.filter((one) => one.shop === shop);
  for (let at = 0; at < 26; at += 1) {
    const lines = [variants[at % variants.length], variants[(at * 3 + 1) % variants.length]]
      .slice(0, 1 + (at % 2))
      .flatMap((variant, place) => {
        if (variant === undefined) return [];
        const quantity = 1 + ((at + place) % 3);
        const rest = { quantity, current_quantity: quantity, title: variant.product.title };
        return [{ id: service.newId(), variant, price: variant.price, ...rest }];
      });
    const created_at = start + 150 * day + at * 3 * day + at * 53_000;
    const isPending = at % 4 === 1;
    const isCancelled = at % 8 === 6;
    const paid = isCancelled ? 'refunded' : 'paid';
    addOrder(
      { service, shop },
      {
        ...{
          customer: own[(at * 5) % own.length],
          note: at % 6 === 0 ? 'Ring twice.' : null,
          lines,
        },
        financial_status: isPending ? 'pending' : paid,
        shipping: at % 3 === 0 ? [{ title: 'Parcel', price: 890 }] : [],
        ...{ created_at, closed_at: at % 3 === 2 ? created_at + day : null },
        cancelled_at: isCancelled ? created_at + 2 * day : null,
        cancel_reason: isCancelled ? 'customer' : null,
      },
    );
  }
  const rule = { title: 'Welcome', value_type: 'percentage', value: '-10.00' };
  const added = addRule(service, shop, { ...rule, starts_at: '2025-01-01T00:00:00Z' });
  addCode(service, added, `WELCOME-${shop.name.toUpperCase()}`);
}

/** The records at the start. */
export function fill(service: Service): void {
  fillShop(service, service.shops.fjord, ranges.fjord);
  fillShop(service, service.shops.dune, ranges.dune);
}
