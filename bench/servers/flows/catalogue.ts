import { counts, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const catalog = '/tmf-api/productCatalogManagement/v4';
const ordering = '/tmf-api/productOrderingManagement/v4';
const merge = 'application/merge-patch+json';
const offering = `${catalog}/productOffering`;
const one = `${offering}/{offering}`;
const order = `${ordering}/productOrder/{order}`;

const parts: Step[] = [
  {
    does: 'is refused without a token',
    send: `GET ${catalog}/category`,
    as: 'anonymous',
    status: 401,
    sees: { reason: isThere },
  },
  {
    does: 'creates a category',
    send: `POST ${catalog}/category`,
    json: { name: 'Flow', description: 'All of it' },
    status: 201,
    sees: { name: 'Flow', isRoot: true, href: isThere, '@type': 'Category' },
    keeps: { category: 'id' },
  },
  {
    does: 'creates a category below it',
    send: `POST ${catalog}/category`,
    json: { name: 'Flow plans', parentId: '{category}' },
    status: 201,
    sees: { isRoot: false, parentId: '{category}' },
    keeps: { below: 'id' },
  },
  {
    does: 'sees it in the first one',
    send: `GET ${catalog}/category/{category}`,
    sees: { 'subCategory * id': ['{below}'], 'subCategory 0 name': 'Flow plans' },
  },
  {
    does: 'creates a specification',
    send: `POST ${catalog}/productSpecification`,
    json: {
      name: 'Flow line',
      productNumber: 'FLOW-1',
      productSpecCharacteristic: [{ name: 'speed', valueType: 'number' }],
    },
    status: 201,
    sees: { 'productSpecCharacteristic 0 name': 'speed', isBundle: false },
    keeps: { spec: 'id' },
  },
  {
    does: 'is refused the number a second time',
    send: `POST ${catalog}/productSpecification`,
    json: { name: 'Other', productNumber: 'FLOW-1' },
    status: 409,
    sees: { code: isThere, reason: isThere },
  },
];

const price = { priceType: 'recurring', price: { unit: 'EUR', value: 12.5 } };

const offerings: Step[] = [
  {
    does: 'creates an offering with references and a price',
    send: `POST ${offering}`,
    json: {
      name: 'Flow M',
      lifecycleStatus: 'In test',
      category: [{ id: '{below}' }],
      productSpecification: { id: '{spec}' },
      productOfferingPrice: [price],
      validFor: { startDateTime: '2031-01-01T00:00:00Z' },
    },
    status: 201,
    sees: {
      'category 0 name': 'Flow plans',
      'category 0 @referredType': 'Category',
      'productSpecification name': 'Flow line',
      isSellable: true,
      'header:location': matches(/productOffering\//),
    },
    keeps: { offering: 'id', updated: 'lastUpdate' },
  },
  {
    does: 'is refused a category that does not exist',
    send: `POST ${offering}`,
    json: { name: 'Odd', category: [{ id: 'no-such' }] },
    status: 400,
  },
  {
    does: 'reads only some attributes',
    send: `GET ${one}?fields=name`,
    sees: { id: '{offering}', href: isThere, name: 'Flow M', category: undefined },
  },
  {
    does: 'cannot order what is not Active',
    send: `POST ${ordering}/productOrder`,
    json: { productOrderItem: [{ id: '1', action: 'add', productOffering: { id: '{offering}' } }] },
    status: 400,
  },
  {
    does: 'makes it Active by a merge patch',
    send: `PATCH ${one}`,
    json: { lifecycleStatus: 'Active', validFor: { endDateTime: '2031-12-31T00:00:00Z' } },
    type: merge,
    sees: {
      lifecycleStatus: 'Active',
      'validFor startDateTime': isThere,
      'productOfferingPrice 0 price value': 12.5,
      lastUpdate: not('{updated}'),
    },
  },
  {
    does: 'is refused a step back',
    send: `PATCH ${one}`,
    json: { lifecycleStatus: 'In design' },
    type: merge,
    status: 409,
  },
  {
    does: 'creates a second offering',
    send: `POST ${offering}`,
    json: { name: 'Flow XL', category: [{ id: '{below}' }], isBundle: true },
    status: 201,
    keeps: { second: 'id' },
  },
  {
    does: 'lists those of the category, the last name first',
    send: `GET ${offering}?category.id={below}&sort=-name`,
    sees: { '* id': ['{second}', '{offering}'], 'header:x-total-count': '2' },
  },
  {
    does: 'gets the second page of one',
    send: `GET ${offering}?category.id={below}&sort=-name&offset=1&limit=1`,
    sees: { '* id': ['{offering}'], 'header:x-total-count': '2', 'header:x-result-count': '1' },
  },
  {
    does: 'finds by status and by date',
    send: `GET ${offering}?lifecycleStatus=Active&validFor.startDateTime.gt=2030-01-01T00:00:00Z`,
    sees: { '* id': ['{offering}'] },
  },
  {
    does: 'is refused to delete a category in use',
    send: `DELETE ${catalog}/category/{below}`,
    status: 409,
  },
];

const item = { action: 'add', productOffering: { id: '{offering}' } };

const orders: Step[] = [
  {
    does: 'orders three of it',
    send: `POST ${ordering}/productOrder`,
    json: { externalId: 'FLOW-PO', productOrderItem: [{ id: '1', quantity: 3, ...item }] },
    status: 201,
    sees: {
      state: 'acknowledged',
      'productOrderItem 0 state': 'acknowledged',
      'productOrderItem 0 productOffering name': 'Flow M',
      'orderTotalPrice 0 price value': 37.5,
      orderDate: isThere,
    },
    keeps: { order: 'id' },
  },
  {
    does: 'is refused a quantity of none',
    send: `POST ${ordering}/productOrder`,
    json: { productOrderItem: [{ id: '1', quantity: 0, ...item }] },
    status: 400,
  },
  {
    does: 'does not show the order to another client',
    send: `GET ${order}`,
    as: 'second',
    status: 404,
  },
  {
    does: 'brings the order and its items into progress',
    send: `PATCH ${order}`,
    json: { state: 'inProgress' },
    type: merge,
    sees: { state: 'inProgress', 'productOrderItem * state': ['inProgress'] },
  },
  {
    does: 'finds it by its state and number',
    send: `GET ${ordering}/productOrder?state=inProgress&externalId=FLOW-PO`,
    sees: { '* id': ['{order}'] },
  },
  {
    does: 'cancels it',
    send: `POST ${ordering}/cancelProductOrder`,
    json: { cancellationReason: 'Moved away', productOrder: { id: '{order}' } },
    status: 201,
    sees: { state: 'done', 'productOrder id': '{order}' },
  },
  {
    does: 'sees the order cancelled',
    send: `GET ${order}`,
    sees: { state: 'cancelled', 'productOrderItem * state': ['cancelled'] },
  },
  { does: 'deletes the second offering', send: `DELETE ${offering}/{second}`, status: 204 },
  {
    does: 'does not list it any more',
    send: `GET ${offering}?category.id={below}`,
    sees: { '': counts(1), '* id': lacks('{second}') },
  },
  {
    does: 'registers a listener',
    send: `POST ${catalog}/hub`,
    json: { callback: 'https://client.example/listener', query: 'eventType=X' },
    status: 201,
    sees: { callback: 'https://client.example/listener' },
    keeps: { hub: 'id' },
  },
  { does: 'removes the listener', send: `DELETE ${catalog}/hub/{hub}`, status: 204 },
];

/** The catalogue: references, merge patches, states, orders. */
export const catalogue: Flow = { name: 'catalogue', steps: [...parts, ...offerings, ...orders] };
