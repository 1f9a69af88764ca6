import { dateTime, fields, flag, listOf, oneOf, text, type Rule } from '../serving/fields.ts';
import { fail, isTaken, refTo, type Call, type Kind } from './entities.ts';
import type { Entity, Json, Ref, Service } from './store.ts';

const base = '/tmf-api/productCatalogManagement/v4';
const statuses = ['In design', 'In test', 'Active', 'Retired', 'Obsolete', 'Rejected'];
export const anyText = text(0, 1e6);
export const ref = fields(
  { id: text(1, 200), name: anyText, href: anyText, '@referredType': anyText },
  ['id'],
);
export const types = { '@type': anyText, '@baseType': anyText, '@schemaLocation': anyText };

const common = ({ has }: Service): Record<string, Rule> => ({
  ...types,
  name: text(1, has('name-of-100-refused') ? 99 : 100),
  description: anyText,
  version: anyText,
  lifecycleStatus: oneOf(statuses),
  validFor: fields({ startDateTime: dateTime, endDateTime: dateTime }, []),
});

const names = ['name', 'description', 'version', 'lifecycleStatus', 'validFor'];
const fixed = ['id', 'href', '@type', 'lastUpdate'];
const sorts = ['name', 'lastUpdate', 'lifecycleStatus', 'id'];
const filters = { name: 'text', lifecycleStatus: statuses } as const;
const shared = { fixed, sorts };

const refs = (entity: Entity, name: string): readonly Ref[] => [(entity[name] ?? []) as Ref].flat();

export const category: Kind = {
  ...shared,
  type: 'Category',
  path: `${base}/category`,
  rule: (service) => fields({ ...common(service), parentId: anyText }, ['name']),
  names: [...names, 'parentId'],
  defaults: () => ({ lifecycleStatus: 'In design' }),
  filters: { ...filters, parentId: 'text', isRoot: 'flag' },
  recordsOf: ({ categories }) => categories,
  check: (next, before, { service }) => {
    const { has, categories } = service;
    let parent = next['parentId'] as string | undefined;
    if (parent !== undefined && !categories.has(parent))
      fail(service, 400, 'There is no such parent.');
    for (let steps = 0; parent !== undefined && steps < 1000; steps += 1) {
      if (parent === before?.id && !has('category-below-itself'))
        fail(service, 400, 'A category cannot be below itself.');
      parent = categories.get(parent)?.['parentId'] as string | undefined;
    }
  },
  show: (entity, call) => {
    const { categories, has } = call.service;
    const below = [...categories.values()].filter((one) => one['parentId'] === entity.id);
    return {
      ...entity,
      isRoot: entity['parentId'] === undefined,
      subCategory: has('sub-category-missing')
        ? []
        : below.map((one) => refTo(call, category, one)),
    };
  },
  guard: ({ id }, { service }) => {
    const { categories, offerings, has } = service;
    const isUsed = [...offerings.values()].some((one) =>
      refs(one, 'category').some((each) => each.id === id),
    );
    const hasSub = [...categories.values()].some((one) => one['parentId'] === id);
    if (hasSub || (isUsed && !has('category-in-use-deleted')))
      fail(service, 409, 'The category is in use.');
  },
};

const characteristic = fields(
  {
    name: text(1, 1e6),
    valueType: anyText,
    configurable: flag,
    productSpecCharacteristicValue: listOf(
      fields({ value: anyText, isDefault: flag, unitOfMeasure: anyText }, []),
      { max: 1e6 },
    ),
  },
  ['name'],
);

export const specification: Kind = {
  ...shared,
  type: 'ProductSpecification',
  path: `${base}/productSpecification`,
  rule: (service) =>
    fields(
      {
        ...common(service),
        brand: anyText,
        productNumber: anyText,
        isBundle: flag,
        productSpecCharacteristic: listOf(characteristic, { max: 1e6 }),
      },
      ['name'],
    ),
  names: [...names, 'brand', 'productNumber', 'isBundle', 'productSpecCharacteristic'],
  defaults: () => ({
    lifecycleStatus: 'In design',
    isBundle: false,
    productSpecCharacteristic: [],
  }),
  filters: { ...filters, brand: 'text', productNumber: 'text' },
  recordsOf: ({ specifications }) => specifications,
  check: (next, before, call) => {
    const { has } = call.service;
    if (isTaken(specification, next, 'productNumber', call, before) && !has('product-number-twice'))
      fail(call.service, 409, 'The productNumber is taken.');
  },
  complete: (next, before, { service: { has } }) =>
    before === undefined && has('create-drops-characteristics')
      ? { ...next, productSpecCharacteristic: [] }
      : next,
  show: (entity) => entity,
  guard: ({ id }, { service }) => {
    const { offerings, has } = service;
    const own = [...offerings.values()].filter(
      (one) => refs(one, 'productSpecification')[0]?.id === id,
    );
    if (own.length > 0 && !has('specification-in-use-deleted'))
      fail(service, 409, 'A product offering refers to the specification.');
    for (const offering of own) offerings.delete(offering.id);
  },
};

