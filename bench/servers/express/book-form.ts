import type { IsPlanted } from '../defects.ts';

/** Thrown where something that a client sent breaks a rule. */
export class InvalidInput extends Error {}

type Fields = Record<string, unknown>;

/** One field of a form: what it must be, and what it becomes. */
abstract class Field {
  abstract read(value: unknown): unknown;

  protected demand(holds: boolean, rule: string): void {
    if (!holds) throw new InvalidInput(rule);
  }
}

class TextField extends Field {
  readonly #least: number;
  readonly #most: number;
  readonly #pattern: RegExp | undefined;

  constructor(least: number, most: number, pattern?: RegExp) {
    super();
    this.#least = least;
    this.#most = most;
    this.#pattern = pattern;
  }

  read(value: unknown): string {
    this.demand(typeof value === 'string' && value.isWellFormed(), 'must be text');
    const text = String(value);
    const length = Array.from(text).length;
    this.demand(
      length >= this.#least && length <= this.#most,
      `must have from ${String(this.#least)} to ${String(this.#most)} characters`,
    );
    this.demand(
      this.#pattern === undefined || this.#pattern.test(text),
      `must match ${String(this.#pattern)}`,
    );
    return text;
  }
}

class NumberField extends Field {
  readonly #least: number | bigint;
  readonly #most: number | bigint;
  readonly #whole: boolean;

