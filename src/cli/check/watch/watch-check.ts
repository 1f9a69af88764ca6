import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckOptions } from '../../../check/engine/check-target.ts';
import { separate } from '../../../check/engine/judge/evidence.ts';
import { describeBroken } from '../../../check/engine/judge/verdict.ts';
import type { Finding } from '../../../check/model/finding.ts';
import type { Verdict } from '../../../check/model/run-summary.ts';
import { replayFindings, type ReplayResult } from '../../../check/replay/replay-findings.ts';
import {
  findSystemAddresses,
  guardLookup,
} from '../../../check/transport/wire/socket/open-socket.ts';
import { VouchError } from '../../../errors.ts';
import { hostOf } from '../../../http/host.ts';
import type { ChosenContract } from '../../../library/choose-contract.ts';
import { readVersion } from '../../../library/package-files.ts';
import { configFilesOf, FileWatcher } from '../../../library/watch/file-watcher.ts';
import { countOf } from '../../../text/counts.ts';
import { cleanLine } from '../../../text/safe-text.ts';
import { type Io, fitLines, wantsColor } from '../../io.ts';
import { printError } from '../../print-error.ts';
import { type CheckFlags, limitsOf } from '../check-flags.ts';
import type { RunningReporter } from '../run-reporters.ts';
import { titleOf } from '../../../report/pretty/finding-block.ts';
import { makeTextStyle } from '../../../text/text-style.ts';
import { fitText } from '../../../text/wrap-text.ts';

/** The contract, the configuration and the target of a run. */
export interface RunSource {
  readonly chosen: ChosenContract;
  readonly target: CheckOptions;
}

/** How a watch repeats the run of its command. */
export interface WatchedRun {
  /** Reads contract and configuration again. */
  read(io: Io): Promise<RunSource>;
  /** Makes a whole run, with one more reporter. */
  run(io: Io, source: RunSource, reporter: RunningReporter): Promise<Verdict>;
}

/** What to do next; each does what those before it do. */
const tasks = ['poll', 'replay', 'all'] as const;
type Task = (typeof tasks)[number];

const pollMs = 1_000;
/** The interval when nothing has changed for a long time. */
const idlePollMs = 10_000;
const idleAfterMs = 300_000;
/** The interval at which a service that does not answer is tried, and the time of each try. */
const retryMs = 300;
const connectMs = 3_000;

/**
 * Makes a whole run, replays the bugs that fail it until they are fixed, and makes a whole run
 * again. Ends with a stop signal or the key q, and returns the verdict of the last whole run.
 * Throws what the first run throws; errors of later ones are printed.
 */
export async function watchCheck(io: Io, flags: CheckFlags, again: WatchedRun): Promise<Verdict> {
  const check = new CheckWatch(io, flags, { again, source: await again.read(io) });
  return check.run().finally(() => check.close());
}

class CheckWatch {
  readonly #io: Io;
  readonly #flags: CheckFlags;
  readonly #again: WatchedRun;
  readonly #panel: WatchPanel;
  readonly #quit = new AbortController();
  readonly #stop: AbortSignal;
  readonly #files: FileWatcher;
  readonly #release: (() => void) | undefined;
  #source: RunSource;
  #verdict: Verdict = 'interrupted';
  #bugs: readonly WatchedBug[] = [];
  #next: Task = 'poll';
  /** Ends the pause or the replay that is under way. */
  #turn = new AbortController();
  #isWhole = false;
  /** Whether the document or the configuration was saved. */
  #isStale = false;
  #isDown = false;
  #changedAt = 0;
  #cursor = 0;
  /** The ids of the findings whose replay left records on the service. */
  readonly #leaving = new Set<string>();
  /** The ids of the fixed bugs that led to a whole run: they do not lead to one again. */
  #led = '';

