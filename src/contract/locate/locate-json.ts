import { splitPointer, type Pointer } from '../../json/pointer.ts';

/**
 * Where a member's key and its value begin in a text; an item has no key, so that both are where
 * its value begins.
 */
interface Member {
  readonly at: number;
  readonly value: number;
}

/**
 * Finds the offset of a pointer in a text that is known to be JSON: that of the deepest member on
 * the way that the text has.
 */
export type FindOffset = (pointer: Pointer) => number;

/**
 * A finder over JSON text. What it has once passed over is remembered by container, so that many
 * pointers cost no more than a few readings of the text: this is how thousands of places in a
 * document of many megabytes are had in a second.
 */
export function makeJsonFinder(text: string): FindOffset {
  const containers = new Map<number, ReadonlyMap<string, Member>>();
  const membersAt = (offset: number): ReadonlyMap<string, Member> => {
    let members = containers.get(offset);
    if (members === undefined) containers.set(offset, (members = readMembers(text, offset)));
    return members;
  };
  return (pointer) => {
    let offset = skipBlank(text, 0);
    let found = offset;
    for (const token of splitPointer(pointer)) {
      const member = membersAt(offset).get(token);
      if (member === undefined) return found;
      found = member.at;
      offset = member.value;
    }
    return found;
  };
}

const quote = 0x22;
const backslash = 0x5c;

function readMembers(text: string, start: number): Map<string, Member> {
  const members = new Map<string, Member>();
  const opener = text.charCodeAt(start);
  if (opener !== 0x7b && opener !== 0x5b) return members;
  let at = skipBlank(text, start + 1);
  for (let index = 0; at < text.length && text.charCodeAt(at) !== opener + 2; index += 1) {
    const keyAt = at;
    let name = String(index);
    if (opener === 0x7b) {
      at = skipString(text, at);
      name = nameOf(text.slice(keyAt, at));
      // Past the colon.
      at = skipBlank(text, skipBlank(text, at) + 1);
    }
    members.set(name, { at: keyAt, value: at });
    at = skipBlank(text, skipValue(text, at));
    if (text.charCodeAt(at) === 0x2c) at = skipBlank(text, at + 1);
  }
  return members;
}

function nameOf(source: string): string {
  return source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
}

function skipBlank(text: string, start: number): number {
  let at = start;
  for (
    let code = text.charCodeAt(at);
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    code = text.charCodeAt(at)
  )
    at += 1;
  return at;
}

/**
 * The offset behind a value: a container is over when as many brackets are closed as were opened.
 */
function skipValue(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) open += 1;
    else if (code === 0x7d || code === 0x5d) open -= 1;
    else if (open === 0 && code === 0x2c) return at;
    if (open < 0) return at;
    if (open === 0 && (code === quote || code === 0x7d || code === 0x5d)) return at + 1;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at += 1;
  }
  return text.length;
}
