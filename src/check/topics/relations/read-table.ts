/** A CSV: the names of its columns, and its rows. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads CSV (RFC 4180): fields in quotes may contain commas, quotes and line ends. */
export function readTable(text: string): Table {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endRow = (): void => {
    rows.push([...row, field]);
    [row, field] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[(at += 1)] ?? '';
      else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === ',') {
      row.push(field);
      field = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') field += character;
  }
  if (field !== '' || row.length > 0) endRow();
  const [columns = [], ...others] = rows;
  return { columns, rows: others };
}

/** The properties of one event, by name, each without its parameters. */
export type CalendarEvent = ReadonlyMap<string, string>;

/** Reads the events of a calendar (RFC 5545, section 3.6.1); texts without their escapes. */
export function readEvents(text: string): CalendarEvent[] {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: Map<string, string>[] = [];
  let event: Map<string, string> | undefined;
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') event = new Map();
    else if (line === 'END:VEVENT') {
      if (event !== undefined) events.push(event);
      event = undefined;
    } else {
      const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
      if (name !== '') event?.set(name, value);
    }
  }
  return events;
}

/** A text of a calendar without its escapes (RFC 5545, section 3.3.11). */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([\\;,nN])/g, (_whole, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  );
}

/** Whether a text is escaped as a calendar requires: no bare comma or semicolon. */
export function isEscaped(text: string): boolean {
  return !/[;,]/.test(text.replaceAll(/\\./g, ''));
}

/** A moment of a calendar in UTC, in milliseconds; undefined if it is not in UTC. */
export function readMoment(text: string): number | undefined {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const parts = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
  const moment = Date.parse(
    `${parts.join('-')}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`,
  );
  return Number.isNaN(moment) ? undefined : moment;
}
