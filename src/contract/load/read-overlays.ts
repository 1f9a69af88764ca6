import { basename, dirname, relative, resolve } from 'node:path';
import { VouchError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { type Locator, makeLocator } from '../locate.ts';
import type { DocumentFault } from '../model.ts';
import { applyOverlays } from '../overlay/apply-overlays.ts';
import { type Overlay, readOverlay } from '../overlay/read-overlay.ts';
import { readDocument } from './read-document.ts';
import type { MainDocument } from './gather-documents.ts';

export interface DocumentWithOverlays {
  readonly value: JsonValue;
  readonly locator: Locator;
  /** The absolute paths of the Overlays. */
  readonly overlays: readonly string[];
  readonly overlayFaults: readonly DocumentFault[];
}

/**
 * Reads Overlays and applies them in order. Throws a VouchError with the place for a file that is
 * no Overlay, and for an action that cannot be applied.
 */
export async function withOverlays(
  { file, path, text, value, repaired }: Omit<MainDocument, 'url' | 'headers'>,
  files: readonly string[],
): Promise<DocumentWithOverlays> {
  const read = await Promise.all(files.map(readOne));
  const overlays = read.map((each) => each.overlay);
  const own = makeLocator(file, text, repaired?.text);
  const applied = applyOverlays(value, own, overlays);
  const strangers = read.flatMap((each) => madeForAnother(each, path));
  return {
    value: applied.value,
    locator: applied.locator,
    overlays: read.map((each) => each.path),
    overlayFaults: [...strangers, ...applied.faults],
  };
}

interface ReadOverlay {
  readonly path: string;
  readonly overlay: Overlay;
}

async function readOne(named: string): Promise<ReadOverlay> {
  const file = relative(process.cwd(), resolve(named)) || named;
  const { path, text, value, repaired } = await readDocument(named, file).catch((error: unknown) =>
    explain(file, error),
  );
  return { path, overlay: readOverlay(file, value, makeLocator(file, text, repaired?.text)) };
}

function explain(file: string, error: unknown): never {
  if (!(error instanceof VouchError) || error.code !== 'contract-missing') throw error;
  throw new VouchError('overlay-invalid', `There is no file ${file}.`, {
    cause: error,
    hint: 'Check the path after --overlay, or under overlays in the configuration.',
  });
}

/** A warning if `extends` names a local file that is not the document. */
function madeForAnother({ path, overlay }: ReadOverlay, document: string): DocumentFault[] {
  const { extends: target, locator } = overlay;
  if (target === undefined || /^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
  if (resolve(dirname(path), target) === document) return [];
  return [
    {
      pointer: '',
      rule: 'vouch/overlay-target',
      severity: 'warning',
      message: `The Overlay is for ${target}, and is applied to ${basename(document)}.`,
      place: locator.locate('/extends'),
      frame: locator.frame('/extends'),
    },
  ];
}
