import { describe, expect, test } from 'vitest';
import { type Asked, type Crud, crud, moment, type Row, shown, text } from './fixture/crud/crud.ts';
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
  | 'csv-without-header'
  | 'csv-not-quoted'
  | 'csv-unfiltered'
  | 'calendar-without-last'
  | 'calendar-keeps-deleted'
  | 'calendar-not-escaped'
  | 'calendar-in-local-time'
  | 'smaller-pictures';

/** What of the contract is about files; `same` is said of the upload of a photo. */
const paths = (same: string): string => `
/halls.csv:
  get:
    operationId: downloadHalls
    description: 'The columns are \`id,name,remark,kind\`.'
    parameters: [{ name: kind, in: query, schema: { type: string, enum: [large, small] } }]
    responses:
      '200': { description: All, content: { text/csv: { schema: { type: string } } } }
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
/halls/{hallId}/calendar:
  parameters: *id
  get:
    operationId: getCalendar
    responses:
      '200': { description: All, content: { text/calendar: { schema: { type: string } } } }
      '404': { description: None }
`;

interface Photo {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Halls with a photo, concerts in them, and both as files. */
function halls(quirk?: Quirk): Crud {
  const photos = new Map<string, Photo>();
  const cancelled: Row[] = [];
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
      Concert: {
        fields: {
          hallId: text,
          title: text,
          start: { ...moment, example: '2027-05-04T19:00:00Z' },
          end: { ...moment, example: '2027-05-04T21:00:00Z' },
        },
        can: 'list create read delete',
        refuses: { create: { 422: 'There is no such hall.' } },
      },
    },
    (rows) => ({
      refuse: {
        halls: ({ name }, others) => (others.some((one) => one['name'] === name) ? 409 : undefined),
        concerts: ({ hallId }) => (rows('halls').some(({ id }) => id === hallId) ? undefined : 422),
      },
      refuseDeletion: { concerts: (row) => void cancelled.push(row) },
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
        getCalendar: ({ row }) => {
          const all = [
            ...rows('concerts'),
            ...(quirk === 'calendar-keeps-deleted' ? cancelled : []),
          ];
          const own = all.filter(({ hallId }) => hallId === row?.id);
          return row === undefined ? undefined : file('text/calendar', calendar(own, quirk));
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
  const rows = all
    .slice(0, end)
    .map(({ id, name, remark, kind }) => [id, name, remark ?? '', kind].map(String).map(quote));
  const header = quirk === 'csv-without-header' ? [] : [['id', 'name', 'remark', 'kind']];
  return [...header, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function calendar(concerts: readonly Row[], quirk?: Quirk): string {
  const shownOnes = quirk === 'calendar-without-last' ? concerts.slice(0, -1) : concerts;
  const hour = quirk === 'calendar-in-local-time' ? 3_600_000 : 0;
  const at = (value: unknown): string =>
    new Date(Date.parse(String(value)) + hour).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const escape = (value: string): string =>
    quirk === 'calendar-not-escaped' ? value : value.replaceAll(/[\\;,]/g, String.raw`\$&`);
  const events = shownOnes.flatMap(({ id, title, start, end }) => [
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTART:${at(start)}`,
    `DTEND:${at(end)}`,
    `SUMMARY:${escape(String(title))}`,
    'END:VEVENT',
  ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//t//EN',
    ...events,
    'END:VCALENDAR',
    '',
  ];
  return lines.join('\r\n');
}

const alarmsOf = (quirk?: Quirk): Promise<string[]> =>
  halls(quirk).alarms(/file-agrees|shown-twice-agrees/);

describe('files, tables and calendars', () => {
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
    ['calendar-without-last', 'error file-agrees getCalendar: The calendar has 0 events'],
    ['calendar-keeps-deleted', 'error file-agrees getCalendar: The calendar has an event'],
    ['calendar-not-escaped', 'error file-agrees getCalendar: The SUMMARY of an event'],
    ['calendar-in-local-time', 'error file-agrees getCalendar: The DTSTART of an event'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });

  test('pictures that a service makes smaller are no error without a promise', async () => {
    const lines = await alarmsOf('smaller-pictures');
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
