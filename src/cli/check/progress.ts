import type { RunEvent } from '../../check/event.ts';
import type { Io } from '../io.ts';

/** Shows how far a run is, on one line of stderr that is wiped when the run ends. Silent where nobody watches, and in the first second. */
export function showProgress(io: Io): (event: RunEvent) => void {
  if (!io.isTTY.err) return () => {};
  const began = io.clock().getTime();
  let planned = 0;
  let sent = 0;
  let shown = false;
  return (event) => {
    if (event.type === 'plan-made') planned = event.requests;
    if (event.type === 'exchange-recorded') sent += 1;
    const over = event.type === 'run-finished';
    if (io.clock().getTime() - began < 1000 && !over) return;
    if (over) {
      if (shown) io.err('\r\u001b[2K');
      return;
    }
    shown = true;
    const share = Math.min(1, planned === 0 ? 0 : sent / planned);
    const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
    io.err(`\r\u001b[2K${bar} ${String(sent)} of about ${String(planned)} requests`);
  };
}
