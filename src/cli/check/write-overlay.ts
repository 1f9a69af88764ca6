import { formatOverlay, OverlayMaker } from '../../check/overlay/make-overlay.ts';
import type { Contract } from '../../contract/model.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './read-reporters.ts';

/**
 * Writes the Overlay of a run when it is over; where the contract says all that was seen, people
 * are told, and no file is written.
 */
export function writeOverlay(io: Io, contract: Contract, file: string): RunningReporter {
  const maker = new OverlayMaker(contract);
  // It is opened now: a file that cannot be written is known before the first request.
  const writer = io.openFile(file);
  return {
    take: (event) => maker.take(event),
    async finish() {
      const overlay = maker.make();
      const { length } = overlay.actions;
      if (length === 0) {
        writer.discard();
        io.err('Nothing was seen that the contract leaves out: no Overlay is written.\n');
        return;
      }
      writer.write(formatOverlay(overlay));
      writer.finish();
      io.err(
        `${file} documents what was seen in ${String(length)} ${length === 1 ? 'place' : 'places'} of the contract. Read it before you apply it: a deployment may be wrong.\n`,
      );
    },
    discard: () => writer.discard(),
  };
}
