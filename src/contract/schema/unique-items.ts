import type { FuncKeywordDefinition } from 'ajv';
import { canonicalJson } from '../../json/equal-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { WorkMeter } from './work-meter.ts';

/** What one character of a canonical text costs. */
const canonicalCost = 4;

/**
 * `uniqueItems` (JSON Schema Validation 2020-12, section 6.4.3) by the canonical text of each item:
 * Ajv compares each item with each other one.
 */
export function uniqueItems(meter: WorkMeter): FuncKeywordDefinition {
  const validate = (wanted: boolean, items: readonly JsonValue[]): boolean => {
    if (!wanted || items.length < 2) return true;
    const seen = new Set<JsonValue>();
    return items.every((item) => {
      const key = keyOf(item, meter);
      return seen.size !== seen.add(key).size;
    });
  };
  return { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: false, validate };
}

/** A text stands for itself, behind a quote: it can look like the key of another item. */
function keyOf(item: JsonValue, meter: WorkMeter): JsonValue {
  meter.spend(8);
  if (typeof item === 'string') return `"${item}`;
  const key = canonicalJson(item);
  meter.spend(key.length * canonicalCost);
  return key;
}
