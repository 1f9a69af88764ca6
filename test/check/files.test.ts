import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'as-text'
  | 'type-lost'
  | 'keeps-first'
  | 'shared'
  | 'link-stays-null'
  | 'csv-without-last'
  | 'csv-one-page'
  | 'csv-without-header'
  | 'csv-not-quoted'
  | 'csv-unfiltered'
  | 'smaller-pictures';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

function text(quirk?: Quirk): string {
  const same =
    quirk === 'smaller-pictures'
      ? 'A preview is made of it.'
      : 'It comes back as sent, byte for byte.';
  return `openapi: 3.1.0
info: { title: Halls, version: '1' }
paths:
  /halls:
    get: { operationId: listHalls, responses: { '200': { description: All, ${json('Halls')} } } }
    post:
      operationId: createHall
      requestBody: { required: true, ${json('Hall')} }
      responses:
        '201': { description: Made, ${json('Hall')} }
        '400': { description: Not valid }
        '409': { description: Another hall has this name. }
  /halls.csv:
    get:
      operationId: downloadHalls
      parameters: [{ name: kind, in: query, schema: { type: string, enum: [large, small] } }]
      responses:
        '200': { description: All, content: { text/csv: { schema: { type: string },
          example: "id,name,remark,kind\\r\\n" } } }
        '400': { description: Not valid }
  /halls/{hallId}:
    parameters: [{ name: hallId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getHall
      responses: { '200': { description: One, ${json('Hall')} }, '404': { description: None } }
  /halls/{hallId}/photo:
    parameters: [{ name: hallId, in: path, required: true, schema: { type: string } }]
    put:
      operationId: uploadPhoto
      description: ${same}
      requestBody: { required: true, content: { image/png: {}, image/jpeg: {} } }
      responses:
        '204': { description: Kept }
        '400': { description: Not valid }
        '404': { description: None }
        '415': { description: Another media type }
    get:
      operationId: downloadPhoto
      responses:
        '200': { description: The photo, content: { image/png: {}, image/jpeg: {} } }
        '404': { description: None }
components:
  schemas:
    Hall:
      type: object
      required: [name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1 }
        remark: { type: [string, 'null'] }
        kind: { type: string, enum: [large, small], readOnly: true }
        photoHref: { type: [string, 'null'], format: uri-reference, readOnly: true }
    Halls: { type: array, items: { $ref: '#/components/schemas/Hall' } }
`;
}

interface Hall {
  id: string;
  name: string;
  remark: string | null;
  kind: string;
}
interface Photo {
  type: string;
  bytes: Uint8Array;
}

/** Halls with a photo, and a table of them. */
function service(quirk?: Quirk): Service {
  let last = 100;
  const newId = (): string => `h-${String((last += 1))}`;
  const halls = new Map<string, Hall>();
  const photos = new Map<string, Photo>();
  const missing: Answered = { status: 404 };
  const bodyOf = (call: Call): Record<string, unknown> | undefined => {
    try {
      const value: unknown = JSON.parse(call.body);
      const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isRecord ? (value as Record<string, unknown>) : undefined;
    } catch {
      return undefined;
    }
  };
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const show = (hall: Hall): unknown => ({
    ...hall,
    photoHref:
      photos.has(hall.id) && quirk !== 'link-stays-null' ? `/halls/${hall.id}/photo` : null,
  });
  const table = (kind: string | null): string => {
    const quote = (value: string): string =>
      quirk !== 'csv-not-quoted' && /[",\r\n]/.test(value)
        ? `"${value.replaceAll('"', '""')}"`
        : value;
    const all = [...halls.values()].filter(
      (hall) => kind === null || hall.kind === kind || quirk === 'csv-unfiltered',
    );
    const end = quirk === 'csv-one-page' ? 5 : all.length - (quirk === 'csv-without-last' ? 1 : 0);
    const shown = all.slice(0, end);
    const rows = shown.map(({ id, name, remark, kind: own }) =>
      [id, name, remark ?? '', own].map(quote).join(','),
    );
    const header = quirk === 'csv-without-header' ? [] : ['id,name,remark,kind'];
    return [...header, ...rows].map((row) => `${row}\r\n`).join('');
  };
  const onPhoto = (call: Call, id: string): Answered => {
    const key = quirk === 'shared' ? 'all' : id;
    if (call.method === 'GET') {
      const photo = photos.get(key);
      if (photo === undefined) return missing;
      const type = quirk === 'type-lost' ? 'image/png' : photo.type;
      const isSmaller = quirk === 'smaller-pictures';
      const bytes = isSmaller ? photo.bytes.slice(0, 900) : photo.bytes;
      return { status: 200, bytes, headers: { 'Content-Type': type } };
    }
    const type = call.header('Content-Type') ?? '';
    if (!['image/png', 'image/jpeg'].includes(type)) return { status: 415 };
    if (call.bytes.length === 0) return { status: 400 };
    const bytes = quirk === 'as-text' ? new TextEncoder().encode(call.body) : call.bytes;
    if (quirk !== 'keeps-first' || !photos.has(key)) photos.set(key, { type, bytes });
    return { status: 204 };
  };
  const onHalls = (call: Call): Answered => {
    const { method, path } = call;
    const [, id, part] = path;
    if (id === undefined) {
      if (method === 'GET') return { status: 200, json: [...halls.values()].map(show) };
      const { name, remark = null } = bodyOf(call) ?? {};
      if (!isText(name) || (remark !== null && typeof remark !== 'string')) return { status: 400 };
      if ([...halls.values()].some((hall) => hall.name === name)) return { status: 409 };
      const hall = { id: newId(), name, remark, kind: halls.size % 2 === 0 ? 'large' : 'small' };
      halls.set(hall.id, hall);
      return { status: 201, json: show(hall) };
    }
    const hall = halls.get(id);
    if (hall === undefined) return missing;
    if (part === 'photo') return onPhoto(call, id);
    return part === undefined ? { status: 200, json: show(hall) } : missing;
  };
  return (call) => {
    if (!['GET', 'POST', 'PUT', 'DELETE'].includes(call.method)) return { status: 405 };
    if (call.path[0] === 'halls.csv') {
      const kind = call.query.get('kind');
      if (kind !== null && !['large', 'small'].includes(kind)) return { status: 400 };
      return { status: 200, text: table(kind), headers: { 'Content-Type': 'text/csv' } };
    }
    return onHalls(call);
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string[]> {
  const findings = await findingsOf(parseContract(text(quirk), 'halls.yaml'), service(quirk));
  return alarms(findings).filter((line) => /file-agrees|shown-twice-agrees/.test(line));
}

describe('files and tables', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['as-text', 'error file-agrees downloadPhoto: A download differs'],
    ['type-lost', 'error file-agrees downloadPhoto: A file that was uploaded as image/jpeg'],
    ['keeps-first', 'error file-agrees downloadPhoto: '],
    ['shared', 'error file-agrees downloadPhoto: '],
    ['link-stays-null', 'error shown-twice-agrees getHall: The photoHref of a record is null'],
    ['csv-without-last', 'error file-agrees downloadHalls: The CSV has'],
    ['csv-one-page', 'error file-agrees downloadHalls: The CSV has 5 rows, and none'],
    ['csv-without-header', 'error file-agrees downloadHalls: The first row'],
    ['csv-not-quoted', 'error file-agrees downloadHalls: A row of the CSV has'],
    ['csv-unfiltered', 'error file-agrees downloadHalls: The CSV has a row whose kind'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });

  test('pictures that a service makes smaller are no error without a promise', async () => {
    const lines = await alarmsOf('smaller-pictures');
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
