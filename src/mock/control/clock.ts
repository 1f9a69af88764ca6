/**
 * The clock of a mock: the given one, a fixed time, or an offset in milliseconds from the given
 * one.
 */
export type ClockSetting =
  | { readonly kind: 'given' }
  | { readonly kind: 'fixed'; readonly at: Date }
  | { readonly kind: 'offset'; readonly milliseconds: number };

/**
 * The current time of the mock, which can be changed while it runs. `now` can be passed on alone.
 */
export class Clock {
  readonly #given: () => Date;
  #setting: ClockSetting = { kind: 'given' };

  constructor(given: () => Date) {
    this.#given = given;
  }

  readonly now = (): Date => {
    const setting = this.#setting;
    if (setting.kind === 'given') return this.#given();
    if (setting.kind === 'fixed') return new Date(setting.at);
    return new Date(this.#given().getTime() + setting.milliseconds);
  };

  get setting(): ClockSetting {
    return this.#setting;
  }

  /** Stops the clock. Returns false without a change for a year before 0 or after 9999. */
  fix(at: Date): boolean {
    return this.#set({ kind: 'fixed', at: new Date(at) }, at);
  }

  /**
   * Sets an offset in milliseconds from the given clock. Returns false without a change if the year
   * leaves 0 to 9999.
   */
  shift(milliseconds: number): boolean {
    return this.#set(
      { kind: 'offset', milliseconds },
      new Date(this.#given().getTime() + milliseconds),
    );
  }

  /** Advances the clock. Returns false without a change if the year leaves 0 to 9999. */
  advance(milliseconds: number): boolean {
    const setting = this.#setting;
    if (setting.kind === 'fixed') return this.fix(new Date(setting.at.getTime() + milliseconds));
    return this.shift((setting.kind === 'offset' ? setting.milliseconds : 0) + milliseconds);
  }

  /** Restores the given clock. */
  reset(): void {
    this.#setting = { kind: 'given' };
  }

  #set(setting: ClockSetting, present: Date): boolean {
    if (!isWritable(present)) return false;
    this.#setting = setting;
    return true;
  }
}

const first = Date.parse('0000-01-01T00:00:00Z');
const end = Date.UTC(10_000, 0);

/** Whether a time can be written in RFC 3339, with a year of four digits. */
function isWritable(moment: Date): boolean {
  return moment.getTime() >= first && moment.getTime() < end;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Parses a date (`2030-12-06`, at midnight UTC) or a timestamp with its time zone. Undefined if it
 * is invalid, such as 30 February.
 */
export function parseClock(text: string): Date | undefined {
  if (!day.test(text) && !moment.test(text)) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return undefined;
  // JavaScript reads 30 February as 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10))
    ? date
    : undefined;
}

const iso = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const short =
  /^([+-])?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/i;
const factors = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/**
 * Parses a duration into milliseconds: ISO 8601 (`P1D`, `-PT2H30M`) or short (`1d`, `2h30m`,
 * `500ms`). Undefined if it is invalid; months and years are too, because their length varies.
 */
export function parseDuration(text: string): number | undefined {
  const match = iso.exec(text) ?? short.exec(text);
  const parts = match?.slice(2) ?? [];
  if (match === null || parts.every((part) => part === undefined) || /T$/i.test(text))
    return undefined;
  const milliseconds = parts.reduce(
    (sum, part, index) => sum + Number(part ?? 0) * (factors[index] ?? 0),
    0,
  );
  if (!Number.isFinite(milliseconds)) return undefined;
  return match[1] === '-' ? -milliseconds : milliseconds;
}
