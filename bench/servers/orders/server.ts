import { fields as object, oneOf, orNull, text, whole, type Rule } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { isWholeIn } from '../serving/requests.ts';
import { listen, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { operation, type Call, type Form } from './call.ts';
import * as lines from './lines.ts';
import * as orders from './orders.ts';
import { openStore, type Service } from './store.ts';
import type { VariantName } from './variants.ts';

/** Starts the service for orders on loopback. */
export function startOrders(how: Start = {}): Promise<ServerUnderTest> {
  const service = openStore(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner as VariantName);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const priorities = ['normal', 'express'];
const statuses = ['draft', 'submitted', 'paid', 'shipped', 'cancelled'];
const sorts = ['created', 'total', 'reference'].flatMap((name) => [name, `-${name}`]);
const page = { size: isWholeIn(1, 40), cursor: () => true };
const search = {
  ...page,
  status: (value: string) => statuses.includes(value),
  priority: (value: string) => priorities.includes(value),
  sort: (value: string) => sorts.includes(value),
};

/** The rules of bodies. */
function bodiesOf({ has }: Service) {
  const isClosed = !has('unknown-field-accepted');
  const min = has('quantity-zero-accepted') ? 0 : 1;
  const isText = has('quantity-as-text-accepted');
  const quantity: Rule = (value, name) => whole(min, 99)(isText ? Number(value) : value, name);
  const longest = has('reference-too-long') ? Infinity : 40;
  const reference = text(has('reference-empty') ? 0 : 1, longest);
  const [note, priority] = [text(0, 200), oneOf(priorities)];
  const tracking = text(6, 20, has('tracking-any-text') ? undefined : /^[A-Z0-9]{6,20}$/);
  const status = has('status-from-body') ? { status: oneOf(statuses) } : {};
  return {
    order: object({ reference, note, priority, ...status }, ['reference'], isClosed),
    change: object({ reference, note: orNull(note), priority: orNull(priority) }, [], isClosed),
    shipment: object({ carrier: text(1, 40), tracking }, ['carrier', 'tracking'], isClosed),
    line: object({ product: text(1, Infinity), quantity }, ['product', 'quantity'], isClosed),
    quantity: object({ quantity }, ['quantity'], isClosed),
  };
}

function routesOf(service: Service): Routes {
  const on = (operate: (call: Call) => Answer, form: Form = {}): Handler =>
    operation(service, operate, form);
  const bodies = bodiesOf(service);
  const types = ['application/merge-patch+json'];
  const one = '/orders/{order}';
  return {
    '/': { GET: on(orders.start) },
    '/orders': {
      GET: on(orders.listOrders, { query: search }),
      POST: on(orders.createOrder, { body: bodies.order }),
    },
    [one]: {
      GET: on(orders.readOrder),
      PATCH: on(orders.changeOrder, { body: bodies.change, types }),
      DELETE: on(orders.deleteOrder),
    },
    [`${one}/submit`]: { POST: on(orders.submitOrder) },
    [`${one}/pay`]: { POST: on(orders.payOrder) },
    [`${one}/cancel`]: { POST: on(orders.cancelOrder) },
    [`${one}/ship`]: { POST: on(orders.shipOrder, { body: bodies.shipment }) },
    [`${one}/lines`]: {
      GET: on(lines.listLines),
      POST: on(lines.addLine, { body: bodies.line }),
    },
    [`${one}/lines/{line}`]: {
      GET: on(lines.readLine),
      PUT: on(lines.setQuantity, { body: bodies.quantity }),
      DELETE: on(lines.removeLine),
    },
    '/products': { GET: on(orders.listProducts, { query: page }) },
    '/products/{product}': { GET: on(lines.readProduct) },
  };
}
