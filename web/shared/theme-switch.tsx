import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { chooseTheme, readTheme, type Theme, themes } from './elements.tsx';
import { Icon } from './icons.tsx';

const themeTitles: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

/** Chooses the colors: light, dark, or those of the system. */
export function ThemeSwitch(): VNode {
  const [, draw] = useState<Theme>();
  // The palette changes it too.
  const theme = readTheme();
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    draw(chosen);
  };
  return (
    <div class="theme" role="group" aria-label="Theme">
      {themes.map((each) => (
        <button
          type="button"
          title={themeTitles[each]}
          aria-label={themeTitles[each]}
          aria-pressed={each === theme}
          onClick={() => choose(each)}
        >
          <Icon name={each} />
        </button>
      ))}
    </div>
  );
}
