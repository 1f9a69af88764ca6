/** One line of text with its 1-based line number: a paragraph or a list item. */
export interface Line {
  readonly text: string;
  readonly line: number;
}

/** A table row: its cells by the name of their column. */
export interface Row {
  readonly cells: ReadonlyMap<string, string>;
  readonly line: number;
}

/** What stands under one heading, up to the next heading of any level. */
export interface Section {
  readonly heading: string;
  readonly level: number;
  readonly line: number;
  readonly rows: readonly Row[];
  /** Bullets and numbered points, without their mark. */
  readonly items: readonly Line[];
  readonly paragraphs: readonly Line[];
}

interface OpenSection {
  heading: string;
  level: number;
  line: number;
  rows: Row[];
  items: Line[];
  paragraphs: Line[];
}

/**
 * Reads the Markdown that the source uses: headings, pipe tables, one-line list items and one-line
 * paragraphs.
 */
export function readMarkdown(text: string): Section[] {
  const sections: OpenSection[] = [];
  let columns: readonly string[] | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const heading = /^(#+) (.+)$/.exec(raw);
    if (heading)
      sections.push({
        heading: heading[2] ?? '',
        level: heading[1]?.length ?? 0,
        line,
        rows: [],
        items: [],
        paragraphs: [],
      });
    const section = sections.at(-1);
    if (heading || section === undefined) continue;
    if (!raw.startsWith('|')) columns = undefined;
    if (raw.startsWith('|')) columns = readTableLine(raw, line, section, columns);
    else if (/^(- |\d+\. )/.test(raw))
      section.items.push({ text: raw.replace(/^(- |\d+\. )/, ''), line });
    else if (raw.trim() !== '') section.paragraphs.push({ text: raw.trim(), line });
  }
  return sections;
}

function readTableLine(
  raw: string,
  line: number,
  section: OpenSection,
  columns: readonly string[] | undefined,
): readonly string[] {
  const cells = splitCells(raw);
  if (columns === undefined) return cells;
  if (cells.every((text) => /^-+$/.test(text))) return columns;
  section.rows.push({
    line,
    cells: new Map(columns.map((column, index) => [column, cells[index] ?? ''])),
  });
  return columns;
}

function splitCells(raw: string): string[] {
  return raw
    .slice(1, raw.lastIndexOf('|'))
    .split('|')
    .map((text) => text.trim());
}

/**
 * The section whose heading begins so. Throws where there is none: then the source has changed its
 * shape.
 */
export function sectionOf(sections: readonly Section[], heading: string): Section {
  const found = sections.find(
    (section) => section.heading === heading || section.heading.startsWith(`${heading} `),
  );
  if (found === undefined) throw new Error(`The source has no section "${heading}".`);
  return found;
}

/** The sections one level below the one named, up to its next sibling. */
export function childrenOf(sections: readonly Section[], heading: string): Section[] {
  const parent = sectionOf(sections, heading);
  const following = sections.slice(sections.indexOf(parent) + 1);
  const end = following.findIndex((section) => section.level <= parent.level);
  return following.slice(0, end === -1 ? undefined : end);
}

/** A cell of a row, or the empty string where the table has no such column. */
export function cell(row: Row, column: string): string {
  return row.cells.get(column) ?? '';
}
