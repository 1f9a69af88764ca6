import { afterEach, describe, expect, test } from 'vitest';
import { runCheck } from '../../../../src/check/engine/check-target.ts';
import type { RunEvent } from '../../../../src/check/model/event.ts';
import type { OverlayAction } from '../../../../src/check/model/finding.ts';
import type { Proposal } from '../../../../src/check/model/knowledge.ts';
import type { HttpResponse } from '../../../../src/http/message.ts';
import { OverlayMaker } from '../../../../src/check/engine/overlay/make-overlay.ts';
import {
  actionFor,
  findingOverlay,
  isSentPlace,
  toJsonPath,
} from '../../../../src/check/reading/overlay-action.ts';
import { formatOverlay } from '../../../../src/contract/overlay/format-overlay.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { parseYaml } from '../../../../src/json/parse-yaml.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/json/value.ts';
import { libraryText } from '../../fixture/library-contract.ts';
import { type Library, openLibrary, type Variant } from '../../fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

async function run(
  contract: Contract,
  variant: Variant,
): Promise<{ events: RunEvent[]; overlay: string }> {
  library = await openLibrary({ variant });
  const maker = new OverlayMaker();
  const events: RunEvent[] = [];
  for await (const event of runCheck({
    ...library.target,
    contract,
    seed: 'overlay',
  })) {
    maker.take(event);
    events.push(event);
  }
  await library.close();
  return { events, overlay: formatOverlay(maker.make()) };
}

/** What the contract is blamed for. */
const notes = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'finding-reported' && event.finding.blame === 'contract'
      ? [`${event.finding.check} ${event.finding.operation.id} ${event.finding.actual}`]
      : [],
  );

function yaml(text: string): JsonValue {
  const reading = parseYaml(text);
  if (!reading.ok) throw new Error(`${text}\n${JSON.stringify(reading)}`);
  return reading.value;
}

/**
 * Applies an Overlay as its specification says, apart from vouch: each target is one place, and
 * objects are merged.
 */
function apply(document: JsonObject, overlay: JsonValue): JsonObject {
  const copy = structuredClone(document);
  const { actions } = overlay as unknown as { actions: { target: string; update: JsonObject }[] };
  for (const { target, update } of actions) {
    const tokens = [...target.slice(1).matchAll(/\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]/g)].map(
      ([, name, index]) => (name === undefined ? (index ?? '') : name.replaceAll(/\\(.)/g, '$1')),
    );
    const place = tokens.reduce<unknown>(
      (value, token) => (value as Record<string, unknown>)[token],
      copy,
    );
    if (!isJsonObject(place)) throw new Error(`${target} is no place in the contract`);
    mergeInto(place, update);
  }
  return copy;
}

function mergeInto(place: Record<string, JsonValue>, update: JsonObject): void {
  for (const [name, value] of Object.entries(update)) {
    const before = place[name];
    if (isJsonObject(before) && isJsonObject(value)) mergeInto(before, value);
    else place[name] = value;
  }
}

const silent = libraryText.replaceAll(
  "        '400': { $ref: '#/components/responses/Invalid' }\n",
  '',
);

describe('an Overlay of a run', () => {
  test.each<[string, string, Variant]>([
    ['refusals that the contract names nowhere', silent, 'gzip'],
    ['fields that no schema names', libraryText, 'extra-fields'],
    ['a success of which the contract names no status', libraryText, 'chunked'],
  ])(
    'documents %s: the same run then has nothing left to say of the contract',
    async (_name, text, variant) => {
      const contract = parseContract(text, 'library.yaml');
      const before = await run(contract, variant);
      const overlay = yaml(before.overlay);
      expect(overlay).toMatchObject({
        overlay: '1.0.0',
        info: { title: 'Undocumented behaviour of a deployment of Library', version: '1.0.0' },
      });
      expect((overlay as unknown as { actions: unknown[] }).actions.length).toBeGreaterThan(0);
      const documented = parseContract(
        JSON.stringify(apply(contract.document, overlay)),
        'documented.json',
      );
      const after = await run(documented, variant);
      expect(notes(after.events)).toEqual([]);
      expect(
        after.events.filter(
          (event) => event.type === 'finding-reported' && event.finding.severity === 'error',
        ),
      ).toEqual([]);
      expect(yaml(after.overlay)).toMatchObject({ actions: null });
    },
  );

  test('says which request showed it', async () => {
    const { overlay } = await run(parseContract(silent, 'library.yaml'), 'gzip');
    expect(
      overlay
        .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
        .replaceAll(/\d+ times/g, 'n times')
        .split('  - target')[1],
    ).toMatchInlineSnapshot(`
        ": "$['paths']['/books']['get']['responses']"
            update:
              "400":
                "description": "Observed at a deployment: 400."
                "content":
                  "application/json":
                    "schema":
                      "$ref": "#/components/schemas/Error"
          # createBook constrains the request body, but documents no status for invalid
          ↳ values. Refused invalid requests with 400 (n times).
          # The server answered 400 to a request in which there is no body; the contract
          ↳ documents no status for that.
          # curl -sS -i --path-as-is --compressed -X POST 'http://HOST/v1/books' -H 'Accept:
          ↳ application/json' -H "Authorization: Bearer $VOUCH_TOKEN"
        "
      `);
    expect(overlay).not.toContain(library?.token);
  });
});

