import { suggestWord, type VouchError } from '../../errors.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { type FactName, isFactName, phrases } from './phrases/index.ts';

/** The extension in which the owner of a contract states or denies facts. */
export const factsKeyword = 'x-vouch-facts';

/** What the owner of a contract states (a value, or true) or denies (false). */
export type StatedFacts = Readonly<Partial<Record<FactName, boolean | string>>>;

/** The facts of an `x-vouch-facts`; unknown names and other values are left out. */
export function readStatedFacts(value: unknown): StatedFacts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const facts: { [name in FactName]?: boolean | string } = {};
  for (const [name, given] of Object.entries(value))
    if (isFactName(name) && (typeof given === 'boolean' || typeof given === 'string'))
      facts[name] = given;
  return facts;
}

/** Makes the error for a place in what states facts. */
export type FactFault = (pointer: Pointer, message: string, hint: string) => VouchError;

/** Throws for a fact that vouch does not know, or that is neither stated nor denied. */
export function checkStatedFacts(value: JsonValue, pointer: Pointer, fault: FactFault): void {
  if (!isJsonObject(value))
    throw fault(pointer, 'Facts are an object, such as { unique: true }.', knownFacts);
  for (const [name, given] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (!isFactName(name))
      throw fault(at, `There is no fact ${name}.`, suggestWord(name, Object.keys(phrases)));
    if (typeof given !== 'boolean' && typeof given !== 'string')
      throw fault(
        at,
        `The fact ${name} is true, false or a text, which says what it is about.`,
        `It means: ${phrases[name].means}.`,
      );
  }
}

const knownFacts = `The facts are: ${Object.keys(phrases).join(', ')}.`;
