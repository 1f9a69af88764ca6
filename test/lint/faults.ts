import { documentOf } from './documents.ts';

/**
 * A document with one fault: the rule that must name it, and a piece of the line that it must be
 * shown at.
 */
export interface Fault {
  readonly name: string;
  readonly rule: string;
  readonly line: string;
  readonly message: string;
  readonly text: string;
}

function schemaFault(
  rule: string,
  name: string,
  schema: string,
  message: string,
  version = '3.1.0',
): Fault {
  return { name, rule, line: 'schema: ', message, text: documentOf({ schema, version }) };
}

const unwritten = '      parameters:\n        - { name: id, in: path, schema: { type: string } }';
const written =
  '      parameters:\n        - { name: id, in: path, required: true, schema: { type: string } }';

/** The faults that Redocly's recommended rules miss. */
export const faults: readonly Fault[] = [
  {
    name: 'a path parameter without required',
    rule: 'vouch/path-parameter-required',
    line: 'name: id',
    message: 'The path parameter id is not marked as required.',
    text: documentOf({ path: '/things/{id}', operation: unwritten }),
  },
  {
    name: 'a path parameter that says false',
    rule: 'vouch/path-parameter-required',
    line: 'required: false',
    message: 'The path parameter id is not marked as required.',
    text: documentOf({
      path: '/things/{id}',
      operation:
        '      parameters:\n        - name: id\n          in: path\n          ' +
        'required: false\n          schema: { type: string }',
    }),
  },
  {
    name: 'a path parameter of 3.0, in components',
    rule: 'vouch/path-parameter-required',
    line: 'Id: {',
    message: 'The path parameter id is not marked as required.',
    text: documentOf({
      version: '3.0.3',
      path: '/things/{id}',
      operation: "      parameters: [{ $ref: '#/components/parameters/Id' }]",
      components: '  parameters:\n    Id: { name: id, in: path, schema: { type: string } }',
    }),
  },
  {
    name: 'a path that names a parameter twice',
    rule: 'vouch/path-template-unique',
    line: '/things/{id}/parts/{id}:',
    message: 'The path /things/{id}/parts/{id} names the parameter id more than once.',
    text: documentOf({ path: '/things/{id}/parts/{id}', operation: written }),
  },
  schemaFault(
    'vouch/default-valid',
    'a default outside its enum',
    '{ type: string, enum: [a, b], default: c }',
    'The default "c" breaks its own schema: it must be one of a, b.',
  ),
  schemaFault(
    'vouch/default-valid',
    'a default of another type',
    '{ type: integer, default: many }',
    'The default "many" breaks its own schema: it must be an integer, but is a string.',
  ),
  schemaFault(
    'vouch/default-valid',
    'a default above the maximum',
    '{ type: integer, maximum: 100, default: 200 }',
    'The default 200 breaks its own schema: it must be 100 or less.',
  ),
  schemaFault(
    'vouch/default-valid',
    'a default one above what 64 bits hold',
    '{ type: integer, format: int64, default: 9223372036854775808 }',
    'The default 9223372036854775808 breaks its own schema: it must have the format int64.',
  ),
  schemaFault(
    'vouch/default-valid',
    'a null default that 3.0 does not allow',
    '{ type: string, default: null }',
    'The default null breaks its own schema: it must be a string, but is null.',
    '3.0.3',
  ),
  schemaFault(
    'vouch/enum-possible',
    'an enum value that is too long',
    '{ type: string, maxLength: 3, enum: [red, green] }',
    'The enum lists "green", which another keyword of its schema forbids: it ' +
      'must have 3 characters or fewer.',
  ),
  schemaFault(
    'vouch/enum-possible',
    'an empty enum',
    '{ type: string, enum: [] }',
    'The enum is empty: strictly no value is valid, but most tools, including vouch, accept any.',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'minimum above maximum',
    '{ type: integer, minimum: 9, maximum: 5 }',
    'No value can keep minimum 9 and maximum 5 at once.',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'exclusive bounds that leave nothing between',
    '{ type: number, exclusiveMinimum: 5, exclusiveMaximum: 5 }',
    'No value can keep exclusiveMinimum 5 and exclusiveMaximum 5 at once.',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'exclusive bounds of 3.0',
    '{ type: number, minimum: 5, exclusiveMinimum: true, maximum: 5 }',
    'No value can keep exclusiveMinimum 5 and maximum 5 at once.',
    '3.0.3',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'minLength above maxLength',
    '{ type: string, minLength: 9, maxLength: 5 }',
    'No value can keep minLength 9 and maxLength 5 at once.',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'minItems above maxItems',
    '{ type: array, items: {}, minItems: 2, maxItems: 1 }',
    'No value can keep minItems 2 and maxItems 1 at once.',
  ),
  schemaFault(
    'vouch/bounds-ordered',
    'bounds beyond 2^53',
    '{ type: integer, minimum: 9007199254740993, maximum: 9007199254740992 }',
    'No value can keep minimum 9007199254740993 and maximum 9007199254740992 at once.',
  ),
  schemaFault(
    'vouch/multiple-positive',
    'a multiple of zero',
    '{ type: integer, multipleOf: 0 }',
    'multipleOf is 0, and must be above 0.',
  ),
  schemaFault(
    'vouch/direction-single',
    'readOnly and writeOnly',
    '{ type: object, properties: { pin: { type: string, readOnly: true, writeOnly: true } } }',
    'pin is both readOnly and writeOnly.',
  ),
  schemaFault(
    'vouch/pattern-valid',
    'a pattern that does not end',
    "{ type: string, pattern: '[a-' }",
    'The pattern [a- is no regular expression: unterminated character class; it is ignored.',
  ),
  schemaFault(
    'vouch/pattern-valid',
    'a name pattern that does not end',
    "{ type: object, patternProperties: { '(x': {} } }",
    'The pattern (x is no regular expression: unterminated group; it is ignored.',
  ),
  schemaFault(
    'vouch/pattern-bounded',
    'a pattern that can run away',
    "{ type: string, pattern: '^(a+)+$' }",
    'The pattern ^(a+)+$ can run away: it repeats something that it can read in more than one way.',
  ),
  schemaFault(
    'vouch/branches-compatible',
    'a closed branch beside one that requires more',
    '{ allOf: [{ type: object, additionalProperties: false, properties: { a: ' +
      '{} } }, { type: object, required: [b], properties: { b: {} } }] }',
    'This branch allows only its own properties, and the schema requires b: nothing fits both.',
  ),
  {
    name: 'an example of a header',
    rule: 'vouch/example-valid',
    line: 'X-Total',
    message: 'The example breaks its schema: it must be an integer, but is a string.',
    text: documentOf({
      responses:
        "        '404':\n          description: Missing\n          headers:\n    " +
        '        X-Total: { schema: { type: integer }, example: many }',
    }),
  },
  {
    name: 'an example of a parameter',
    rule: 'no-invalid-parameter-examples',
    line: 'example: many',
    message: 'The example breaks its schema: it must be an integer, but is a string.',
    text: documentOf({
      operation:
        '      parameters: [{ name: q, in: query, schema: { type: integer }, example: many }]',
    }),
  },
  schemaFault(
    'no-invalid-schema-examples',
    'an example of a schema',
    '{ type: integer, examples: [many] }',
    'The example breaks its schema: it must be an integer, but is a string.',
  ),
  {
    name: 'an example beyond 64 bits',
    rule: 'no-invalid-media-type-examples',
    line: 'example: 9',
    message: 'The example breaks its schema: it must have the format int64.',
    text: documentOf({
      schema: '{ type: integer, format: int64 }',
      example: '              example: 9223372036854775808',
    }),
  },
  {
    name: 'a link to an operation that is not there',
    rule: 'vouch/link-leads-somewhere',
    line: 'operationId: listThing }',
    message: 'The link again names the operation listThing, which the contract does not have.',
    text: documentOf({
      responses:
        "        '404':\n          description: Missing\n          links:\n      " +
        '      again: { operationId: listThing }',
    }),
  },
  {
    name: 'a replacement that is not there',
    rule: 'vouch/replacement-exists',
    line: 'x-replaced-by',
    message: 'x-replaced-by names the operation findThings, which the contract does not have.',
    text: documentOf({ operation: '      x-replaced-by: findThings' }),
  },
  {
    name: 'a removal on the 30th of February',
    rule: 'vouch/date-readable',
    line: 'x-sunset',
    message: 'x-sunset is "2030-02-30", which is not a date.',
    text: documentOf({ operation: "      x-sunset: '2030-02-30'" }),
  },
  {
    name: 'a removal in words',
    rule: 'vouch/date-readable',
    line: 'x-sunset',
    message: 'x-sunset is "next year", which is not a date.',
    text: documentOf({ operation: '      x-sunset: next year' }),
  },
  {
    name: 'a 204 with a body',
    rule: 'vouch/bodiless-answer',
    line: 'content: {',
    message: 'The response 204 documents a body, which that status never has.',
    text: documentOf({
      responses:
        "        '204':\n          description: Nothing\n          content: { text/plain: {} }",
    }),
  },
  {
    name: 'a GET with a body',
    rule: 'vouch/bodiless-request',
    line: 'requestBody',
    message: 'A GET request is documented with a body.',
    text: documentOf({
      operation:
        '      requestBody: { content: { application/json: { schema: { type: ' +
        'string, enum: [a] } } } }',
    }),
  },
];
