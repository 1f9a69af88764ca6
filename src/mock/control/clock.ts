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
