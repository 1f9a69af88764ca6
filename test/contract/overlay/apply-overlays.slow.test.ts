import { describe, expect, test } from 'vitest';
import { makeLocator } from '../../../src/contract/locate.ts';
import {
  applyOverlays,
  type OverlaidDocument,
} from '../../../src/contract/overlay/apply-overlays.ts';
import { readOverlay } from '../../../src/contract/overlay/read-overlay.ts';
import { VouchError } from '../../../src/errors.ts';
import { parseYaml } from '../../../src/json/parse-yaml.ts';
import type { JsonValue } from '../../../src/json/value.ts';

function parse(text: string): JsonValue {
  const reading = parseYaml(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.value;
}

/** A document after Overlays whose actions are written in YAML. */
function apply(text: string, actions: string, version = '1.1.0'): OverlaidDocument {
  const overlay = `overlay: ${version}
info: { title: changes, version: '1' }
actions:
${actions.replaceAll(/^/gm, '  ')}
`;
  const read = readOverlay('o.yaml', parse(overlay), makeLocator('o.yaml', overlay));
  return applyOverlays(parse(text), makeLocator('api.yaml', text), [read]);
}

function errorOf(run: () => unknown): VouchError {
  try {
    run();
  } catch (error) {
    if (error instanceof VouchError) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

const api = `openapi: 3.1.0
info:
  title: Items
  version: 1.0.0
paths:
  /items:
    get:
      tags: [dummy, items]
      x-oai-traits: [paged]
      parameters:
        - { name: dummy, in: query }
        - { name: color, in: query }
      responses: { '200': { description: OK } }
  /other:
    get:
      responses:
        '200': { description: OK }
        '404': { description: Gone }
components:
  schemas:
    Foo: { type: object, required: [id] }
`;

describe('an update', () => {
  test('merges objects, adds members, and replaces plain values', () => {
    const { value, faults } = apply(
      api,
      `- target: $
  update:
    info: { title: Things, x-owner: us }
    servers: [{ url: https://sandbox.example }]`,
    );
    expect(value).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1.0.0', 'x-owner': 'us' },
      servers: [{ url: 'https://sandbox.example' }],
    });
    expect(faults).toEqual([]);
  });

  test('concatenates an array, and appends an object or a plain value', () => {
    const { value } = apply(
      api,
      `- target: $.paths['/items'].get.parameters
  update: { name: top, in: query }
- target: $.paths['/items'].get
  update: { tags: [more, most] }
- target: $.paths['/items'].get.tags
  update: last`,
    );
    expect(value).toMatchObject({
      paths: {
        '/items': {
          get: {
            tags: ['dummy', 'items', 'more', 'most', 'last'],
            parameters: [{ name: 'dummy' }, { name: 'color' }, { name: 'top', in: 'query' }],
          },
        },
      },
    });
  });

  test('of a trait changes the operations that a filter selects, each on its own', () => {
    const { value } = apply(
      api,
      `- target: $.paths[?(@.get['x-oai-traits'][?(@ == 'paged')])].get
  update: { parameters: [{ name: top, in: query }] }
- target: $.paths.*.get.responses
  update: { '500': { description: Oops } }
- target: $.paths['/other'].get.responses['500']
  update: { description: Broken }`,
      '1.0.0',
    );
    expect(value).toMatchObject({
      paths: {
        '/items': {
          get: {
            parameters: [{}, {}, { name: 'top' }],
            responses: { '500': { description: 'Oops' } },
          },
        },
        '/other': { get: { responses: { '500': { description: 'Broken' } } } },
      },
    });
    expect(JSON.stringify(value).match(/"top"/g)).toHaveLength(1);
  });

  test('replaces a plain value in 1.1', () => {
    const { value } = apply(api, '- target: $.info.title\n  update: Things');
    expect(value).toMatchObject({ info: { title: 'Things' } });
  });

  test('changes one of two places that a YAML alias shares', () => {
    const { value } = apply(
      'a: &shared { x: 1 }\nb: *shared\n',
      '- target: $.a\n  update: { y: 2 }',
    );
    expect(value).toEqual({ a: { x: 1, y: 2 }, b: { x: 1 } });
  });

  test('keeps the digits of a large integer', () => {
    const { value } = apply('a: { max: 1 }', '- target: $.a\n  update: { max: 9007199254740993 }');
    expect(value).toEqual({ a: { max: 9007199254740993n } });
  });
});

describe('a removal', () => {
  test('removes members and items, also several items of one array', () => {
    const { value } = apply(
      `${api}x-list: [1, 2, 3, 2, 1]\n`,
      `- target: $.paths.*.get.responses['404']
  remove: true
- target: $.paths.*.get.parameters[?@.name == 'dummy']
  remove: true
- target: $.paths.*.get.tags[?@ == 'dummy']
  remove: true
- target: $['x-list'][?@ < 3]
  remove: true`,
    );
    expect(value).toMatchObject({
      paths: { '/items': { get: { tags: ['items'], parameters: [{ name: 'color' }] } } },
      'x-list': [3],
    });
    expect(JSON.stringify(value)).not.toContain('404');
  });

  test('lets a later action write the place again', () => {
    const { value } = apply(
      api,
      `- target: $.components.schemas.Foo
  remove: true
- target: $.components.schemas
  update: { Foo: { type: string } }`,
    );
    expect(value).toMatchObject({ components: { schemas: { Foo: { type: 'string' } } } });
  });

  test('has priority over an update', () => {
    const { value } = apply(api, '- target: $.components\n  update: { a: 1 }\n  remove: true');
    expect(value).not.toHaveProperty('components');
  });
});

describe('a copy (1.1)', () => {
  test('merges one value of the document into the target', () => {
    const { value } = apply(
      api,
      `- target: $.components.schemas
  update: { Bar: { description: a bar } }
- target: $.components.schemas['Bar']
  copy: $.components.schemas['Foo']`,
    );
    expect(value).toMatchObject({
      components: {
        schemas: {
          Foo: { type: 'object', required: ['id'] },
          Bar: { description: 'a bar', type: 'object', required: ['id'] },
        },
      },
    });
  });

  test('of an array into itself ends', () => {
    const { value } = apply('a: [1, 2]', '- target: $.a\n  copy: $.a');
    expect(value).toEqual({ a: [1, 2, 1, 2] });
  });

  test('of several values is an error', () => {
    const error = errorOf(() => apply(api, '- target: $.info\n  copy: $.paths.*'));
    expect(error.message).toBe('`copy` selects 2 values, and must select one.');
    expect(error.place).toMatchObject({ file: 'o.yaml', line: 5 });
  });
});

describe('places after Overlays', () => {
  const { locator } = apply(
    api,
    `- target: $.paths['/items'].get.parameters[0]
  remove: true
- target: $.paths['/items'].get
  update:
    summary: A list
    parameters:
      - { name: top, in: query }
- target: $.info
  update:
    title: Things`,
  );

  test.each([
    ['/info/version', 'api.yaml', 4],
    ['/info/title', 'o.yaml', 13],
    ['/paths/~1items/get/responses', 'api.yaml', 13],
    ['/paths/~1items/get/summary', 'o.yaml', 8],
    ['/paths/~1items/get/parameters/0/name', 'api.yaml', 12],
    ['/paths/~1items/get/parameters/1/name', 'o.yaml', 10],
    ['/paths/~1items/get/tags/1', 'api.yaml', 8],
  ])('%s is in %s, line %i', (pointer, file, line) => {
    expect(locator.locate(pointer)).toMatchObject({ file, line });
  });
});

describe('an action that cannot be applied', () => {
  test('has no effect and a warning if its target selects nothing', () => {
    const { faults, value } = apply(api, "- target: $.paths['/nope'].get\n  update: { a: 1 }");
    expect(value).toEqual(parse(api));
    expect(faults).toMatchObject([
      {
        message: expect.stringMatching(/^The target .*\/nope.* selects nothing/) as string,
        place: { file: 'o.yaml', line: 4 },
      },
    ]);
  });

  test.each([
    ['- target: $.info\n  update: [1]', 'The action merges an array into an object.'],
    [
      '- target: $.info\n  update: { title: { a: 1 } }',
      'The action merges an object into a plain value.',
    ],
    ['- target: $..version\n  update: [1]', 'The action merges an array into a plain value.'],
    ['- target: $.info.*\n  description: none', 'The action changes nothing: it has no `update`'],
    ['- target: $.*\n  update: { a: 1 }', 'The target selects values of several kinds'],
    ['- target: $\n  remove: true', 'An action cannot remove the whole document.'],
    [
      '- target: $.paths.x-y[\n  remove: true',
      'The JSONPath $.paths.x-y[ is not a JSONPath of RFC 9535 at character 13.',
    ],
    ['- update: {}', 'The action has no target.'],
    ['- target: $.info\n  remove: yes please', '`remove` is true or false.'],
    ['- target: $.info\n  update: {}\n  copy: $.info', 'The action has both `update` and `copy`.'],
    ['- 7', 'An action is an object.'],
  ])('%s', (actions, message) => {
    const error = errorOf(() => apply(api, actions));
    expect(error.code).toBe('overlay-invalid');
    expect(error.message).toContain(message);
    expect(error.place?.file).toBe('o.yaml');
  });

  test('replaces a value of another kind in 1.0', () => {
    const actions = '- target: $.components.schemas.Foo\n  update: { type: [object, "null"] }';
    expect(apply(api, actions, '1.0.0').value).toMatchObject({
      components: { schemas: { Foo: { type: ['object', 'null'] } } },
    });
    expect(() => apply(api, actions, '1.1.0')).toThrow('The action merges an array');
  });
});

describe('a file that is no Overlay', () => {
  test.each([
    ['openapi: 3.1.0', 'o.yaml is not an Overlay.'],
    ['overlay: 2.0.0', 'The Overlay version 2.0.0 is not supported.'],
    ['overlay: 1.0.0', 'The Overlay has no list of actions.'],
    ['overlay: 1.0.0\nactions: []', 'The Overlay has no list of actions.'],
  ])('%s', (text, message) => {
    expect(() => readOverlay('o.yaml', parse(text), makeLocator('o.yaml', text))).toThrow(message);
  });
});

describe('Overlays that would take all time or memory', () => {
  const name = `x-o: { name: '${'a'.repeat(60)}!', list: [1, 2, 3, 4, 5, 6, 7, 8] }\n`;
  const numbers = Array.from({ length: 20_000 }, (_, index) => String(index));
  const many = `x-many: [${numbers.join(', ')}]\n`;

  test.each([
    ["- target: $..[?match(@.name, '(a+)+$')]\n  update: { x-a: 1 }"],
    ["- target: $..[?search(@.name, '^(a|aa)+$')]\n  update: { x-a: 1 }"],
    ["- target: $..[?search(@.name, '^(a*)*b')]\n  update: { x-a: 1 }"],
    ["- target: $..[?match(@.name, '(.*)*(.*)*=')]\n  update: { x-a: 1 }"],
    ["- target: $..[?match('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '([a-z]+)*[0-9]')]\n  remove: true"],
  ])('a pattern that backtracks without end selects nothing: %s', (actions) => {
    expect(apply(api + name, actions).faults).toHaveLength(1);
  });

  const work = 'more work than Overlays may cause';
  test.each([
    [`- target: $.x-many[${'*,'.repeat(900)}*]\n  update: 1`, work],
    [`- target: $..[?$..[?$..[?$..[?@ == 1]]]]\n  update: { x-a: 1 }`, work],
    [`- target: $..[?count($..[?count($..*) > 1]) > 1]\n  update: { x-a: 1 }`, work],
    ['- target: $.x-many[?count($.x-many[?@ == 7]) == 1]\n  remove: true', work],
    ['- target: $.x-o.list\n  copy: $.x-o.list\n'.repeat(30), work],
    ['- target: $.components\n  copy: $\n'.repeat(40), work],
    ['- target: $.components.schemas\n  copy: $.components\n'.repeat(60), work],
    ['- target: $.x-many\n  copy: $.x-many\n'.repeat(20), work],
    ["- target: $[?search(@, '(?=a)b')]\n  update: {}", 'not an I-Regexp'],
    [`- target: $[?search(@, '${'a'.repeat(2_000)}')]\n  update: {}`, 'not an I-Regexp'],
    [`- target: $${'.a'.repeat(2_500)}\n  update: {}`, 'has more than 4000 characters'],
  ])('an Overlay is refused at its action: %s', (actions, message) => {
    const error = errorOf(() => apply(api + name + many, actions));
    expect(error.message).toContain(message);
    expect(error.code).toBe('overlay-invalid');
    expect(error.place?.file).toBe('o.yaml');
  });

  test('removing every item of a long list takes each item once', () => {
    const applied = apply(api + many, '- target: $.x-many[?@ > 2]\n  remove: true');
    expect(applied.value).toMatchObject({ 'x-many': [0, 1, 2] });
  });

  test('an item that is selected twice is removed once', () => {
    const applied = apply(api + name, '- target: $.x-o.list[0, 0, 7]\n  remove: true');
    expect(applied.value).toMatchObject({ 'x-o': { list: [2, 3, 4, 5, 6, 7] } });
  });
});
