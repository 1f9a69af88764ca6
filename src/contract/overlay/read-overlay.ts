import { VouchError } from '../../errors.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type FaultAt, faultsIn, type Locator } from '../locate.ts';

/** One change: an Action Object (Overlay 1.1.0, section 4.4.3). */
export interface OverlayAction {
  readonly pointer: Pointer;
  /** An RFC 9535 JSONPath query. */
  readonly target: string;
  readonly change:
    | { readonly kind: 'update'; readonly value: JsonValue }
    | { readonly kind: 'copy'; readonly from: string }
    | { readonly kind: 'remove' };
}

/** An OpenAPI Overlay, with the text that it was read from. */
export interface Overlay {
  /** The name that places show. */
  readonly file: string;
  /** `1.0`, `1.1`. */
  readonly version: string;
  /** A URI reference of the document that the Overlay is for. */
  readonly extends?: string;
  readonly actions: readonly OverlayAction[];
  readonly locator: Locator;
}

/**
 * Reads an Overlay (OpenAPI Overlay 1.0 and 1.1) from its parsed text. Throws a VouchError
 * (`overlay-invalid`) with the place of the first error.
 */
export function readOverlay(file: string, value: JsonValue, locator: Locator): Overlay {
  const fault = (pointer: Pointer, message: string, hint?: string): VouchError =>
    overlayFault({ file, locator }, pointer, message, hint);
  if (!isJsonObject(value) || typeof value['overlay'] !== 'string')
    // It may be any file that a configuration names: its lines are not shown.
    throw new VouchError('overlay-invalid', `${file} is not an Overlay.`, {
      hint: 'An Overlay begins with `overlay: 1.0.0`.',
    });
  const version = /^(1\.[01])\.\d+$/.exec(value['overlay'])?.[1];
  if (version === undefined)
    throw fault(
      '/overlay',
      `The Overlay version ${value['overlay']} is not supported.`,
      'Write 1.0.0 or 1.1.0.',
    );
  const { actions, extends: target } = value;
  if (!isJsonArray(actions) || actions.length === 0)
    throw fault('/actions', 'The Overlay has no list of actions.', 'Add at least one action.');
  return {
    file,
    version,
    ...(typeof target === 'string' ? { extends: target } : {}),
    actions: actions.map((action, index) =>
      readAction(action, joinPointer('/actions', index), fault),
    ),
    locator,
  };
}

function readAction(action: JsonValue, pointer: Pointer, fault: FaultAt): OverlayAction {
  if (!isJsonObject(action)) throw fault(pointer, 'An action is an object.');
  const { target } = action;
  if (typeof target !== 'string')
    throw fault(
      pointer,
      'The action has no target.',
      "Name the place with a JSONPath: target: $.paths['/items'].get",
    );
  return { pointer, target, change: readChange(action, pointer, fault) };
}

/** `remove` has priority; `update` and `copy` exclude each other (Overlay 1.1.0, 4.4.3.1). */
function readChange(action: JsonObject, pointer: Pointer, fault: FaultAt): OverlayAction['change'] {
  const { remove, update, copy } = action;
  if (remove !== undefined && typeof remove !== 'boolean')
    throw fault(joinPointer(pointer, 'remove'), '`remove` is true or false.');
  if (remove === true) return { kind: 'remove' };
  if (update !== undefined && copy !== undefined)
    throw fault(pointer, 'The action has both `update` and `copy`.', 'Write two actions.');
  if (update !== undefined) return { kind: 'update', value: update };
  if (typeof copy === 'string') return { kind: 'copy', from: copy };
  throw fault(pointer, 'The action changes nothing: it has no `update`, `copy` or `remove: true`.');
}

/** An error of an Overlay with its place and the lines around it. */
export function overlayFault(
  { locator }: Pick<Overlay, 'file' | 'locator'>,
  pointer: Pointer,
  message: string,
  hint?: string,
): VouchError {
  return faultsIn(locator, 'overlay-invalid')(pointer, message, hint);
}
