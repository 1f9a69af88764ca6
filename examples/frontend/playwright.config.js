// Debian's Chromium, or the one that VOUCH_BROWSER names; leave `executablePath` out for Playwright's own.
export default {
  testDir: 'e2e',
  workers: 1,
  reporter: 'line',
  use: {
    launchOptions: {
      executablePath: process.env.VOUCH_BROWSER ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
};
