import {
  date,
  dateTime,
  fields as object,
  listOf,
  oneOf,
  orNull,
  text,
  whole,
  type Rule,
} from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { operation, type Call, type Form } from './call.ts';
import * as categories from './categories.ts';
import * as products from './products.ts';
import { openStore, type Service } from './store.ts';
import type { VariantName } from './variants.ts';

/** Starts the catalog on loopback. */
export function startCatalog(how: Start = {}): Promise<ServerUnderTest> {
  const service = openStore(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner as VariantName);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const number = (min: number, max: number): Rule => {
  return (value, name) => {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return isNumber && value >= min && value <= max
      ? undefined
      : `${name} must be a number from ${String(min)} to ${String(max)}.`;
  };
};

const anyWhole = whole(-Infinity, Infinity);
const any = text(0, Infinity);

/** The rules of bodies. */
function bodiesOf({ has }: Service) {
  const isClosed = !has('unknown-field-accepted');
  const anyDate: Rule = text(10, 10, /^\d{4}-\d\d-\d\d$/);
  const product = {
    ID: anyWhole,
    CreatedAt: dateTime,
    ModifiedAt: dateTime,
    Name: text(has('empty-name-accepted') ? 0 : 1, 100),
    Sku: text(0, 99, has('any-sku-accepted') ? undefined : /^[A-Z]{2}-[0-9]{3,6}$/),
    Price: number(has('negative-price-accepted') ? -1e9 : 0, 100_000),
    Stock: whole(0, 1_000_000),
    Status: has('unknown-status-accepted') ? any : oneOf(['Active', 'Discontinued']),
    Tags: listOf(text(1, 20), { max: 6 }),
    ReleaseDate: orNull(has('impossible-date-accepted') ? anyDate : date),
    CategoryCode: orNull(any),
  };
  const review = {
    ID: anyWhole,
    ProductID: anyWhole,
    CreatedAt: dateTime,
    Rating: whole(1, has('rating-six-accepted') ? 6 : 5),
    Text: orNull(text(0, 500)),
  };
  const reference = { '@odata.id': text(0, Infinity, /Categories\('[^']+'\)$/) };
  const category = { Code: text(2, 20, /^[a-z]{2,20}$/), Name: text(1, 60) };
  const needed = has('price-not-required') ? ['Name', 'Sku'] : ['Name', 'Sku', 'Price'];
  return {
    product: object(product, needed, isClosed),
    change: object(product, [], isClosed),
    replacement: object(product, ['Name', 'Price'], isClosed),
    discount: object({ Percent: whole(1, 90) }, ['Percent'], true),
    review: object(review, ['Rating'], true),
    reference: object(reference, ['@odata.id'], true),
    category: object(category, ['Code', 'Name'], true),
  };
}

function routesOf(service: Service): Routes {
  const on = (operate: (call: Call) => Answer, form: Form = {}): Handler =>
    operation(service, operate, form);
  const bodies = bodiesOf(service);
  const paging = ['$top', '$skip', '$count', '$skiptoken'];
  const view = ['$select', '$expand'];
  const search = ['$filter', '$orderby', ...view, ...paging];
  const ofProducts = { set: 'Products' } as const;
  const product = '/Products({ID})';
  return {
    '/Products': {
      GET: on(products.listProducts, { ...ofProducts, takes: search }),
      POST: on(products.createProduct, { body: bodies.product }),
    },
    '/Products/$count': { GET: on(products.countProducts, { ...ofProducts, takes: ['$filter'] }) },
    [product]: {
      GET: on(products.readProduct, { ...ofProducts, takes: view }),
      PATCH: on(products.updateProduct, { body: bodies.change }),
      PUT: on(products.replaceProduct, { body: bodies.replacement }),
      DELETE: on(products.deleteProduct),
    },
    [`${product}/Catalog.Discount`]: {
      POST: on(products.discountProduct, { body: bodies.discount }),
    },
    [`${product}/Category`]: { GET: on(products.readCategoryOf) },
    [`${product}/Category/$ref`]: {
      PUT: on(products.setCategory, { body: bodies.reference }),
      DELETE: on(products.removeCategory),
    },
    [`${product}/Reviews`]: {
      GET: on(products.listReviews, {
        set: 'Reviews',
        takes: ['$filter', '$orderby', '$select', ...paging],
      }),
      POST: on(products.createReview, { body: bodies.review }),
    },
    '/Reviews({ID})': { GET: on(products.readReview, { set: 'Reviews', takes: ['$select'] }) },
    '/Categories': {
      GET: on(categories.listCategories, { set: 'Categories', takes: search }),
      POST: on(categories.createCategory, { body: bodies.category }),
    },
    "/Categories('{Code}')": {
      GET: on(categories.readCategory, { set: 'Categories', takes: view }),
      DELETE: on(categories.deleteCategory),
    },
  };
}
