import { coded, dayOf, find, findAll, rules, text, type Fact } from './fact.ts';
import { cell, childrenOf, sectionOf, type Row, type Section } from './markdown.ts';
import { factsOfField } from './source-resources.ts';

/**
 * What the source says of each operation: name, tag, parameters, bodies, responses, deprecation,
 * address.
 */
export function factsOfEndpoints(sections: readonly Section[]): Fact[] {
  const operations = childrenOf(sections, 'Endpoints');
  const intro = find(
    sectionOf(sections, 'Endpoints'),
    /^(All pet operations require the bearer credential)/,
  );
  return [
    ...rules(intro.line, 'every operation needs http bearer'),
    ...operations.flatMap(factsOfOperation),
    ...factsOfCreate(sectionOf(operations, 'POST /pets')),
    ...factsOfRead(sectionOf(operations, 'GET /pets/{petId}')),
    ...factsOfOrders(sectionOf(operations, 'GET /store/orders')),
    ...factsOfMessages(sectionOf(operations, 'POST /messages')),
  ];
}

function factsOfOperation(section: Section): Fact[] {
  const id = operationOf(section);
  const { heading, line } = section;
  const facts = rules(
    line,
    id,
    ...matches(heading, /operation name (\w+)/).map((name) => `${id} operation name ${name}`),
    ...matches(heading, /tag (\w+)/).map((tag) => `${id} tag ${tag}`),
    ...matches(heading, /(deprecated)$/).map(() => `${id} deprecated`),
    ...matches(heading, /at (\{\w+\})/).map((address) => `${id} at ${address}`),
  );
  const described = findAll(section, /^((?:Returns|Adds) [^.]+)\./).map((found) =>
    text(found.line, found.groups[0] ?? ''),
  );
  return [...facts, ...described, ...section.rows.flatMap((row) => factsOfRow(id, row))];
}

function factsOfRow(id: string, row: Row): Fact[] {
  if (row.cells.has('Query parameter'))
    return factsOfParameter(`${id} query ${cell(row, 'Query parameter')}`, row);
  if (row.cells.has('Path parameter'))
    return factsOfParameter(`${id} path ${cell(row, 'Path parameter')}`, row);
  if (row.cells.has('Request field')) return factsOfField(`${id} body`, row);
  const status = `${id} ${cell(row, 'Status')}`;
  const body = cell(row, 'Body').split(' ')[0];
  return rules(
    row.line,
    status,
    `${status} application/json ${body}`,
    `${status} means ${cell(row, 'Condition')}`,
  );
}

function factsOfParameter(parameter: string, row: Row): Fact[] {
  const format = cell(row, 'Format');
  return rules(
    row.line,
    parameter,
    `${parameter} type ${cell(row, 'Type')}`,
    ...(format === '' ? [] : [`${parameter} format ${format}`]),
    ...(cell(row, 'Required') === 'yes' ? [`${parameter} required`] : []),
    ...constraintSays(parameter, cell(row, 'Constraints')),
    `${parameter} means ${cell(row, 'Meaning')}`,
  );
}

function constraintSays(parameter: string, constraints: string): string[] {
  if (constraints === '') return [];
  const values = /^one of (.+)$/.exec(constraints)?.[1];
  if (values !== undefined) return values.split(', ').map((value) => `${parameter} value ${value}`);
  return constraints.split(', ').map((constraint) => `${parameter} ${constraint}`);
}

function factsOfCreate(section: Section): Fact[] {
  const { line, groups } = find(
    section,
    /The request body is required and has the shape (\w+); (.+) are required\.$/,
  );
  const required = coded(groups[1] ?? '').map((field) => `${groups[0]}.${field} required`);
  return rules(
    line,
    'POST /pets body required',
    `POST /pets body application/json ${groups[0]}`,
    ...required,
  );
}

function factsOfRead(section: Section): Fact[] {
  const removal = find(
    section,
    /marked deprecated and is to be removed on (\d+ \w+ \d{4})\. The replacement is `(GET \/pets)` (with a `status` filter)\.$/,
  );
  const [day, replacement, how] = removal.groups;
  const id = operationOf(section);
  return [
    ...rules(
      removal.line,
      `${id} deprecated`,
      `${id} removed on ${dayOf(day ?? '')}`,
      `${id} replaced by ${replacement}`,
    ),
    text(removal.line, how ?? ''),
  ];
}

function factsOfOrders(section: Section): Fact[] {
  const { line } = find(
    section,
    /has its interactive test panel switched off\. Its parameters, payload and responses are not shown/,
  );
  return rules(
    line,
    'GET /store/orders test panel off',
    'GET /store/orders default',
    'GET /store/orders default without content',
  );
}

function factsOfMessages(section: Section): Fact[] {
  const id = operationOf(section);
  const headers = find(
    section,
    /^Headers: `Authorization: Bearer <API_KEY>` and `Content-Type: (application\/json)`\.$/,
  );
  const prose = find(
    section,
    /^The response is (a (\w+) object) \(see Resources\)\. A 401 follows a missing or invalid API key\. A 400 follows (an .+)\.$/,
  );
  const unshown = find(section, /^Success status code of `POST \/messages`: (not shown)\.$/);
  const [success, schema, fault] = prose.groups;
  return [
    ...rules(section.rows[0]?.line ?? 0, `${id} body required`, `${id} body type object`),
    ...rules(headers.line, `${id} body ${headers.groups[0]} inline`),
    ...rules(unshown.line, `${id} 2XX`),
    ...rules(
      prose.line,
      `${id} 2XX application/json ${schema}`,
      `${id} 2XX means ${capital(success ?? '')}`,
    ),
    ...rules(prose.line, `${id} 401`, `${id} 400`, `${id} 400 means ${capital(fault ?? '')}`),
  ];
}

function operationOf(section: Section): string {
  return section.heading.split(' ').slice(0, 2).join(' ');
}

function matches(value: string, pattern: RegExp): string[] {
  const group = pattern.exec(value)?.[1];
  return group === undefined ? [] : [group];
}

function capital(value: string): string {
  return value.slice(0, 1).toUpperCase() + value.slice(1);
}
