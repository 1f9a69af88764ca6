import type * as Yaml from 'js-yaml';

/**
 * Where a YAML text has something: the offset of a key, or of an item, which has none, and what is
 * inside, by key or index.
 */
export interface YamlPlace {
  readonly at: number;
  readonly inside: ReadonlyMap<string, YamlPlace>;
}

/**
 * The places of the first document of a text; of a text with a syntax error, its beginning. The
 * parser is an argument, because few texts are searched for places, and a browser loads it late.
 */
export function placesOfYaml(yaml: typeof Yaml, text: string): YamlPlace {
  const { EVENT_ID, getScalarValue } = yaml;
  const events = nodeEvents(yaml, text);
  let next = 0;
  const read = (around: number): YamlPlace => {
    const event = events[next];
    const inside = new Map<string, YamlPlace>();
    next += 1;
    const at = (event && offsetOf(yaml, event)) ?? around;
    if (event?.type !== EVENT_ID.SEQUENCE && event?.type !== EVENT_ID.MAPPING)
      return { at, inside };
    for (let first = events[next]; first?.type !== EVENT_ID.POP; first = events[next]) {
      if (first === undefined) break;
      const name = first.type === EVENT_ID.SCALAR ? getScalarValue(text, first) : '';
      const place = read(at);
      if (event.type === EVENT_ID.SEQUENCE) inside.set(String(inside.size), place);
      else {
        const value = read(place.at);
        // Of two equal keys, the first is shown.
        if (!inside.has(name)) inside.set(name, { at: place.at, inside: value.inside });
      }
    }
    next += 1;
    return { at, inside };
  };
  return read(0);
}

type NodeEvent = Exclude<Yaml.Event, Yaml.DocumentEvent>;

/** Deeper than any text that is read. */
const maxDepth = 200;

function nodeEvents({ parseEvents, EVENT_ID }: typeof Yaml, text: string): readonly NodeEvent[] {
  try {
    const events = parseEvents(text, { maxDepth });
    return events.filter((event) => event.type !== EVENT_ID.DOCUMENT);
  } catch {
    // The reader of the text reports the error with its place.
    return [];
  }
}

/** Where a node begins: a quoted text with its quote. Undefined for an empty value. */
function offsetOf({ EVENT_ID, SCALAR_STYLE }: typeof Yaml, event: NodeEvent): number | undefined {
  if (event.type === EVENT_ID.POP) return undefined;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  const isQuoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return event.valueStart === -1 ? undefined : event.valueStart - Number(isQuoted);
}
