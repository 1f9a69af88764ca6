/** `system` follows the setting of the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'vouch-theme';

/** The chosen theme. Pages of one origin share it; a browser without storage follows the system. */
export function readTheme(): Theme {
  try {
    return themes.find((each) => each === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Applies a theme to the page: `base.css` reads `data-theme` of the root element. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Applies a theme, and stores it where the browser allows that. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // A page without storage keeps the theme until it is closed.
  }
}
