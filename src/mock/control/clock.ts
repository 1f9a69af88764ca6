/**
 * How a mock tells the time: as the clock that it was given, stopped at a moment, or so many
 * milliseconds away from that clock.
 */
export type ClockSetting =
  | { readonly kind: 'given' }
  | { readonly kind: 'fixed'; readonly at: Date }
  | { readonly kind: 'offset'; readonly milliseconds: number };

/** The mock's present, which can be moved while it runs. `now` can be handed on by itself. */
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

  /**
   * Stops the clock at a moment. False, and nothing changed, for a moment before the year 0 or
   * after 9999.
   */
  fix(at: Date): boolean {
    return this.#set({ kind: 'fixed', at: new Date(at) }, at);
  }

  /**
   * Runs so many milliseconds ahead of the given clock, or behind it. False, and nothing changed,
   * where that leaves the years 0 to 9999.
   */
  shift(milliseconds: number): boolean {
    return this.#set(
      { kind: 'offset', milliseconds },
      new Date(this.#given().getTime() + milliseconds),
    );
  }

  /**
   * Moves on from where the clock stands or runs. False, and nothing changed, where that leaves the
   * years 0 to 9999.
   */
  advance(milliseconds: number): boolean {
    const setting = this.#setting;
    if (setting.kind === 'fixed') return this.fix(new Date(setting.at.getTime() + milliseconds));
    return this.shift((setting.kind === 'offset' ? setting.milliseconds : 0) + milliseconds);
  }

  /** Back to the clock that the mock was given. */
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

/** Whether a moment can be written as RFC 3339 has it, with a year of four digits. */
function isWritable(moment: Date): boolean {
  return moment.getTime() >= first && moment.getTime() < end;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Reads a date (`2030-12-06`, from midnight UTC) or a timestamp with its zone. Undefined where it
 * is none, such as 30 February.
 */
export function parseClock(text: string): Date | undefined {
  if (!day.test(text) && !moment.test(text)) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return undefined;
  // JavaScript takes 30 February for 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10))
    ? date
    : undefined;
}

const iso = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const short =
  /^([+-])?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/i;
const factors = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/**
 * Reads a span of time in milliseconds: ISO 8601 (`P1D`, `-PT2H30M`) or short (`1d`, `2h30m`,
 * `500ms`). Undefined where it is none; months and years are none either, because they have no
 * length of their own.
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
