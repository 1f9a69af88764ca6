import { coded, find, rules, text, type Fact } from './fact.ts';
import { cell, childrenOf, sectionOf, type Row, type Section } from './markdown.ts';

/** What the source says of resources: their fields, the enumeration with its states, the array. */
export function factsOfResources(sections: readonly Section[]): Fact[] {
  const resources = childrenOf(sections, 'Resources and their fields');
  return [
    ...resources.flatMap((section) => factsOfTable(section)),
    ...factsOfComposition(sectionOf(resources, 'Pet')),
    ...factsOfEnumeration(sectionOf(resources, 'PetStatus')),
    ...factsOfArray(sectionOf(resources, 'Pets')),
    ...factsOfStates(sectionOf(sections, 'States and transitions')),
  ];
}

function factsOfTable(section: Section): Fact[] {
  const name = section.heading.split(' ')[0] ?? '';
  const shape = section.rows.length > 0 ? [`schema ${name} type object`] : [];
  return [
    ...rules(section.line, `schema ${name}`, ...shape),
    ...section.rows.flatMap((row) => factsOfField(name, row)),
  ];
}

/** One row of a field table. `owner` is the schema, or the operation's body. */
export function factsOfField(owner: string, row: Row): Fact[] {
  const field = `${owner}.${cell(row, 'Field') || cell(row, 'Request field')}`;
  const meaning = cell(row, 'Meaning');
  return rules(
    row.line,
    field,
    `${field} type ${cell(row, 'Type')}`,
    ...formatSays(field, cell(row, 'Format')),
    ...(cell(row, 'Required') === 'yes' ? [`${field} required`] : []),
    ...(meaning === '' ? [] : [`${field} means ${meaning}`]),
  );
}

function formatSays(field: string, format: string): string[] {
  if (format === '') return [];
  if (format.startsWith('enum ')) return [`${field} is a ${format.slice('enum '.length)}`];
  return [`${field} format ${format === 'ISO 8601 timestamp, UTC' ? 'date-time' : format}`];
}

function factsOfComposition(section: Section): Fact[] {
  const { line, groups } = find(section, /^A (\w+) is a (\w+) plus the `(\w+)` field\.$/);
  return rules(line, `schema ${groups[0]} is ${groups[1]} plus ${groups[2]}`);
}

function factsOfEnumeration(section: Section): Fact[] {
  const type = /\(enumeration of (\w+)s\)/.exec(section.heading)?.[1];
  const { line, groups } = find(section, /^(`.+`)\.$/);
  return rules(
    line,
    `schema PetStatus type ${type}`,
    ...coded(groups[0] ?? '').map((value) => `schema PetStatus value ${value}`),
  );
}

function factsOfArray(section: Section): Fact[] {
  const { line, groups } = find(
    section,
    /^An (array) of (\w+) objects\. (It is the body of a successful list call)\.$/,
  );
  return [
    ...rules(line, `schema Pets type ${groups[0]}`, `schema Pets items ${groups[1]}`),
    text(line, groups[2] ?? ''),
  ];
}

function factsOfStates(section: Section): Fact[] {
  const field = find(section, /^An animal's `(\w+)` takes one of the states below\.$/);
  const filter = find(section, /^(The list operation filters animals by these states)/);
  return [
    ...rules(field.line, `NewPet.${field.groups[0]} is a PetStatus`),
    ...section.rows.flatMap((row) => {
      const state = cell(row, 'State');
      return rules(
        row.line,
        `schema PetStatus value ${state}`,
        `state ${state} means ${cell(row, 'Meaning given')}`,
      );
    }),
    text(filter.line, filter.groups[0] ?? ''),
  ];
}
