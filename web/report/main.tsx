import { applyTheme, readTheme } from '../shared/elements.tsx';
import { unpackText } from './body.ts';

const packedType = 'application/x-deflate';
const missing =
  'This browser cannot unpack the report: it has no DecompressionStream for deflate-raw. ' +
  'Use Chrome or Edge 103, Firefox 113, Safari 16.4, or a later version.';
const cutShort = 'This report was cut short: the run that wrote it did not end.';

/** Unpacks the blocks of data that the selector matches, in place. */
async function unpackBlocks(selector: string): Promise<void> {
  const blocks = document.querySelectorAll<HTMLScriptElement>(
    `script${selector}[type="${packedType}"]`,
  );
  await Promise.all(
    [...blocks].map(async (block) => {
      block.textContent = await unpackText(block.textContent);
      block.type = 'application/json';
    }),
  );
}

/** Why the report cannot be read; undefined if it can. */
function findObstacle(): string | undefined {
  if (document.getElementById('end') === null) return cutShort;
  try {
    void new DecompressionStream('deflate-raw');
    return undefined;
  } catch {
    return missing;
  }
}

/**
 * Shows the page as soon as the end of the run is unpacked, which has the findings; the rows of the
 * exchanges follow.
 */
async function start(): Promise<void> {
  // Before the data is unpacked, so that the page does not flash in another color.
  applyTheme(readTheme());
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    const wait = document.getElementById('wait');
    if (wait !== null) wait.textContent = obstacle;
    return;
  }
  await unpackBlocks('#end');
  const { showPage, startPage } = await import('./page.tsx');
  startPage();
  await unpackBlocks('[data-rows]');
  showPage();
}

void start();
