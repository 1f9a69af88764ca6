import type { Keyboard } from '../../keyboard/keyboard.ts';
import { mockKeys, type Desk, type KeyMode } from './mock-keys.ts';

/**
 * Acts on the keys that are pressed, one after the other, until it is told to stop. What a key
 * fails with is told, and ends nothing.
 */
export function takeKeys(
  keyboard: Keyboard,
  desk: Desk,
  onFault: (fault: unknown) => void,
): () => void {
  let mode: KeyMode | undefined;
  let before: Promise<void> = Promise.resolve();
  const act = async (key: string): Promise<void> => {
    const given = mode;
    mode = undefined;
    // Enter makes an empty line, as it does in every shell: people part with it what they have
    // seen.
    if (given === undefined && key === 'enter') return desk.say('\n');
    const next =
      given === undefined
        ? await mockKeys.find((known) => known.key === key.toLowerCase())?.press(desk)
        : given(key);
    mode = next ?? undefined;
  };
  return keyboard.listen((key) => {
    before = before.then(() => act(key)).catch(onFault);
  });
}
