import { type Pointer } from '../../json/pointer.ts';
import { singularOf, wordsOf } from '../infer/infer-names.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';
import { descriptionOf, factIn, fieldTexts } from './facts.ts';
import { mentions } from './mentions.ts';

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
  readonly flat: LocatedNode;
}

/**
 * Proposes rules for the objects of a schema whose descriptions mention a count or an order of
 * dates.
 */
export function proposeRules(schema: Schema, place: LocatedNode): readonly RuleProposal[] {
  const members = membersOf(schema, place);
  return members
    .filter(({ description }) => description !== '')
    .flatMap((member) => {
      const rule = readings.map((read) => read(member, members)).find((text) => text !== undefined);
      const { name, pointer, description: words } = member;
      return rule === undefined ? [] : [{ member: name, pointer, words, rule }];
    });
}

type Reading = (member: Member, members: readonly Member[]) => string | undefined;

/** Each recognises one phrase with which descriptions state a rule. */
const readings: readonly Reading[] = [countOf, orderOf];

/** `The number of lines.` */
function countOf(member: Member, members: readonly Member[]): string | undefined {
  const counted = factIn(fieldTexts(member.flat), 'counts-all')?.value;
  if (counted === undefined || !member.types.includes('integer')) return undefined;
  const list = members.find(({ name, types }) => types.includes('array') && begins(counted, name));
  return list && `size(self.${list.name}) == self.${member.name}`;
}

/** `Not before from.`, `Always after startsAt.` */
function orderOf(member: Member, members: readonly Member[]): string | undefined {
  const read = momentReader(member);
  const fact = factIn(fieldTexts(member.flat), 'comes-after');
  const other = members.find(
    (one) =>
      one !== member && one.format === member.format && mentions(fact?.sentence ?? '', one.name),
  );
  const operator = operators[fact?.value?.toLowerCase() ?? ''];
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

/** Whether a phrase begins with the name of a list: `lines of the invoice`, `the resources`. */
function begins(phrase: string, list: string): boolean {
  const words = wordsOf(phrase).filter((word) => !['the', 'its', 'all'].includes(word));
  const name = wordsOf(list);
  return singularOf(words.slice(0, name.length).join('')) === singularOf(name.join(''));
}

function membersOf(schema: Schema, place: LocatedNode): readonly Member[] {
  return [...schema.flatten(place).properties].flatMap(([name, part]) => {
    // A rule can read only a member with a plain name.
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    const flat = schema.flatten(part);
    const { types, node } = flat;
    return [{ ...part, name, types, format: node.format, description: descriptionOf(flat), flat }];
  });
}
