import type { JsonValue } from '../../json/value.ts';

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/**
 * An unsigned 32-bit number that values share where `equalJson` holds of them; others rarely do,
 * but for lists and objects.
 */
export function hashJson(value: JsonValue): number {
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return hashNumber(Number(value));
  if (typeof value === 'boolean') return value ? 0x3c6ef372 : 0xbb67ae85;
  return value === null ? 0xa54ff53a : 0x510e527f;
}

/** FNV-1a over the code units, of which a long text gives its ends. */
function hashText(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  const end = text.length;
  for (let index = 0; index < end; index += 1) {
    if (index === 64 && end > 128) index = end - 64;
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

function hashNumber(value: number): number {
  // 0 and -0 are equal, and differ in their bits.
  double[0] = value + 0;
  return mix((words[0] ?? 0) ^ Math.imul(words[1] ?? 0, 0x85ebca6b));
}

/** Spreads what differs in few bits over all of them (MurmurHash3's finaliser). */
function mix(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
