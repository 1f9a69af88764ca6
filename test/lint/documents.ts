/**
 * A sound document, line by line; each test puts its fault into one of the places. Nothing of it
 * breaks a rule.
 */
export interface Places {
  readonly version?: string;
  readonly path?: string;
  readonly method?: string;
  /** Members of the operation, at four columns in. */
  readonly operation?: string;
  /** Answers beside the 200 and the 400, at eight columns in. */
  readonly responses?: string;
  /** The schema of the answer 200, written on one line. */
  readonly schema?: string;
  /** Further members of the media type of the answer 200, at fourteen columns in. */
  readonly example?: string;
  readonly components?: string;
}

export function documentOf(places: Places = {}): string {
  const {
    version = '3.1.0',
    path = '/things',
    method = 'get',
    operation,
    responses,
    schema = '{ type: integer }',
    example,
    components,
  } = places;
  const lines = [
    `openapi: ${version}`,
    "info: { title: Things, version: '1', license: { name: MIT, url: " +
      'https://opensource.org/license/mit } }',
    'servers: [{ url: https://api.things.test }]',
    'security: []',
    'paths:',
    `  ${path}:`,
    `    ${method}:`,
    '      operationId: listThings',
    '      summary: List things',
    ...(operation === undefined ? [] : [operation]),
    '      responses:',
    "        '200':",
    '          description: Success',
    '          content:',
    '            application/json:',
    `              schema: ${schema}`,
    ...(example === undefined ? [] : [example]),
    "        '400': { description: Refused }",
    ...(responses === undefined ? [] : [responses]),
    ...(components === undefined ? [] : ['components:', components]),
    '',
  ];
  return lines.join('\n');
}
