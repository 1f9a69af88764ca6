import type { Faker } from '@faker-js/faker';
import type { Random as JsfRandom, JsonSchema } from 'json-schema-faker';
import type { Schema } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { formatTexts } from './format-texts.ts';
import { plainValue, type ValueOptions, type ValueResult } from './plain-value.ts';
import { makeRandom, type Random } from './random.ts';
import { finishRecipe, sampleRecipe } from './sample-recipe.ts';

/** Generates realistic values. */
export interface Sampler {
  /**
   * A valid value that looks like real data, from json-schema-faker, faker and `x-faker`; if they
   * fail, the plain value. Deterministic for schema, seed and direction.
   */
  sampleValue(schema: Schema, options: ValueOptions): ValueResult;
}

const attempts = 4;
/** The reference date of faker, so that values do not change from one day to the next. */
const referenceDate = '2024-06-01T12:00:00.000Z';

let loading: Promise<Sampler> | undefined;

/** Loads the generators (about 30 ms the first time) and makes a sampler; later calls share it. */
export function loadSampler(): Promise<Sampler> {
  loading ??= makeSampler();
  return loading;
}

async function makeSampler(): Promise<Sampler> {
  const [{ generateSync }, { faker: shared }] = await Promise.all([
    import('json-schema-faker'),
    import('@faker-js/faker/locale/en'),
  ]);
  // A separate instance, because seeding the shared one would affect tests that also use it.
  const faker = new (shared.constructor as typeof Faker)({ locale: shared.rawDefinitions });
  faker.setDefaultRefDate(referenceDate);
  const generate = (recipe: JsonSchema, seed: number): unknown => {
    faker.seed(seed);
    return generateSync(recipe, {
      seed,
      extensions: { faker },
      formats,
      alwaysFakeOptionals: true,
      maxDepth: 64,
      outputTransform: finishRecipe,
    });
  };
  return { sampleValue: (schema, options) => sample(schema, options, { faker, generate }) };
}

interface Generators {
  readonly faker: object;
  generate(recipe: JsonSchema, seed: number): unknown;
}

function sample(
  schema: Schema,
  options: ValueOptions,
  { faker, generate }: Generators,
): ValueResult {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seed = attempt === 0 ? String(options.seed) : `${options.seed}/${attempt}`;
    const recipe = sampleRecipe({ schema, direction: options.direction, seed, faker });
    const value =
      recipe === undefined
        ? undefined
        : attemptTo(() => generate(recipe, makeRandom(seed).integer(0, 0x7fffffff)));
    if (value !== undefined && schema.accepts(value, options.direction)) return { ok: true, value };
  }
  return plainValue(schema, { ...options, required: 'all' });
}

/**
 * json-schema-faker throws if it cannot make a value; the next attempt or the plain value is used
 * instead.
 */
function attemptTo(generate: () => unknown): JsonValue | undefined {
  try {
    return toJson(generate());
  } catch {
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

const formats: Record<string, (random: JsfRandom) => string> = Object.fromEntries(
  Object.entries(formatTexts).map(([name, texts]) => [
    name,
    (random: JsfRandom) => texts.plain(adapt(random), '')[0] ?? '',
  ]),
);

function adapt(random: JsfRandom): Random {
  return {
    next: () => random.next(),
    integer: (min, max) => random.int(min, max),
    pick: (list) => random.pick(list),
  };
}
