import { counts, isEmpty, isThere, lacks, matches, more, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const pages = { at: '@odata.nextLink' };
const ours = { $filter: "startswith(Sku,'FL-')" };
const products = 'GET /Products';
const product = '/Products({id})';

const creation: Step[] = [
  {
    does: 'creates a category',
    send: 'POST /Categories',
    json: { Code: 'flowtoys', Name: 'Flow Toys' },
    status: 201,
    sees: { Code: 'flowtoys', 'header:odata-version': '4.0', 'header:location': isThere },
  },
  { does: 'reads the category', send: "GET /Categories('flowtoys')", sees: { Name: 'Flow Toys' } },
  {
    does: 'is refused the code a second time',
    send: 'POST /Categories',
    json: { Code: 'flowtoys', Name: 'Again' },
    status: 409,
  },
  { does: 'counts the products before', send: 'GET /Products/$count', keeps: { before: 'text:' } },
  {
    does: 'creates a product, with the defaults of what it leaves out',
    send: 'POST /Products',
    json: {
      Name: 'Kite',
      Sku: 'FL-900',
      Price: 19.5,
      Tags: ['wind', 'red'],
      CategoryCode: 'flowtoys',
    },
    status: 201,
    sees: { Stock: 0, Status: 'Active', ReleaseDate: isEmpty, Price: 19.5, 'header:etag': isThere },
    keeps: { id: 'ID', tag: 'header:etag', place: 'header:location', made: 'CreatedAt' },
  },
  {
    does: 'reads it, with the same etag in body and header',
    send: `GET ${product}`,
    sees: { Name: 'Kite', CreatedAt: '{made}', '@odata.etag': '{tag}', 'header:etag': '{tag}' },
  },
  { does: 'reads it where Location says', send: 'GET {place}', sees: { ID: '{id}' } },
  {
    does: 'is refused the Sku a second time',
    send: 'POST /Products',
    json: { Name: 'Other', Sku: 'FL-900', Price: 1 },
    status: 409,
  },
  {
    does: 'is refused an unknown property, with its name',
    send: 'POST /Products',
    json: { Name: 'Other', Sku: 'FL-901', Price: 1, Colour: 'red' },
    status: 400,
    sees: { 'error target': 'Colour' },
  },
  {
    does: 'is refused a negative price',
    send: 'POST /Products',
    json: { Name: 'Other', Sku: 'FL-902', Price: -1 },
    status: 400,
    sees: { 'error target': 'Price' },
  },
  {
    does: 'is refused a category that is not there',
    send: 'POST /Products',
    json: { Name: 'Other', Sku: 'FL-903', Price: 1, CategoryCode: 'nosuch' },
    status: 400,
  },
  {
    does: 'creates a second product',
    send: 'POST /Products',
    json: { Name: 'Ball', Sku: 'FL-910', Price: 5, Stock: 12, Tags: ['red'] },
    status: 201,
    keeps: { ball: 'ID' },
  },
  {
    does: 'creates a third product',
    send: 'POST /Products',
    json: { Name: 'Anvil', Sku: 'FL-920', Price: 250, Stock: 3, ReleaseDate: '2025-02-03' },
    status: 201,
    sees: { ReleaseDate: '2025-02-03' },
    keeps: { anvil: 'ID' },
  },
  {
    does: 'sees three products more',
    send: 'GET /Products/$count',
    sees: { 'text:': more('{before}', 3) },
  },
];

const lists: Step[] = [
  {
    does: 'lists by the start of a text, with the count',
    send: products,
    query: { ...ours, $count: true },
    sees: { '@odata.count': 3, 'value * ID': ['{id}', '{ball}', '{anvil}'] },
  },
  {
    does: 'lists by two comparisons',
    send: products,
    query: { $filter: "startswith(Sku,'FL-') and Price gt 10 and Stock gt 0" },
    sees: { 'value * ID': ['{anvil}'] },
  },
  {
    does: 'lists by or, not and parentheses',
    send: products,
    query: { $filter: "startswith(Sku,'FL-') and (Name eq 'Ball' or not (Price le 20))" },
    sees: { 'value * ID': ['{ball}', '{anvil}'] },
  },
  {
    does: 'lists by a part of a text in lower case',
    send: products,
    query: { $filter: "startswith(Sku,'FL-') and contains(tolower(Name),'kit')" },
    sees: { 'value * ID': ['{id}'] },
  },
  {
    does: 'lists by an entry of a list',
    send: products,
    query: { $filter: "startswith(Sku,'FL-') and Tags/any(t:t eq 'red')" },
    sees: { 'value * ID': ['{id}', '{ball}'] },
  },
  {
    does: 'lists by null',
    send: products,
    query: { $filter: "startswith(Sku,'FL-') and ReleaseDate ne null" },
    sees: { 'value * ID': ['{anvil}'] },
  },
  {
    does: 'lists by a property of the category',
    send: products,
    query: { $filter: "Category/Name eq 'Flow Toys'" },
    sees: { 'value * ID': ['{id}'] },
  },
  {
    does: 'sorts by price, descending',
    send: products,
    query: { ...ours, $orderby: 'Price desc,Name' },
    sees: { 'value * Price': [250, 19.5, 5] },
  },
  {
    does: 'takes and skips',
    send: products,
    query: { ...ours, $orderby: 'Name', $top: 1, $skip: 1, $count: true },
    sees: { 'value * Name': ['Ball'], '@odata.count': 3 },
  },
  {
    does: 'pages to the end by the next links',
    send: products,
    query: { ...ours, $orderby: 'Name' },
    headers: { Prefer: 'odata.maxpagesize=1' },
    next: pages,
    sees: { pages: counts(3), 'pages * value * Name': ['Anvil', 'Ball', 'Kite'] },
  },
  {
    does: 'selects properties',
    send: products,
    query: { ...ours, $select: 'ID,Name' },
    sees: { 'value 0 Name': 'Kite', 'value 0 Price': isEmpty, 'value 0 Sku': isEmpty },
  },
  {
    does: 'expands the category',
    send: `GET ${product}`,
    query: { $expand: 'Category' },
    sees: { 'Category Name': 'Flow Toys' },
  },
  {
    does: 'expands the products of a category with a selection',
    send: "GET /Categories('flowtoys')",
    query: { $expand: 'Products($select=Name)' },
    sees: { 'Products * Name': ['Kite'], 'Products 0 Price': isEmpty },
  },
  {
    does: 'counts what matches',
    send: 'GET /Products/$count',
    query: ours,
    sees: { 'text:': '3' },
  },
  {
    does: 'is refused a filter that is none',
    send: products,
    query: { $filter: 'Price gt' },
    status: 400,
  },
  {
    does: 'is refused an unknown property in the order',
    send: products,
    query: { $orderby: 'Colour' },
    status: 400,
  },
  { does: 'is refused an unknown option', send: products, query: { $nothing: 1 }, status: 400 },
];

const changes: Step[] = [
  {
    does: 'is refused a change without If-Match',
    send: `PATCH ${product}`,
    json: { Price: 20 },
    status: 428,
  },
  {
    does: 'changes the price only',
    send: `PATCH ${product}`,
    json: { Price: 20 },
    headers: { 'If-Match': '{tag}' },
    sees: { Price: 20, Name: 'Kite', Tags: ['wind', 'red'], 'header:etag': not('{tag}') },
    keeps: { tag2: 'header:etag' },
  },
  {
    does: 'is refused the stale etag',
    send: `PATCH ${product}`,
    json: { Price: 1 },
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  {
    does: 'finds the product as it was',
    send: `GET ${product}`,
    sees: { Price: 20, 'header:etag': '{tag2}' },
  },
  {
    does: 'is told that nothing changed since',
    send: `GET ${product}`,
    headers: { 'If-None-Match': '{tag2}' },
    status: 304,
  },
  {
    does: 'is refused another Sku',
    send: `PATCH ${product}`,
    json: { Sku: 'FL-999' },
    headers: { 'If-Match': '*' },
    status: 400,
  },
  {
    does: 'discounts the product',
    send: `POST ${product}/Catalog.Discount`,
    json: { Percent: 10 },
    sees: { Price: 18 },
  },
  {
    does: 'replaces it; what is left out becomes its default, but the Sku stays',
    send: `PUT ${product}`,
    json: { Name: 'Big Kite', Price: 30 },
    headers: { 'If-Match': '*' },
    sees: {
      Name: 'Big Kite',
      Sku: 'FL-900',
      Tags: isEmpty,
      CategoryCode: isEmpty,
      CreatedAt: '{made}',
    },
  },
  { does: 'finds no category', send: `GET ${product}/Category`, status: 204 },
  {
    does: 'sets the category by a reference',
    send: `PUT ${product}/Category/$ref`,
    json: { '@odata.id': "Categories('flowtoys')" },
    status: 204,
  },
  {
    does: 'reads the category of the product',
    send: `GET ${product}/Category`,
    sees: { Code: 'flowtoys' },
  },
  {
    does: 'sees the code at the product',
    send: `GET ${product}`,
    sees: { CategoryCode: 'flowtoys' },
  },
  {
    does: 'is refused a reference to a category that is not there',
    send: `PUT ${product}/Category/$ref`,
    json: { '@odata.id': "Categories('nosuch')" },
    status: 400,
  },
  {
    does: 'is refused to delete a category with products',
    send: "DELETE /Categories('flowtoys')",
    status: 409,
  },
  {
    does: 'removes the category of the product',
    send: `DELETE ${product}/Category/$ref`,
    status: 204,
  },
  { does: 'finds none again', send: `GET ${product}/Category`, status: 204 },
  { does: 'deletes the category', send: "DELETE /Categories('flowtoys')", status: 204 },
  { does: 'does not find the category', send: "GET /Categories('flowtoys')", status: 404 },
];

const reviews: Step[] = [
  { does: 'reads the etag', send: `GET ${product}`, keeps: { tag3: 'header:etag' } },
  {
    does: 'reviews the product',
    send: `POST ${product}/Reviews`,
    json: { Rating: 4, Text: 'Flies well.' },
    status: 201,
    sees: { ProductID: '{id}', Rating: 4 },
    keeps: { review: 'ID' },
  },
  {
    does: 'reads the review',
    send: 'GET /Reviews({review})',
    sees: { Rating: 4, Text: 'Flies well.' },
  },
  {
    does: 'reviews it again',
    send: `POST ${product}/Reviews`,
    json: { Rating: 2 },
    status: 201,
    keeps: { review2: 'ID' },
  },
  {
    does: 'lists the reviews of the product',
    send: `GET ${product}/Reviews`,
    query: { $count: true },
    sees: { 'value * ID': ['{review}', '{review2}'], '@odata.count': 2 },
  },
  {
    does: 'lists reviews by rating',
    send: `GET ${product}/Reviews`,
    query: { $filter: 'Rating ge 4' },
    sees: { 'value * ID': ['{review}'] },
  },
  {
    does: 'expands the best review of the product',
    send: `GET ${product}`,
    query: { $expand: 'Reviews($orderby=Rating;$top=1)' },
    sees: { 'Reviews * ID': ['{review2}'], 'header:etag': '{tag3}' },
  },
  {
    does: 'is refused a rating above the maximum',
    send: `POST ${product}/Reviews`,
    json: { Rating: 6 },
    status: 400,
    sees: { 'error target': 'Rating' },
  },
  {
    does: 'discontinues the product',
    send: `PATCH ${product}`,
    json: { Status: 'Discontinued' },
    headers: { 'If-Match': '*' },
    sees: { Status: 'Discontinued' },
  },
  {
    does: 'is refused to discount it',
    send: `POST ${product}/Catalog.Discount`,
    json: { Percent: 10 },
    status: 409,
  },
  {
    does: 'is refused to review it',
    send: `POST ${product}/Reviews`,
    json: { Rating: 3 },
    status: 409,
  },
  {
    does: 'is refused to delete it with a stale etag',
    send: `DELETE ${product}`,
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  { does: 'deletes it with its reviews', send: `DELETE ${product}`, status: 204 },
  {
    does: 'does not find it',
    send: `GET ${product}`,
    status: 404,
    sees: { 'error message': matches(/./) },
  },
  { does: 'does not find its review', send: 'GET /Reviews({review})', status: 404 },
  {
    does: 'does not list it',
    send: products,
    query: { ...ours, $count: true },
    sees: { 'value * ID': lacks('{id}'), '@odata.count': 2 },
  },
];

/** Products, categories and reviews. */
export const catalog: Flow = {
  name: 'catalog',
  steps: [...creation, ...lists, ...changes, ...reviews],
};
