import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeScalar } from '../parameter/write-piece.ts';

/**
 * A value as JSON texts, a line for each item of a list (application/jsonl, application/x-ndjson).
 */
export function writeJsonLines(value: JsonValue): string {
  return itemsOf(value)
    .map((item) => `${stringifyJson(item)}\n`)
    .join('');
}

/** The same as a JSON text sequence (RFC 7464): each record begins with the character RS. */
export function writeJsonSequence(value: JsonValue): string {
  return itemsOf(value)
    .map((item) => `\u001e${stringifyJson(item)}\n`)
    .join('');
}

const eventFields = ['id', 'event', 'retry', 'data'];

/**
 * A value as server-sent events (WHATWG HTML, section 9.2), one for each item of a list. An object
 * with the members of an event is one; anything else is the data of one.
 */
export function writeEvents(value: JsonValue): string {
  return itemsOf(value)
    .map((item) => `${isEvent(item) ? writeEvent(item) : fieldLines('data', textOf(item))}\n`)
    .join('');
}

function isEvent(item: JsonValue): item is JsonObject {
  return (
    isJsonObject(item) &&
    Object.hasOwn(item, 'data') &&
    Object.keys(item).every((name) => eventFields.includes(name))
  );
}

function writeEvent(event: JsonObject): string {
  return eventFields
    .map((name) =>
      Object.hasOwn(event, name) ? fieldLines(name, textOf(event[name] ?? null)) : '',
    )
    .join('');
}

/** A line break inside would end the field, so that each line is a field of its own. */
function fieldLines(name: string, text: string): string {
  const lines = name === 'data' ? text.split(/\r\n|\r|\n/) : [text.replaceAll(/[\r\n\0]/g, ' ')];
  return lines.map((line) => `${name}: ${line}\n`).join('');
}

/**
 * A table (RFC 4180): a header and a row for each object; lists of single values are one column.
 */
export function writeCsv(value: JsonValue): string {
  const items = itemsOf(value);
  const names = [
    ...new Set(items.flatMap((item) => (isJsonObject(item) ? Object.keys(item) : []))),
  ];
  const rows = items.map((item) =>
    isJsonObject(item)
      ? names.map((name) => (Object.hasOwn(item, name) ? textOf(item[name] ?? null) : ''))
      : isJsonArray(item)
        ? item.map(textOf)
        : [textOf(item)],
  );
  return [...(names.length === 0 ? [] : [names]), ...rows]
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('');
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [value];
}

function textOf(value: JsonValue): string {
  return writeScalar(value);
}
