import type { Finding } from '../../../check/model/finding.ts';
import type { ReplayResult } from '../../../check/replay/replay-findings.ts';
import { titleOf } from '../../../report/pretty/finding-block.ts';
import { countOf } from '../../../text/counts.ts';
import { cleanLine } from '../../../text/safe-text.ts';
import { makeTextStyle } from '../../../text/text-style.ts';
import { fitText } from '../../../text/wrap-text.ts';
import { fitLines, type Io, wantsColor } from '../../io.ts';

/** A bug that fails the run, and what its last replay showed. */
export interface WatchedBug {
  readonly finding: Finding;
  outcome: ReplayResult['outcome'];
  /** A sentence. */
  reason: string;
}

const signs = { fixed: '✓', 'still failing': '✗', 'cannot tell': '?' } as const;
const colors = { fixed: 'green', 'still failing': 'red', 'cannot tell': 'yellow' } as const;
/** What is drawn in place has to fit the height of the terminal. */
const mostBugs = 12;

/** Whether a watch takes keys, waits for the service, or makes a whole run. */
type Mood = 'ready' | 'waiting' | 'running';

/** Shows a watch on stderr: in place on a terminal, elsewhere as one line for each change. */
export class WatchPanel {
  readonly #io: Io;
  readonly #isTerminal: boolean;
  /** The lines that are drawn again in place. */
  #drawn = 0;

  constructor(io: Io) {
    this.#io = io;
    this.#isTerminal = io.isTTY.err && io.env['TERM'] !== 'dumb';
  }

  /** Draws the bugs and a last line in place of those before; nothing without a terminal. */
  draw(bugs: readonly WatchedBug[], state: string, mood: Mood = 'ready'): void {
    if (!this.#isTerminal) return;
    const { width } = this.#io;
    const style = makeTextStyle(wantsColor(this.#io, 'err'));
    const more = bugs.length - mostBugs;
    const lines = bugs.slice(0, mostBugs).flatMap(({ finding, outcome, reason }) => {
      const word = outcome === 'still failing' ? '' : `${outcome}  `;
      const title = fitText(`${signs[outcome]} ${word}${titleOf(finding)}`, width - 3);
      const why = style.dim(fitText(`    ${cleanLine(reason)}`, width - 1));
      return [`  ${style[colors[outcome]](title)}`, ...(outcome === 'cannot tell' ? [why] : [])];
    });
    if (more > 0) lines.push(style.dim(`  and ${countOf(more, 'more bug')}`));
    const last = fitText(`${state} · ${this.#keys(bugs, mood)}`, width - 1);
    this.#erase();
    this.#drawn = lines.push(mood === 'waiting' ? style.dim(last) : last);
    this.#io.err(`${lines.join('\n')}\n`);
  }

  /** Prints the new outcome of a bug; nothing on a terminal, where it is drawn. */
  change({ finding, outcome, reason }: WatchedBug): void {
    const why = outcome === 'cannot tell' ? ` (${cleanLine(reason)})` : '';
    this.note(`${signs[outcome]} ${outcome}: ${titleOf(finding)}${why}`);
  }

  /** Prints a line; nothing on a terminal, where the state is drawn. */
  note(text: string): void {
    if (!this.#isTerminal) this.say(text);
  }

  /** Prints a line that stays, above what is drawn next. */
  say(text: string): void {
    this.#erase();
    this.#io.err(fitLines(`${text}\n`, this.#io, 'err'));
  }

  /** Leaves what is drawn where it is. */
  keep(): void {
    this.#drawn = 0;
  }

  #keys(bugs: readonly WatchedBug[], mood: Mood): string {
    if (this.#io.keyboard === undefined) return 'Ctrl-C quits';
    if (mood !== 'ready') return 'q quits';
    return `a runs all again · ${bugs.length > 0 ? 'f only the failing ones · ' : ''}q quits`;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#io.err(`\u001b[${String(this.#drawn)}A\u001b[0J`);
    this.#drawn = 0;
  }
}