  constructor(
    io: Io,
    flags: CheckFlags,
    { again, source }: { readonly again: WatchedRun; readonly source: RunSource },
  ) {
    this.#io = io;
    this.#flags = flags;
    this.#again = again;
    this.#source = source;
    this.#panel = new WatchPanel(io);
    this.#stop = AbortSignal.any([io.signal, this.#quit.signal]);
    this.#files = new FileWatcher({
      onChange: () => {
        this.#isStale = true;
        this.#ask('replay');
      },
    });
    this.#release = io.keyboard?.listen((key) => {
      if (key === 'q') this.#quit.abort();
      if (!this.#isWhole && (key === 'f' || key === 'enter')) this.#ask('replay');
      if (!this.#isWhole && key === 'a') this.#ask('all');
    });
  }

  close(): void {
    this.#release?.();
    this.#files.close();
  }

  async run(): Promise<Verdict> {
    await this.#follow();
    await this.#runAll();
    while (!this.#stop.aborted) {
      const task = await this.#wait();
      if (this.#stop.aborted) break;
      try {
        await this.#do(task);
      } catch (error) {
        this.#panel.keep();
        printError(error, this.#io);
        if (!(error instanceof VouchError)) return 'crashed';
      }
    }
    return this.#verdict;
  }

  /** Waits for a key, a saved file or the next poll. */
  async #wait(): Promise<Task> {
    this.#turn = new AbortController();
    const signal = AbortSignal.any([this.#turn.signal, this.#stop]);
    if (this.#next === 'poll' || this.#isDown)
      await sleep(this.#pauseMs(), undefined, { signal }).catch(() => {});
    this.#turn = new AbortController();
    const task = this.#next;
    this.#next = 'poll';
    return task;
  }

  #pauseMs(): number {
    if (this.#isDown) return retryMs;
    if (this.#bugs.length === 0) return retryMs;
    return performance.now() - this.#changedAt < idleAfterMs ? pollMs : idlePollMs;
  }

  async #do(task: Task): Promise<void> {
    const failing = this.#failing();
    // A service that was started anew may be another one.
    const next = task === 'poll' && failing.length === 0 ? 'all' : task;
    if (!(await this.#answers())) return this.#waitFor(next);
    if (this.#isDown) this.#panel.note(`${this.#name()} answers again.`);
    const isBack = this.#isDown;
    this.#isDown = false;
    const isRead = this.#isStale;
    if (isRead || task === 'all') await this.#reload();
    if (task === 'all' || (task === 'replay' && failing.length === 0)) return this.#runAll();
    await this.#replay(task === 'poll' && !isBack ? this.#inTurn() : failing);
    if (this.#stop.aborted || this.#isDown) return;
    const left = this.#failing();
    const fixed = this.#bugs.filter((bug) => !left.includes(bug));
    const led = fixed.map(({ finding }) => finding.id).join(' ');
    const isDue = isRead || (led !== '' && led !== this.#led);
    if (!isDue || left.some(({ outcome }) => outcome === 'still failing')) return this.#draw();
    this.#led = led;
    const now = `${left.length === 0 ? 'All fixed; r' : 'R'}unning everything again`;
    this.#panel.note(`${now}.`);
    this.#panel.draw(this.#bugs, now, 'running');
    await this.#reload();
    return this.#runAll(true);
  }

  /** Does the task when the service answers again. */
  #waitFor(task: Task): void {
    if (this.#stop.aborted) return;
    this.#ask(task);
    if (!this.#isDown) this.#panel.note(`Waiting for ${this.#name()} to answer.`);
    this.#isDown = true;
    this.#draw();
  }

  /** A fifth of the bugs, so that a poll is light; none of which records are left. */
  #inTurn(): readonly WatchedBug[] {
    const bugs = this.#bugs.filter(({ finding }) => !this.#leaving.has(finding.id));
    const from = this.#cursor >= bugs.length ? 0 : this.#cursor;
    this.#cursor = from + Math.ceil(bugs.length / 5);
    return bugs.slice(from, this.#cursor);
  }

  /** Replays bugs; if one of them has changed, the others follow at once. */
  async #replay(due: readonly WatchedBug[]): Promise<void> {
    const { signal } = this.#turn;
    for (const bug of due) {
      const { outcome, reason } = await this.#judge(bug.finding, signal);
      if (signal.aborted || this.#stop.aborted) return;
      // A service that is about to restart shows nothing.
      if (outcome === 'cannot tell' && !(await this.#answers())) return this.#waitFor('replay');
      const isNew = outcome !== bug.outcome;
      Object.assign(bug, { outcome, reason });
      if (!isNew) continue;
      this.#changedAt = performance.now();
      this.#panel.change(bug);
      this.#draw();
      if (this.#failing().some((other) => !due.includes(other))) this.#next = 'replay';
    }
  }

  /** A bug is fixed if what it was also seen as is fixed too. */
  async #judge(finding: Finding, turn: AbortSignal): Promise<Omit<ReplayResult, 'id'>> {
    const [first = finding, ...others] = separate(finding);
    const [own] = await this.#send([first], turn);
    if (own?.outcome !== 'fixed') return own ?? { outcome: 'cannot tell', reason: '' };
    const breaking = others.filter((other) => this.#breaks(other));
    const results = breaking.length === 0 ? [] : await this.#send(breaking, turn);
    return results.find(({ outcome }) => outcome === 'still failing') ?? own;
  }

  async #send(findings: readonly Finding[], turn: AbortSignal): Promise<readonly ReplayResult[]> {
    // Without a seed, each replay has its own: services that require unique texts accept it.
    const { seed: _seed, shard: _shard, budgetMs: _budget, ...options } = this.#options();
    const signal = AbortSignal.any([turn, this.#stop]);
    const replay = replayFindings(findings, { ...options, signal });
    const results: ReplayResult[] = [];
    for (;;) {
      const { done, value } = await replay.next();
      if (done !== true) results.push(value);
      if (done !== true) continue;
      for (const { record, operation, reason } of value) {
        const left = cleanLine(`The replay left ${record} of ${operation}: ${reason}.`);
        this.#panel.say(`${left} It is not repeated each second, so that no more are left.`);
      }
      if (value.length > 0) for (const { id } of findings) this.#leaving.add(id);
      return results;
    }
  }

  /** Makes a whole run. One that follows by itself shows its report only if it does not pass. */
  async #runAll(isByItself = false): Promise<void> {
    const found: Finding[] = [];
    const kept: string[] = [];
    const isKept = isByItself && this.#flags.reporter.length === 0;
    const out = isKept ? (text: string) => void kept.push(text) : this.#io.out;
    this.#panel.keep();
    this.#isWhole = true;
    const verdict = await this.#again
      .run({ ...this.#io, signal: this.#stop, out }, this.#source, {
        take: (event) => void (event.type === 'finding-reported' && found.push(event.finding)),
        finish: async () => {},
        discard: () => {},
      })
      .finally(() => (this.#isWhole = false));
    const warnings = found.filter(({ severity }) => severity === 'warning').length;
    const more = warnings === 0 ? '' : `, with ${countOf(warnings, 'warning')} (a shows them)`;
    if (isKept && verdict === 'passed') this.#panel.say(`All fixed; the whole run passed${more}.`);
    else this.#io.out(kept.join(''));
    if (verdict === 'interrupted') return;
    this.#verdict = verdict;
    const failing = found
      .filter((finding) => this.#breaks(finding))
      .map((finding): WatchedBug => ({ finding, outcome: 'still failing', reason: '' }));
    // What was fixed may break again.
    const ids = new Set(failing.map(({ finding }) => finding.id));
    const before = this.#bugs.filter((bug) => bug.outcome === 'fixed' && !ids.has(bug.finding.id));
    this.#bugs = [...failing, ...before];
    this.#changedAt = performance.now();
    if (verdict === 'inconclusive' && !(await this.#answers())) return this.#waitFor('all');
    const { length } = failing;
    this.#panel.note(length === 0 ? `${this.#idle()}.` : `Watching ${countOf(length, 'bug')}.`);
    this.#draw();
  }

  async #reload(): Promise<void> {
    this.#isStale = false;
    try {
      this.#source = await this.#again.read({ ...this.#io, err: () => {} });
      await this.#follow();
    } catch (error) {
      const file = error instanceof VouchError ? error.place?.file : undefined;
      await this.#follow(file === undefined ? [] : [resolve(file)]);
      throw error;
    }
  }

  async #follow(more: readonly string[] = []): Promise<void> {
    const { contract, config } = this.#source.chosen;
    const files = [...contract.files, ...configFilesOf(this.#flags.config, config), ...more];
    await this.#files.follow({ files, folders: [] });
  }

  #ask(task: Task): void {
    if (tasks.indexOf(task) > tasks.indexOf(this.#next)) this.#next = task;
    this.#changedAt = performance.now();
    this.#led = '';
    this.#turn.abort();
  }

  #options(): CheckOptions {
    const { target } = this.#source;
    const allow = [...(target.allow ?? []), ...this.#flags.allow];
    const { clock } = this.#io;
    return { ...target, ...limitsOf(this.#flags), allow, clock, version: readVersion() };
  }

  #failing(): readonly WatchedBug[] {
    return this.#bugs.filter(({ outcome }) => outcome !== 'fixed');
  }

  #breaks(finding: Finding): boolean {
    const { failOn = 'error' } = this.#options();
    return describeBroken({ findings: [finding], failOn }) !== undefined;
  }

  #draw(): void {
    if (this.#isDown)
      return this.#panel.draw(this.#bugs, `Waiting for ${this.#name()} to answer`, 'waiting');
    const [count, failing] = [this.#bugs.length, this.#failing().length];
    const state = `${String(count - failing)} of ${String(count)} fixed`;
    this.#panel.draw(this.#bugs, count === 0 ? this.#idle() : state);
  }

  #idle(): string {
    const why = this.#verdict === 'passed' ? 'Nothing fails' : `The run is ${this.#verdict}`;
    return `${why}; waiting for a save or a restart`;
  }

  #name(): string {
    return cleanLine(this.#source.target.url);
  }

  /** Whether the service takes a connection. Nothing is sent. */
  async #answers(): Promise<boolean> {
    const { url: base, proxy } = this.#options();
    if (proxy !== undefined) return true;
    const url = new URL(base);
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const lookup = guardLookup(findSystemAddresses);
    const socket = connect({ host: hostOf(url), port, lookup });
    const signal = AbortSignal.any([this.#stop, AbortSignal.timeout(connectMs)]);
    return once(socket, 'connect', { signal })
      .then(
        () => true,
        () => false,
      )
      .finally(() => socket.destroy());
  }
}

/** A bug that fails the run, and what its last replay showed. */
interface WatchedBug {
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
class WatchPanel {
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
