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
