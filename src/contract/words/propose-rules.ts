import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';

/** A rule that a description states in prose and no `x-vouch-rules` states in CEL. */
export interface RuleProposal {
  /** The member whose description it is. */
  readonly member: string;
  /** The place of that member. */
  readonly pointer: Pointer;
  /** The part of the description that the proposal uses. */
  readonly words: string;
  /** The equivalent expression in CEL. */
  readonly rule: string;
}

/** A member of an object as the proposals read it. */
interface Member extends LocatedNode {
  readonly name: string;
  readonly types: readonly string[];
  readonly format: string | undefined;
  readonly description: string;
}

/**
 * Proposes rules for the objects of a schema whose descriptions mention a sum, a count, an order of
 * dates or a number of days.
 */
export function proposeRules(schema: Schema, place: LocatedNode): readonly RuleProposal[] {
  const members = membersOf(schema, place);
  return members
    .filter(({ description }) => description !== '')
    .flatMap((member) => {
      const rule = readings
        .map((read) => read(member, members, schema))
        .find((text) => text !== undefined);
      const { name, pointer, description: words } = member;
      return rule === undefined ? [] : [{ member: name, pointer, words, rule }];
    });
}

type Reading = (member: Member, members: readonly Member[], schema: Schema) => string | undefined;

/** Each recognises one phrase with which descriptions state a rule. */
const readings: readonly Reading[] = [sumOf, countOf, daysAfter, orderOf];

/** `The sum of the amounts of the lines.` */
function sumOf(member: Member, members: readonly Member[], schema: Schema): string | undefined {
  if (!/\b(sum|total) of\b/i.test(member.description) || !isNumeric(member)) return undefined;
  for (const list of members.filter(({ types }) => types.includes('array'))) {
    if (!names(member.description, list.name)) continue;
    const flat = schema.flatten(list.node, list.pointer);
    const { items } = flat.node;
    if (items === undefined) continue;
    const part = { node: items, pointer: joinPointer(flat.pointer, 'items') };
    const addend = membersOf(schema, part).find(
      (candidate) => isNumeric(candidate) && names(member.description, candidate.name),
    );
    if (addend !== undefined)
      return `self.${member.name} == decimal_sum(self.${list.name}.map(x, x.${addend.name}))`;
  }
  return undefined;
}

/** `The number of lines.` */
function countOf(member: Member, members: readonly Member[]): string | undefined {
  if (!/\b(number|count) of\b/i.test(member.description) || !member.types.includes('integer'))
    return undefined;
  const list = members.find(
    ({ name, types }) => types.includes('array') && names(member.description, name),
  );
  return list && `size(self.${list.name}) == self.${member.name}`;
}

/** `30 days after issuedOn.` */
function daysAfter(member: Member, members: readonly Member[]): string | undefined {
  const days = /\b(\d{1,4}) days after\b/i.exec(member.description)?.[1];
  const other = members.find(
    (one) => one !== member && one.format === member.format && names(member.description, one.name),
  );
  const read = momentReader(member);
  if (days === undefined || other === undefined || read === undefined) return undefined;
  return `${read(member.name)} == ${read(other.name)} + days(${days})`;
}

/** `Not before from.`, `Always after startsAt.` */
function orderOf(member: Member, members: readonly Member[]): string | undefined {
  const read = momentReader(member);
  const [, word] =
    /\b(not before|no earlier than|after|later than|not after|no later than|before)\b/i.exec(
      member.description,
    ) ?? [];
  const other = members.find(
    (one) => one !== member && one.format === member.format && names(member.description, one.name),
  );
  const operator = word && operators[word.toLowerCase()];
  if (read === undefined || other === undefined || operator === undefined) return undefined;
  return `${read(member.name)} ${operator} ${read(other.name)}`;
}

const operators: Readonly<Record<string, string>> = {
  'not before': '>=',
  'no earlier than': '>=',
  after: '>',
  'later than': '>',
  'not after': '<=',
  'no later than': '<=',
  before: '<',
};

function momentReader({ format }: Member): ((name: string) => string) | undefined {
  if (format === 'date') return (name) => `date(self.${name})`;
  return format === 'date-time' ? (name) => `timestamp(self.${name})` : undefined;
}

/** Whether a text names a member: as written, in words, or in the singular or plural. */
function names(text: string, member: string): boolean {
  const words = member.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ');
  const stem = words.replace(/s$/, '').replaceAll(/[^\w ]/g, '');
  return (
    new RegExp(`\\b${member.replaceAll(/\W/g, '')}\\b`).test(text) ||
    new RegExp(`\\b${stem}s?\\b`, 'i').test(text)
  );
}

/** A number, or a text that may hold a decimal. */
function isNumeric({ types, node }: Member): boolean {
  const pattern = typeof node === 'object' ? node.pattern : undefined;
  return (
    types.includes('number') ||
    types.includes('integer') ||
    (types.includes('string') && pattern !== undefined && /\\d|0-9/.test(pattern))
  );
}

function membersOf(schema: Schema, place: LocatedNode): readonly Member[] {
  return [...schema.flatten(place.node, place.pointer).properties].flatMap(([name, part]) => {
    // A rule can read only a member with a plain name.
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    const { node, types } = schema.flatten(part.node, part.pointer);
    const description = typeof node.description === 'string' ? node.description : '';
    return [{ ...part, name, types, format: node.format, description }];
  });
}
