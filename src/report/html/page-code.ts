import { copyScript } from './client/copy-script.ts';
import { coverageScript } from './client/coverage-script.ts';
import { dataScript } from './client/data-script.ts';
import { exchangeScript } from './client/exchange-script.ts';
import { exchangesScript } from './client/exchanges-script.ts';
import { filterScript } from './client/filter-script.ts';
import { findingScript } from './client/finding-script.ts';
import { findingsScript } from './client/findings-script.ts';
import { keysScript } from './client/keys-script.ts';
import { mainScript } from './client/main-script.ts';
import { observedScript } from './client/observed-script.ts';
import { operationsScript } from './client/operations-script.ts';
import { pageScript } from './client/page-script.ts';
import { startScript } from './client/start-script.ts';
import { textScript } from './client/text-script.ts';
import { themeScript } from './client/theme-script.ts';
import { timingScript } from './client/timing-script.ts';

const parts = [
  textScript,
  pageScript,
  copyScript,
  dataScript,
  filterScript,
  exchangeScript,
  findingScript,
  findingsScript,
  exchangesScript,
  operationsScript,
  coverageScript,
  timingScript,
  observedScript,
  themeScript,
  mainScript,
  keysScript,
  startScript,
];

/**
 * The one script of the page: its parts in the order in which they need each other, in a scope of
 * their own.
 */
export const pageCode = `(() => {\n'use strict';\n${parts.join('')}})();\n`;