  constructor(range: readonly [number | bigint, number | bigint], whole: boolean) {
    super();
    [this.#least, this.#most] = range;
    this.#whole = whole;
  }

  read(value: unknown): number | bigint {
    this.demand(
      typeof value === 'number' || (typeof value === 'bigint' && this.#whole),
      'must be a number',
    );
    const number = value as number | bigint;
    this.demand(
      !this.#whole || typeof number === 'bigint' || Number.isSafeInteger(number),
      'must be a whole number',
    );
    this.demand(
      number >= this.#least && number <= this.#most,
      `must be from ${String(this.#least)} to ${String(this.#most)}`,
    );
    return number;
  }
}

class ChoiceField extends Field {
  readonly #choices: readonly string[];

  constructor(choices: readonly string[]) {
    super();
    this.#choices = choices;
  }

  read(value: unknown): unknown {
    this.demand(
      this.#choices.includes(value as string),
      `must be one of ${this.#choices.join(', ')}`,
    );
    return value;
  }
}

class DayField extends Field {
  readonly #has: IsPlanted;

  constructor(has: IsPlanted) {
    super();
    this.#has = has;
  }

  read(value: unknown): unknown {
    if (value === null && !this.#has('null-refused')) return null;
    this.demand(typeof value === 'string', 'must be a date');
    const day = new Date(`${String(value)}T00:00:00Z`);
    const isDay =
      /^\d{4}-\d{2}-\d{2}$/.test(String(value)) &&
      !Number.isNaN(day.getTime()) &&
      day.toISOString().slice(0, 10) === value;
    this.demand(isDay || this.#has('date-not-checked'), 'must be a date');
    return value;
  }
}

class TagsField extends Field {
  readonly #tag = new TextField(1, 20);
  readonly #has: IsPlanted;

  constructor(has: IsPlanted) {
    super();
    this.#has = has;
  }

  read(value: unknown): unknown {
    this.demand(Array.isArray(value), 'must be a list');
    const tags = (value as unknown[]).map((tag) => this.#tag.read(tag));
    this.demand(tags.length <= 5 || this.#has('too-many-accepted'), 'must have at most 5 entries');
    this.demand(
      new Set(tags).size === tags.length || this.#has('repeats-accepted'),
      'must not have the same entry twice',
    );
    return tags;
  }
}

class AuthorField extends Field {
  readonly #has: IsPlanted;

  constructor(has: IsPlanted) {
    super();
    this.#has = has;
  }

  read(value: unknown): unknown {
    this.demand(isObject(value), 'must be an object');
    const {
      name = this.#has('nested-not-checked') ? 'Anonymous' : undefined,
      country,
      ...others
    } = value as Fields;
    this.demand(Object.keys(others).length === 0, `has no field ${Object.keys(others).join(', ')}`);
    const read = { name: new TextField(1, 80).read(name) };
    return country === undefined
      ? read
      : { ...read, country: new TextField(2, 2, /^[A-Z]{2}$/).read(country) };
  }
}

class AnyText extends Field {
  read(value: unknown): unknown {
    this.demand(typeof value === 'string', 'must be text');
    return value;
  }
}

/** What the service takes for a book, in a body. */
export class BookForm {
  readonly #has: IsPlanted;

  constructor(has: IsPlanted) {
    this.#has = has;
  }

  /**
   * The fields of a body that are to be stored. Throws InvalidInput, naming the field and the rule.
   */
  read(body: unknown, purpose: 'create' | 'replace' | 'update'): Fields {
    if (!isObject(body) && this.#has('array-body-is-500'))
      throw new TypeError('body.hasOwnProperty is not a function');
    if (!isObject(body)) throw new InvalidInput('The body must be an object.');
    const given = this.#soften({ ...body }, purpose);
    const fields = this.#fields(purpose);
    if (purpose !== 'update')
      for (const name of ['title', 'author', 'genre', 'pages'])
        if (!Object.hasOwn(given, name)) throw new InvalidInput(`${name} is required.`);
    if (
      purpose === 'update' &&
      Object.keys(given).length === 0 &&
      !this.#has('empty-update-accepted')
    )
      throw new InvalidInput('There is nothing to change.');
    const read: Fields = {};
    for (const [name, value] of Object.entries(given)) {
      const field = fields.get(name);
      if (field !== undefined) read[name] = readField(field, name, value);
      else if (!this.#has('extra-field-accepted'))
        throw new InvalidInput(`${name} is not a field of a book.`);
    }
    return read;
  }

  #soften(given: Fields, purpose: string): Fields {
    if (this.#has('quote-is-500') && String(given['title']).includes("'"))
      throw new Error(`near "s": syntax error`);
    if (this.#has('type-coerced') && /^\d+$/.test(String(given['pages'])))
      given['pages'] = Number(given['pages']);
    if (this.#has('null-accepted') && given['title'] === null)
      given['title'] = String(given['title']);
    if (this.#has('required-not-checked') && purpose === 'create') given['genre'] ??= 'fiction';
    return given;
  }

  #fields(purpose: string): ReadonlyMap<string, Field> {
    const has = this.#has;
    const loose = purpose === 'replace' && has('replace-not-checked');
    const int64 = 9_223_372_036_854_775_807n;
    const int32 = 2_147_483_647;
    const genres = ['fiction', 'history', 'science', 'poetry'].filter(
      (genre) => !(genre === 'poetry' && has('enum-value-refused')),
    );
    return new Map<string, Field>([
      [
        'title',
        new TextField(has('empty-not-checked') ? 0 : 1, has('length-not-checked') ? 1e6 : 120),
      ],
      ['author', new AuthorField(has)],
      ['genre', has('enum-not-checked') ? new AnyText() : new ChoiceField(genres)],
      [
        'pages',
        new NumberField(
          loose
            ? [-int32, int32]
            : [has('minimum-not-checked') ? 0 : 1, has('maximum-refused') ? 9_999 : 10_000],
          true,
        ),
      ],
      ['price', new NumberField(loose ? [-1e9, 1e9] : [0, 100_000], false)],
      [
        'isbn',
        new TextField(1, 200, has('pattern-not-anchored') ? /97[89]-\d{10}/ : /^97[89]-\d{10}$/),
      ],
      ['barcode', new NumberField([loose ? -int64 : 0, int64], true)],
      ['published', new DayField(has)],
      ['tags', new TagsField(has)],
    ]);
  }
}

function readField(field: Field, name: string, value: unknown): unknown {
  try {
    return field.read(value);
  } catch (error) {
    throw error instanceof InvalidInput ? new InvalidInput(`${name} ${error.message}.`) : error;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
