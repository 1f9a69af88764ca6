import type { Line, Section } from './markdown.ts';

/**
 * One thing that the source says, with its line. A `rule` is compared word for word with what the
 * document says, in both directions; a `text` has to stand in one of the document's descriptions.
 */
export interface Fact {
  readonly kind: 'rule' | 'text';
  readonly says: string;
  readonly line: number;
}

/** Rules that all come from one line of the source. */
export function rules(line: number, ...says: readonly string[]): Fact[] {
  return says.map((each) => ({ kind: 'rule', says: each, line }));
}

/** A sentence that the document repeats in a description. */
export function text(line: number, says: string): Fact {
  return { kind: 'text', says: plain(says), line };
}

/** Text as it is compared: white space collapsed, no mark at the end. */
export function plain(value: string): string {
  return value
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.;:]$/, '');
}

/** The first sentence of a description: the part that has to be the source's own words. */
export function firstSentence(description: string): string {
  return plain(plain(description).split('. ')[0] ?? '');
}

/** A sentence found in a section: its line and the groups of the pattern. */
export interface Found {
  readonly line: number;
  readonly groups: readonly string[];
}

/**
 * Looks a sentence up in the paragraphs and items of a section. Throws where it is not there: then
 * the source has changed.
 */
export function find(section: Section, pattern: RegExp): Found {
  const found = findAll(section, pattern)[0];
  if (found === undefined)
    throw new Error(`The source does not say ${String(pattern)} under "${section.heading}".`);
  return found;
}

/** Every paragraph and item of a section in which the pattern matches. */
export function findAll(section: Section, pattern: RegExp): Found[] {
  return linesOf(section).flatMap(({ text: value, line }) => {
    const match = pattern.exec(value);
    return match ? [{ line, groups: match.slice(1) }] : [];
  });
}

/** The paragraphs and items of a section, by line. */
export function linesOf(section: Section): Line[] {
  return [...section.paragraphs, ...section.items].sort((a, b) => a.line - b.line);
}

/** The words between backticks. */
export function coded(value: string): string[] {
  return [...value.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

/** `5 December 2030` as `2030-12-05`. Throws for what is no such date. */
export function dayOf(words: string): string {
  const time = Date.parse(`${words} UTC`);
  if (Number.isNaN(time)) throw new Error(`"${words}" is no date.`);
  return new Date(time).toISOString().slice(0, 10);
}
