/** Each has a list, create, read, replace and delete. */
const resources = 34;
/** Operations that only read, beside them: 34 × 5 + 17 = 187. */
const reports = 17;

/**
 * A contract of 187 operations whose bodies are nested, wide and all different, as those of
 * generated contracts are: the worst case for planning, where no two schemas share a value.
 */
export function generateWideContract({ fields }: { readonly fields: number }): string {
  const numbers = Array.from({ length: resources }, (_, index) => index);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Wide', version: '1.0.0' },
    paths: Object.fromEntries([
      ...numbers.flatMap((number) => pathsOf(number, fields)),
      ...Array.from({ length: reports }, (_, index): [string, object] => [
        `/report${String(index)}`,
        { get: { operationId: `report${String(index)}`, responses: { 204: done } } },
      ]),
    ]),
    components: {
      schemas: Object.fromEntries(
        numbers.map((number) => [`Kind${String(number)}`, recordOf(number, fields)]),
      ),
    },
  });
}

const done = { description: 'Done' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

function pathsOf(number: number, fields: number): [string, object][] {
  const name = `kind${String(number)}`;
  const record = { $ref: `#/components/schemas/Kind${String(number)}` };
  const operation = (verb: string, status: number, schema?: object): object => ({
    operationId: `${verb}_${name}`,
    responses: { [status]: { ...done, ...(schema === undefined ? {} : json(schema)) } },
  });
  return [
    [
      `/${name}`,
      {
        get: operation('list', 200, { type: 'array', items: record }),
        post: {
          ...operation('create', 201, record),
          requestBody: { required: true, ...json(objectOf(fields, 2, number * 7)) },
        },
      },
    ],
    [
      `/${name}/{id}`,
      {
        parameters: [id],
        get: operation('read', 200, record),
        put: {
          ...operation('replace', 200, record),
          requestBody: { required: true, ...json(objectOf(fields, 2, number * 7 + 3)) },
        },
        delete: operation('delete', 204),
      },
    ],
  ];
}

function recordOf(number: number, fields: number): object {
  const properties = { id: { type: 'integer', readOnly: true } };
  return { allOf: [{ type: 'object', properties }, objectOf(fields, 2, number * 7)] };
}

function json(schema: object): object {
  return { content: { 'application/json': { schema } } };
}

/** An object in which every fifth field is an object or a list of objects, `depth` levels deep. */
function objectOf(fields: number, depth: number, salt: number): object {
  const properties = Array.from({ length: fields }, (_, index): [string, object] => {
    const half = Math.ceil(fields / 2);
    const nested = index % 5 === 4 && depth > 0;
    const schema = nested ? objectOf(half, depth - 1, salt + index) : scalarOf(index + salt);
    const isList = nested && index % 10 === 9;
    return [`field${String(index)}`, isList ? { type: 'array', items: schema } : schema];
  });
  const required = ['field0', 'field1'];
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

function scalarOf(number: number): object {
  const kinds = [
    { type: 'string', minLength: 1, maxLength: 40 + number },
    { type: 'integer', minimum: 0, maximum: 1000 + number },
    { type: 'string', enum: ['a', 'b', 'c'].map((letter) => `${letter}${String(number)}`) },
    { type: 'boolean' },
    { type: 'string', format: 'date-time' },
    { type: 'number', minimum: 0 },
    { type: 'array', items: { type: 'string', maxLength: 20 + number }, maxItems: 10 },
    { type: ['string', 'null'], format: 'uuid' },
  ];
  return kinds[number % kinds.length] ?? {};
}
