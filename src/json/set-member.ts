import type { JsonValue } from './value.ts';

/**
 * Gives an object that is being made one member more, whatever its name: to assign to `__proto__`
 * would set the prototype.
 */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  else object[name] = value;
}
