import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, Refused, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { fail, type Call } from './call.ts';
import * as discounts from './discounts.ts';
import * as other from './inventory-and-customers.ts';
import * as orders from './orders.ts';
import * as products from './products.ts';
import { fill } from './seeds.ts';
import { openShop, tokens, type Service, type Shop } from './store.ts';

type Operation = (call: Call) => Answer;

/** Starts the admin API of two shops on loopback. */
export function startShop(how: Start = {}): Promise<ServerUnderTest> {
  const service = openShop(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The shop of the token; refuses with 401 without one. */
function shopOf(token: unknown, { has, shops }: Service): Shop {
  if (token === tokens.fjord || (token !== undefined && has('any-token-accepted')))
    return token === tokens.dune ? shops.dune : shops.fjord;
  return token === tokens.dune ? shops.dune : fail(401, '[API] Invalid access token');
}

/** A refusal in other words. */
function reword({ status, json }: Answer): Answer {
  const { errors } = json as { readonly errors: string | object };
  if (typeof errors === 'string') return { status, json: { errors: 'Nope.' } };
  const words = ['This will not do.', 'Try again.'];
  const reworded: Record<string, unknown> = {};
  for (const name of Object.keys(errors)) reworded[name] = words;
  return { status, json: { errors: reworded } };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      try {
        const shop = shopOf(incoming.headers['x-shop-access-token'], service);
        return operation({ incoming, service, shop });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return service.varies('other-words') ? reword(error.answer) : error.answer;
      }
    };
  const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
    'products.json': { GET: products.listProducts, POST: products.createProduct },
    'products/count.json': { GET: products.countProducts },
    'products/{product_id}.json': {
      ...{ GET: products.getProduct, PUT: products.updateProduct },
      DELETE: products.deleteProduct,
    },
    'products/{product_id}/variants.json': {
      ...{ GET: products.listVariants, POST: products.createVariant },
    },
    'variants/{variant_id}.json': { PUT: products.updateVariant },
    'inventory_levels.json': { GET: other.listLevels },
    'inventory_levels/adjust.json': { POST: other.adjustLevel },
    'inventory_levels/set.json': { POST: other.setLevel },
    'customers.json': { GET: other.listCustomers, POST: other.createCustomer },
    'customers/{customer_id}.json': { GET: other.getCustomer, PUT: other.updateCustomer },
    'orders.json': { GET: orders.listOrders, POST: orders.createOrder },
    'orders/{order_id}.json': { GET: orders.getOrder },
    'orders/{order_id}/close.json': { POST: orders.closeOrder },
    'orders/{order_id}/open.json': { POST: orders.openOrder },
    'orders/{order_id}/cancel.json': { POST: orders.cancelOrder },
    'orders/{order_id}/refunds.json': { POST: orders.createRefund },
    'draft_orders.json': { POST: orders.createDraft },
    'draft_orders/{draft_order_id}/complete.json': { PUT: orders.completeDraft },
    'price_rules.json': { POST: discounts.createRule },
    'price_rules/{price_rule_id}/discount_codes.json': {
      ...{ GET: discounts.listCodes, POST: discounts.createCode },
    },
  };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [`/admin/api/2026-01/${path}`, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
