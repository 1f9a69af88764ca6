/**
 * How much of a contract is made: so many kinds of record, each with list, create, read, replace
 * and delete, and `update` too where it is asked for.
 */
export interface GeneratedSize {
  readonly resources: number;
  readonly update?: boolean;
}

/** The name of the resource at an index, as its paths have it. */
export function resourceName(index: number): string {
  return `kind${String(index).padStart(3, '0')}`;
}

/**
 * A contract of many resources, as a service of some size has: filters, limits, bounds, formats,
 * errors, and one bearer scheme for all.
 */
export function generateContract({ resources, update = false }: GeneratedSize): string {
  const names = Array.from({ length: resources }, (_, index) => resourceName(index));
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: `Generated, ${String(resources)} resources`, version: '1.0.0' },
    servers: [{ url: 'https://generated.example/v1' }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(
      names.flatMap((name) => [
        [`/${name}`, collection(name)],
        [`/${name}/{id}`, member(name, update)],
      ]),
    ),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Status,
        Problem,
        ...Object.fromEntries<unknown>(
          names.flatMap((name): [string, unknown][] => [
            [`New${name}`, newRecord],
            [name, recordOf(name)],
            ...(update ? [[`Change${name}`, change] as [string, unknown]] : []),
          ]),
        ),
      },
      responses: {
        Invalid: problem('Not valid'),
        Unauthorised: problem('No valid key'),
        Missing: problem('No such record'),
      },
    },
  });
}

const Status = { type: 'string', enum: ['draft', 'open', 'closed'] };
const Problem = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    status: { type: 'integer' },
  },
};

const fields = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  status: { $ref: '#/components/schemas/Status' },
  amount: { type: 'integer', format: 'int32', minimum: 0, maximum: 100000 },
  due: { type: 'string', format: 'date' },
  labels: { type: 'array', items: { type: 'string' }, maxItems: 5 },
};
const newRecord = {
  type: 'object',
  required: ['name', 'status'],
  properties: fields,
  example: { name: 'First of its kind', status: 'open', amount: 12 },
};
const change = { type: 'object', minProperties: 1, properties: fields, example: { amount: 13 } };

function recordOf(name: string): object {
  return {
    allOf: [
      { $ref: `#/components/schemas/New${name}` },
      {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer', format: 'int64', minimum: 1 } },
      },
    ],
  };
}

function problem(description: string): object {
  return { description, content: json({ $ref: '#/components/schemas/Problem' }) };
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

const refusals = {
  400: { $ref: '#/components/responses/Invalid' },
  401: { $ref: '#/components/responses/Unauthorised' },
};
const missing = { ...refusals, 404: { $ref: '#/components/responses/Missing' } };

function collection(name: string): object {
  const ref = { $ref: `#/components/schemas/${name}` };
  return {
    get: {
      operationId: `list_${name}`,
      parameters: [
        {
          name: 'limit',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        },
        { name: 'status', in: 'query', schema: { $ref: '#/components/schemas/Status' } },
      ],
      responses: {
        200: { description: 'A page', content: json({ type: 'array', items: ref }) },
        ...refusals,
      },
    },
    post: {
      operationId: `create_${name}`,
      requestBody: bodyOf(`New${name}`),
      responses: { 201: { description: 'Made', content: json(ref) }, ...refusals },
    },
  };
}

function bodyOf(schema: string): object {
  return { required: true, content: json({ $ref: `#/components/schemas/${schema}` }) };
}

function member(name: string, update: boolean): object {
  const whole = {
    description: 'The record',
    content: json({ $ref: `#/components/schemas/${name}` }),
  };
  return {
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'integer', format: 'int64', minimum: 1 },
      },
    ],
    get: { operationId: `read_${name}`, responses: { 200: whole, ...missing } },
    put: {
      operationId: `replace_${name}`,
      requestBody: bodyOf(`New${name}`),
      responses: { 200: whole, ...missing },
    },
    ...(update
      ? {
          patch: {
            operationId: `update_${name}`,
            requestBody: bodyOf(`Change${name}`),
            responses: { 200: whole, ...missing },
          },
        }
      : {}),
    delete: {
      operationId: `delete_${name}`,
      responses: { 204: { description: 'Gone' }, ...missing },
    },
  };
}
