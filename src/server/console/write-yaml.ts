import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../json/value.ts';

/** Writes a value as readable YAML. Numbers keep every digit. */
export function writeYaml(value: JsonObject): string {
  return `${writeBlock(value, 0)}\n`;
}

const longestLine = 72;

/** Indents every line; values on the line of their name are JSON, which is valid YAML. */
function writeBlock(value: JsonValue, indent: number): string {
  const pad = ' '.repeat(indent);
  if (isJsonArray(value))
    return value
      .map(
        (item) =>
          `${pad}- ${isShort(item) ? writeFlow(item) : writeBlock(item, indent + 2).trimStart()}`,
      )
      .join('\n');
  if (!isJsonObject(value)) return `${pad}${writeFlow(value)}`;
  return Object.entries(value)
    .map(([name, member]) => {
      const written = isShort(member)
        ? ` ${writeFlow(member)}`
        : `\n${writeBlock(member, indent + 2)}`;
      return `${pad}${writeName(name)}:${written}`;
    })
    .join('\n');
}

/** Nested and long lists and objects are not short. */
function isShort(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return true;
  const members = Object.values(value);
  return (
    members.length === 0 ||
    (writeFlow(value).length <= longestLine &&
      members.every((member) => !isJsonObject(member) && !isJsonArray(member)) &&
      members.length <= 4 &&
      !Object.hasOwn(value, 'status'))
  );
}

function writeFlow(value: JsonValue): string {
  if (isJsonObject(value))
    return Object.keys(value).length === 0
      ? '{}'
      : `{ ${Object.entries(value)
          .map(([name, member]) => `${writeName(name)}: ${writeFlow(member)}`)
          .join(', ')} }`;
  if (isJsonArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  return typeof value === 'string' && isPlain(value) ? value : stringifyJson(value);
}

function writeName(name: string): string {
  return isPlain(name) ? name : stringifyJson(name);
}

/** Text that every YAML parser reads as a string without quotes. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z_][\w-]*( [A-Za-z][\w-]*)*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
  );
}
