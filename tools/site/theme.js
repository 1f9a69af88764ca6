// Before the page is shown: the colours that were chosen on an earlier page.
globalThis.themes = {
  /** `system`, `light` or `dark`; pages that are opened from the disk may have no storage. */
  get chosen() {
    try {
      return localStorage.getItem('vouch-theme') ?? 'system';
    } catch {
      return 'system';
    }
  },
  choose(theme) {
    try {
      localStorage.setItem('vouch-theme', theme);
    } catch {
      // It then holds for this page.
    }
    this.show(theme);
  },
  show(theme) {
    document.documentElement.dataset.theme = theme;
  },
};
globalThis.themes.show(globalThis.themes.chosen);
