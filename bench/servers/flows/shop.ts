import { has, isThere, lacks, matches, more, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const base = '/admin/api/2026-01';
const product = `${base}/products/{product}`;
const order = `${base}/orders/{order}`;

const products: Step[] = [
  {
    does: 'is refused without a token',
    send: `GET ${base}/products.json`,
    as: 'anonymous',
    status: 401,
    sees: { errors: isThere },
  },
  {
    does: 'follows the pages of the active products to the end',
    send: `GET ${base}/products.json`,
    query: { limit: 7, status: 'active', fields: 'id,status' },
    next: { at: 'header:link' },
    sees: { 'pages 1 products 0 id': isThere, 'pages * products * status': only('active') },
  },
  {
    does: 'counts the products',
    send: `GET ${base}/products/count.json`,
    sees: { count: isThere },
    keeps: { count: 'count' },
  },
  {
    does: 'creates a product with two variants',
    send: `POST ${base}/products.json`,
    status: 201,
    json: {
      product: {
        title: 'Flow Paddle',
        vendor: 'Flow',
        handle: 'flow-paddle-a7',
        variants: [
          { title: 'Ash', price: '39.9', inventory_quantity: 3 },
          { title: 'Spruce', price: '24.15', sku: 'FP-S', inventory_quantity: 10 },
        ],
      },
    },
    sees: {
      'product status': 'active',
      'product published_at': isThere,
      'product variants * price': ['39.90', '24.15'],
      'product variants * position': [1, 2],
      'product variants 0 inventory_quantity': 3,
    },
    keeps: {
      product: 'product id',
      ash: 'product variants 0 id',
      spruce: 'product variants 1 id',
      item: 'product variants 0 inventory_item_id',
      moment: 'product created_at',
    },
  },
  {
    does: 'sees that there is one more',
    send: `GET ${base}/products/count.json`,
    sees: { count: more('{count}', 1) },
  },
  {
    does: 'is refused the same handle again',
    send: `POST ${base}/products.json`,
    json: { product: { title: 'Other', handle: 'flow-paddle-a7' } },
    status: 422,
    sees: { 'errors handle': isThere },
  },
  {
    does: 'makes it a draft and leaves the rest',
    send: `PUT ${product}.json`,
    json: { product: { status: 'draft' } },
    sees: { 'product title': 'Flow Paddle', 'product published_at': null },
  },
  {
    does: 'finds it by vendor, status and the moment of its creation',
    send: `GET ${base}/products.json`,
    query: { vendor: 'Flow', status: 'draft', created_at_min: '{moment}', fields: 'id,vendor' },
    sees: { products: [{ id: '{product}', vendor: 'Flow' }] },
  },
  {
    does: 'adds a third variant',
    send: `POST ${product}/variants.json`,
    json: { variant: { title: 'Beech', price: '30', inventory_policy: 'continue' } },
    status: 201,
    sees: { 'variant position': 3, 'variant product_id': '{product}', 'variant price': '30.00' },
    keeps: { beech: 'variant id' },
  },
  {
    does: 'is refused its title for another variant',
    send: `PUT ${base}/variants/{spruce}.json`,
    json: { variant: { title: 'Beech' } },
    status: 422,
  },
  {
    does: 'lists the variants behind the first',
    send: `GET ${product}/variants.json`,
    query: { since_id: '{ash}' },
    sees: { 'variants * id': ['{spruce}', '{beech}'] },
  },
  {
    does: 'finds the two levels of an item',
    send: `GET ${base}/inventory_levels.json`,
    query: { inventory_item_ids: '{item}' },
    sees: { 'inventory_levels * available': [3, 0] },
    keeps: { main: 'inventory_levels 0 location_id' },
  },
  {
    does: 'adjusts the level at the main location',
    send: `POST ${base}/inventory_levels/adjust.json`,
    json: { location_id: '{main}', inventory_item_id: '{item}', available_adjustment: 2 },
    sees: { 'inventory_level available': 5 },
  },
  {
    does: 'is refused to take more than there is',
    send: `POST ${base}/inventory_levels/adjust.json`,
    json: { location_id: '{main}', inventory_item_id: '{item}', available_adjustment: -6 },
    status: 422,
  },
];

const orders: Step[] = [
  {
    does: 'creates a customer',
    send: `POST ${base}/customers.json`,
    json: { customer: { email: 'Flow.Ida@mail.example', first_name: 'Ida' } },
    status: 201,
    sees: { 'customer orders_count': 0, 'customer total_spent': '0.00', 'customer note': null },
    keeps: { customer: 'customer id' },
  },
  {
    does: 'is refused the address in another case',
    send: `POST ${base}/customers.json`,
    json: { customer: { email: 'flow.ida@mail.example' } },
    status: 422,
    sees: { 'errors email': isThere },
  },
  {
    does: 'creates a price rule',
    send: `POST ${base}/price_rules.json`,
    json: {
      price_rule: {
        title: 'Flow',
        value_type: 'percentage',
        value: '-10',
        starts_at: '2025-01-01T00:00:00Z',
        usage_limit: 1,
      },
    },
    status: 201,
    sees: { 'price_rule value': '-10.00', 'price_rule ends_at': null },
    keeps: { rule: 'price_rule id' },
  },
  {
    does: 'creates a code of it',
    send: `POST ${base}/price_rules/{rule}/discount_codes.json`,
    json: { discount_code: { code: 'FLOW-10' } },
    status: 201,
    sees: { 'discount_code usage_count': 0, 'discount_code price_rule_id': '{rule}' },
  },
  {
    does: 'is refused an order of more than there is',
    send: `POST ${base}/orders.json`,
    json: { order: { line_items: [{ variant_id: '{ash}', quantity: 6 }] } },
    status: 422,
  },
  {
    does: 'creates an order with the code and shipping',
    send: `POST ${base}/orders.json`,
    json: {
      order: {
        customer: { id: '{customer}' },
        line_items: [
          { variant_id: '{ash}', quantity: 2 },
          { variant_id: '{spruce}', quantity: 1 },
        ],
        discount_codes: [{ code: 'flow-10' }],
        shipping_lines: [{ title: 'Parcel', price: '8.90' }],
        financial_status: 'paid',
      },
    },
    status: 201,
    sees: {
      'order total_line_items_price': '103.95',
      'order total_discounts': '10.40',
      'order subtotal_price': '93.55',
      'order total_price': '102.45',
      'order customer email': 'Flow.Ida@mail.example',
    },
    keeps: { order: 'order id', line: 'order line_items 0 id', number: 'order order_number' },
  },
  {
    does: 'is refused the code a second time',
    send: `POST ${base}/orders.json`,
    json: {
      order: {
        line_items: [{ variant_id: '{spruce}', quantity: 1 }],
        discount_codes: [{ code: 'FLOW-10' }],
      },
    },
    status: 422,
  },
  {
    does: 'sees that the code was used once',
    send: `GET ${base}/price_rules/{rule}/discount_codes.json`,
    sees: { 'discount_codes * usage_count': [1] },
  },
  {
    does: 'refunds one piece, which comes back',
    send: `POST ${order}/refunds.json`,
    json: {
      refund: {
        refund_line_items: [{ line_item_id: '{line}', quantity: 1, restock_type: 'return' }],
      },
    },
    status: 201,
    sees: { 'refund amount': '39.90', 'refund order_id': '{order}' },
  },
  {
    does: 'sees the refund in the order',
    send: `GET ${order}.json`,
    query: { fields: 'financial_status,current_total_price,order_number' },
    sees: {
      order: {
        order_number: '{number}',
        current_total_price: '62.55',
        financial_status: 'partially_refunded',
      },
    },
  },
  {
    does: 'sees the stock after the order and the refund',
    send: `GET ${product}.json`,
    sees: { 'product variants * inventory_quantity': [4, 9, 0] },
  },
  {
    does: 'closes the order',
    send: `POST ${order}/close.json`,
    sees: { 'order closed_at': isThere },
  },
  {
    does: 'does not find it among the open orders of the customer',
    send: `GET ${base}/orders.json`,
    query: { customer_id: '{customer}' },
    sees: { 'orders * id': lacks('{order}') },
  },
  {
    does: 'finds it among all of them',
    send: `GET ${base}/orders.json`,
    query: { customer_id: '{customer}', status: 'any' },
    sees: { 'orders * id': has('{order}') },
  },
  { does: 'opens it again', send: `POST ${order}/open.json`, sees: { 'order closed_at': null } },
  {
    does: 'sees what the customer spent',
    send: `GET ${base}/customers/{customer}.json`,
    sees: { 'customer orders_count': 1, 'customer total_spent': '62.55' },
  },
  {
    does: 'cancels the order and takes its pieces back',
    send: `POST ${order}/cancel.json`,
    json: { reason: 'customer', restock: true },
    sees: { 'order cancel_reason': 'customer', 'order financial_status': 'refunded' },
  },
  { does: 'is refused to open it', send: `POST ${order}/open.json`, status: 422 },
  {
    does: 'creates a draft of more than there is, which may be sold',
    send: `POST ${base}/draft_orders.json`,
    json: { draft_order: { line_items: [{ variant_id: '{beech}', quantity: 2 }] } },
    status: 201,
    sees: { 'draft_order status': 'open', 'draft_order total_price': '60.00' },
    keeps: { draft: 'draft_order id' },
  },
  {
    does: 'completes it',
    send: `PUT ${base}/draft_orders/{draft}/complete.json`,
    query: { payment_pending: true },
    sees: { 'draft_order status': 'completed', 'draft_order order_id': not('{order}') },
    keeps: { second: 'draft_order order_id' },
  },
  {
    does: 'sees the order that it made',
    send: `GET ${base}/orders/{second}.json`,
    sees: { 'order order_number': more('{number}', 1), 'order financial_status': 'pending' },
  },
  {
    does: 'sees the stock of all three',
    send: `GET ${product}/variants.json`,
    sees: { 'variants * inventory_quantity': [5, 10, -2] },
  },
  {
    does: 'is another shop, which does not see the product',
    send: `GET ${product}.json`,
    as: 'second',
    status: 404,
    sees: { errors: matches(/./) },
  },
  { does: 'deletes the product', send: `DELETE ${product}.json`, sees: { '': {} } },
  { does: 'does not find it any more', send: `GET ${product}.json`, status: 404 },
];

/** The admin API of a shop: products, stock, orders, refunds, drafts, discounts. */
export const shop: Flow = { name: 'shop', steps: [...products, ...orders] };