const money: Rule = (value, name) =>
  typeof value === 'number' && value >= 0 && value <= 1e6
    ? undefined
    : `${name} must be a number from 0 to 1000000.`;

const price = fields(
  {
    name: anyText,
    priceType: oneOf(['recurring', 'oneTime']),
    price: fields({ unit: oneOf(['EUR']), value: money }, ['unit', 'value']),
  },
  ['priceType', 'price'],
);

/** Whether an offering may go from one status to the other. */
function mayMove(from: string, to: string, { has }: Service): boolean {
  const [a, b] = [statuses.indexOf(from), statuses.indexOf(to)];
  if (has('lifecycle-skips') && from === 'In design' && to === 'Active') return true;
  if (to === 'Rejected') return a < 2 || from === 'Rejected';
  return a === b || (b === a + 1 && from !== 'Rejected');
}

function checkOffering(next: Entity, before: Entity | undefined, { service }: Call): void {
  const { has, categories, specifications } = service;
  const unknown = refs(next, 'category').some(({ id }) => !categories.has(id));
  if (unknown && !has('unknown-category-accepted'))
    fail(service, 400, 'There is no such category.');
  const [spec] = refs(next, 'productSpecification');
  const isOdd = spec !== undefined && !specifications.has(spec.id);
  if (isOdd && has('unknown-reference-500')) throw new Error('foreign key constraint failed');
  if (isOdd) fail(service, 400, 'There is no such specification.');
  const [from, to] = [before?.['lifecycleStatus'], next['lifecycleStatus']] as string[];
  if (from !== undefined && !mayMove(from, to ?? '', service))
    fail(service, 409, `lifecycleStatus cannot move from ${from} to ${String(to)}.`);
}

function showOffering(entity: Entity, call: Call): Json {
  const { has } = call.service;
  const [spec] = refs(entity, 'productSpecification');
  const prices = (entity['productOfferingPrice'] ?? []) as { price: { value: number } }[];
  return {
    ...entity,
    ...(has('bundle-as-text') ? { isBundle: String(entity['isBundle']) } : {}),
    category: refs(entity, 'category').map((one) => refTo(call, category, one)),
    ...(spec === undefined ? {} : { productSpecification: refTo(call, specification, spec) }),
    productOfferingPrice: has('price-as-text')
      ? prices.map((one) => ({ ...one, price: { ...one.price, value: String(one.price.value) } }))
      : prices,
  };
}

const open = ['acknowledged', 'inProgress', 'held'];

export const offering: Kind = {
  ...shared,
  type: 'ProductOffering',
  path: `${base}/productOffering`,
  rule: (service) =>
    fields(
      {
        ...common(service),
        isBundle: flag,
        isSellable: flag,
        category: listOf(ref, { max: 1e6 }),
        productSpecification: ref,
        productOfferingPrice: listOf(price, { max: 1e6 }),
      },
      ['name'],
    ),
  names: [
    ...[...names, 'isBundle', 'isSellable', 'category'],
    ...['productSpecification', 'productOfferingPrice'],
  ],
  defaults: ({ has }) => ({
    lifecycleStatus: 'In design',
    isBundle: false,
    isSellable: !has('default-not-sellable'),
    category: [],
    productOfferingPrice: [],
  }),
  filters: {
    ...filters,
    isBundle: 'flag',
    'category.id': 'text',
    'productSpecification.id': 'text',
    'validFor.startDateTime.gt': 'date',
    'validFor.startDateTime.lt': 'date',
    'lastUpdate.gte': 'date',
  },
  recordsOf: ({ offerings }) => offerings,
  check: checkOffering,
  show: showOffering,
  guard: ({ id }, { service }) => {
    const isOrdered = [...service.orders.values()].some(
      ({ state, productOrderItem: items }) =>
        open.includes(state) && items.some((one) => one.productOffering.id === id),
    );
    if (isOrdered && !service.has('ordered-offering-deleted'))
      fail(service, 409, 'The offering is in an open order.');
  },
};
