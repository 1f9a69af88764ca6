import { describe, expect, test } from 'vitest';
import { type Asked, type Crud, crud, type Row, shown, text } from './fixture/crud/crud.ts';
import type { Answered } from './fixture/inline-service.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'as-text'
  | 'type-lost'
  | 'keeps-first'
  | 'shared'
  | 'link-stays-null'
  | 'csv-without-last'
  | 'csv-one-page'
  | 'csv-row-twice'
  | 'csv-without-header'
  | 'csv-not-quoted'
  | 'csv-unfiltered'
  | 'smaller-pictures';

/** What of the contract is about files; `same` is said of the upload of a photo. */
const paths = (same: string): string => `
/halls.csv:
  get:
    operationId: downloadHalls
    parameters: [{ name: kind, in: query, schema: { type: string, enum: [large, small] } }]
    responses:
      '200': { description: All, content: { text/csv: { schema: { type: string },
          example: "id,name,remark,kind\\r\\n" } } }
      '400': { description: Not valid }
/halls/{hallId}/photo:
  parameters: &id [{ name: hallId, in: path, required: true, schema: { type: string } }]
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
`;

interface Photo {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Halls with a photo, and all of them as a table. */
function halls(quirk?: Quirk): Crud {
  const photos = new Map<string, Photo>();
  const same =
    quirk === 'smaller-pictures'
      ? 'A preview is made of it.'
      : 'It comes back as sent, byte for byte.';
  return crud(
    {
      Hall: {
        fields: {
          name: text,
          remark: { type: ['string', 'null'] },
          kind: shown({ type: 'string', enum: ['large', 'small'] }),
          photoHref: shown({ type: ['string', 'null'], format: 'uri-reference' }),
        },
        optional: ['remark'],
        refuses: { create: { 409: 'Another hall has this name.' } },
      },
    },
    (rows) => ({
      refuse: {
        halls: ({ name }, others) => (others.some((one) => one['name'] === name) ? 409 : undefined),
      },
      made: {
        halls: (row) =>
          void Object.assign(row, { kind: rows('halls').length % 2 === 1 ? 'large' : 'small' }),
      },
      show: {
        halls: ({ id, remark = null, ...hall }) => ({
          id,
          remark,
          ...hall,
          photoHref: photos.has(id) && quirk !== 'link-stays-null' ? `/halls/${id}/photo` : null,
        }),
      },
      on: {
        downloadHalls: ({ call }) => {
          const kind = call.query.get('kind');
          if (kind !== null && !['large', 'small'].includes(kind)) return { status: 400 };
          const isShown = (hall: Row): boolean =>
            kind === null || hall['kind'] === kind || quirk === 'csv-unfiltered';
          return file('text/csv', table(rows('halls').filter(isShown), quirk));
        },
        uploadPhoto: (asked) => upload(photos, asked, quirk),
        downloadPhoto: ({ row }) => {
          const photo = photos.get(quirk === 'shared' ? 'all' : (row?.id ?? ''));
          if (row === undefined || photo === undefined) return { status: 404 };
          const bytes = quirk === 'smaller-pictures' ? photo.bytes.slice(0, 900) : photo.bytes;
          const type = quirk === 'type-lost' ? 'image/png' : photo.type;
          return { status: 200, bytes, headers: { 'Content-Type': type } };
        },
      },
    }),
    { paths: paths(same) },
  );
}

const file = (type: string, content: string): Answered => ({
  status: 200,
  text: content,
  headers: { 'Content-Type': type },
});

function upload(photos: Map<string, Photo>, { call, row }: Asked, quirk?: Quirk): Answered {
  if (row === undefined) return { status: 404 };
  const type = call.header('Content-Type') ?? '';
  if (!['image/png', 'image/jpeg'].includes(type)) return { status: 415 };
  if (call.bytes.length === 0) return { status: 400 };
  const bytes = quirk === 'as-text' ? new TextEncoder().encode(call.body) : call.bytes;
  const key = quirk === 'shared' ? 'all' : row.id;
  if (quirk !== 'keeps-first' || !photos.has(key)) photos.set(key, { type, bytes });
  return { status: 204 };
}

function table(all: readonly Row[], quirk?: Quirk): string {
  const quote = (value: string): string =>
    quirk !== 'csv-not-quoted' && /[",\r\n]/.test(value)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const end = quirk === 'csv-one-page' ? 5 : all.length - (quirk === 'csv-without-last' ? 1 : 0);
  const repeated = quirk === 'csv-row-twice' ? all.slice(-1) : [];
  const rows = [...all.slice(0, end), ...repeated].map(({ id, name, remark, kind }) =>
    [id, name, remark ?? '', kind].map(String).map(quote),
  );
  const header = quirk === 'csv-without-header' ? [] : [['id', 'name', 'remark', 'kind']];
  return [...header, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const alarmsOf = (quirk?: Quirk): Promise<string[]> =>
  halls(quirk).alarms(/^/, { only: ['file-agrees', 'shown-twice-agrees'] });

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
    ['csv-row-twice', 'error file-agrees downloadHalls: The CSV has the same row twice'],
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
