import type { Faker } from '@faker-js/faker';
import { plainName } from '../contract/infer/infer-names.ts';
import type { Schema } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Variety } from './build-orders.ts';
import { type CallFaker, callOf, fakerMethodFor, namedCall } from './faker-methods.ts';
import { findValue, plainValue, type ValueOptions, type ValueResult } from './plain-value.ts';
import { makeRandom } from './random.ts';
import { lengthsOf } from './text-value.ts';
import { placedTexts, type View } from './view.ts';

/** Generates realistic values. */
export interface Sampler {
  /**
   * A valid value that looks like real data, with values of faker by name and by `x-faker`; if none
   * is found, the plain value. Deterministic for schema, seed and direction.
   */
  sampleValue(schema: Schema, options: ValueOptions): ValueResult;
}

/** The reference date of faker, so that values do not change from one day to the next. */
const referenceDate = '2024-06-01T12:00:00.000Z';

let loading: Promise<Sampler> | undefined;

/** Loads faker (about 30 ms the first time) and makes a sampler; later calls share it. */
export function loadSampler(): Promise<Sampler> {
  loading ??= makeSampler();
  return loading;
}

async function makeSampler(): Promise<Sampler> {
  const { faker: shared } = await import('@faker-js/faker/locale/en');
  // A separate instance, because seeding the shared one would affect tests that also use it.
  const faker = new (shared.constructor as typeof Faker)({ locale: shared.rawDefinitions });
  faker.setDefaultRefDate(referenceDate);
  const variety: Variety = {
    scalar(view, name, seed) {
      const call = namedCall(view, faker) ?? usualCall(view, name, faker);
      if (call === undefined) return undefined;
      faker.seed(makeRandom(seed).integer(0, 0x7fffffff));
      return valueOf(call, view);
    },
  };
  return {
    sampleValue(schema, { seed, direction }) {
      const required = 'all';
      const orders = { schema, direction, required, seed: String(seed), pins: new Map() } as const;
      const found = findValue({ ...orders, variety });
      return found.ok
        ? { ok: true, value: found.value }
        : plainValue(schema, { seed, direction, required });
    },
  };
}

/** The call for a text of this name, if its length and form are free. */
function usualCall(view: View, name: string, faker: object): CallFaker | undefined {
  const { min, max } = lengthsOf(view);
  const isFree =
    view.types.includes('string') &&
    placedTexts(view, 'format').length + placedTexts(view, 'pattern').length === 0;
  // Most texts of faker have 3 to 60 characters.
  const path = isFree && min <= 3 && max >= 60 ? fakerMethodFor(plainName(name)) : undefined;
  return path === undefined ? undefined : callOf(faker, path);
}

function valueOf(call: CallFaker, view: View): JsonValue | undefined {
  try {
    const made = call();
    const isDay = placedTexts(view, 'format').some(({ value }) => value === 'date');
    return made instanceof Date && isDay ? made.toISOString().slice(0, 10) : toJson(made);
  } catch {
    // Faker refuses arguments of the contract: the usual value takes its place.
    return undefined;
  }
}

/** A generated value as JSON: dates become text. Undefined for values that JSON does not have. */
function toJson(value: unknown): JsonValue | undefined {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint'
  )
    return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return allDefined(value.map(toJson));
  if (!isJsonObject(value)) return undefined;
  const names = Object.keys(value);
  const members = allDefined(names.map((name) => toJson(value[name])));
  return members && Object.fromEntries(names.map((name, index) => [name, members[index] ?? null]));
}

function allDefined(values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined {
  const defined = values.filter((value) => value !== undefined);
  return defined.length === values.length ? defined : undefined;
}