describe('the action of a finding or a gap', () => {
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets': {
          get: {
            parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
            responses: { 200: { description: 'All.' }, '5XX': { description: 'A failure.' } },
          },
        },
      },
      components: { schemas: { Pet: { type: 'object' } } },
    }),
    'pets.json',
  );
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has an operation.');
  const at = '/paths/~1pets/get/responses';
  const target = "$['paths']['/pets']['get']['responses']";
  const answered = (status: number): HttpResponse => ({
    status,
    headers: [['Content-Type', 'text/plain; charset=utf-8']],
    body: new Uint8Array(),
  });
  const fieldAt = (place: string): Proposal => ({
    at: place,
    update: { properties: { tag: { type: 'string' } } },
  });

  test.each<[string, Parameters<typeof actionFor>[1], number, unknown]>([
    [
      'is a response that the document lacks',
      { at, blame: 'contract' },
      409,
      {
        target,
        update: {
          409: { description: 'Observed at a deployment: 409.', content: { 'text/plain': {} } },
        },
      },
    ],
    ['is not there for a documented status', { at, blame: 'contract' }, 200, undefined],
    ['is not there for a status in a documented range', { at, blame: 'contract' }, 503, undefined],
    ['is not there if the server is to blame', { at }, 409, undefined],
    [
      'is not there at other places',
      { at: '/paths/~1pets/get', blame: 'contract' },
      409,
      undefined,
    ],
    [
      'is what the check proposes',
      { at, blame: 'contract', proposal: fieldAt('/components/schemas/Pet') },
      200,
      {
        target: "$['components']['schemas']['Pet']",
        update: { properties: { tag: { type: 'string' } } },
      },
    ],
    [
      'is not there for a place in another file',
      { at, blame: 'contract', proposal: fieldAt('/x-vouch-files/pet.json') },
      200,
      undefined,
    ],
  ])('%s', (_name, violation, status, action) =>
    expect(actionFor(contract, violation, { operation, response: answered(status) })).toEqual(
      action,
    ),
  );

  test('is the same for the gap and the finding', async () => {
    const { events } = await run(parseContract(silent, 'library.yaml'), 'gzip');
    const actions = events.flatMap((event): [string, OverlayAction | undefined][] => {
      if (event.type === 'gap-observed') return [[event.gap.id, event.overlayAction]];
      return event.type === 'finding-reported' && event.finding.blame === 'contract'
        ? [[event.finding.check, event.finding.overlayAction]]
        : [];
    });
    const refused = new Map(actions).get('createBook.refusal');
    expect(refused?.target).toBe("$['paths']['/books']['post']['responses']");
    expect(actions.filter(([, action]) => action?.target === refused?.target)).toEqual([
      ['createBook.refusal', refused],
      ['status-documented', refused],
    ]);
    // What a default is, one answer does not prove.
    expect(actions.find(([id]) => id.endsWith('.default'))?.[1]).toBeUndefined();
  });

  test('is a whole Overlay by itself', () => {
    const action: OverlayAction = { target, update: { 409: { description: 'Taken: yes' } } };
    const written = findingOverlay({ overlayAction: action, message: 'It is\nso.' }, 'Pets: all');
    expect(yaml(written ?? '')).toEqual({
      overlay: '1.0.0',
      info: { title: 'Undocumented behaviour of a deployment of Pets: all', version: '1.0.0' },
      actions: [action],
    });
    expect(written).toContain('  # It is\n  # so.\n  - target: ');
    expect(findingOverlay({ message: 'It is so.' }, 'Pets')).toBeUndefined();
  });
});

test('a place of which a request has the schema is one that is sent', () => {
  const link = { type: 'object', properties: { id: { type: 'string' } } };
  const asJson = (name: string): JsonObject => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const isSent = isSentPlace({
    paths: {
      '/links': {
        put: { requestBody: asJson('Change'), responses: { 200: asJson('Page') } },
      },
    },
    components: {
      schemas: {
        Change: { allOf: [{ $ref: '#/components/schemas/Link' }] },
        Link: link,
        Page: { type: 'object', properties: { links: { type: 'array' } } },
      },
    },
  });
  const places = ['Change', 'Link', 'Link/properties/id', 'Page', 'Linked'].filter((name) =>
    isSent(`/components/schemas/${name}`),
  );
  expect(places).toEqual(['Change', 'Link', 'Link/properties/id']);
});

describe('a JSONPath', () => {
  const document = { paths: { "/it's": { get: { parameters: [{ name: 'a' }] } } }, 'a\\b': {} };
  test.each([
    ["/paths/~1it's/get/parameters/0", "$['paths']['/it\\'s']['get']['parameters'][0]"],
    ['/a\\b', "$['a\\\\b']"],
    ['', '$'],
  ])('of %s is %s', (pointer, path) => expect(toJsonPath(pointer, document)).toBe(path));
});
