import type { Answer } from '../serving/serve.ts';
import { list, one, type Call } from './call.ts';
import { fail, productsOf, rowsOf, type Row } from './store.ts';

export const listCategories = (call: Call): Answer =>
  list(call, 'Categories', rowsOf(call.service, 'Categories'));

export function createCategory(call: Call): Answer {
  const { service, body, origin } = call;
  const { has, sets } = service;
  const { Code, Name } = body;
  if (sets.Categories.has(String(Code)) && !has('code-replaces'))
    fail(service, 409, 'Another category has the Code.', 'Code');
  const category = { Code, Name };
  sets.Categories.set(String(Code), category);
  const made = one(call, 'Categories', category, 201);
  return { ...made, headers: { Location: `${origin}/Categories('${String(Code)}')` } };
}

/** The category of the path. */
function find({ service, params }: Call): Row {
  const category = service.sets.Categories.get(params['Code'] ?? '');
  return category ?? fail(service, 404, 'There is no such category.');
}

export const readCategory = (call: Call): Answer => one(call, 'Categories', find(call));

export function deleteCategory(call: Call): Answer {
  const { service } = call;
  const category = find(call);
  if (productsOf(service, category).length > 0 && !service.has('full-category-deleted'))
    fail(service, 409, 'The category has products.');
  service.sets.Categories.delete(String(category['Code']));
  return { status: 204 };
}
