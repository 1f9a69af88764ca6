import { coverageScript } from './client/coverage-script.ts';
import { dataScript } from './client/data-script.ts';
import { exchangeScript } from './client/exchange-script.ts';
import { exchangesScript } from './client/exchanges-script.ts';
import { findingsScript } from './client/findings-script.ts';
import { mainScript } from './client/main-script.ts';
import { observedScript } from './client/observed-script.ts';
import { operationsScript } from './client/operations-script.ts';
import { pageScript } from './client/page-script.ts';
import { textScript } from './client/text-script.ts';

const parts = [textScript, pageScript, dataScript, exchangeScript, findingsScript, operationsScript, coverageScript, exchangesScript, observedScript, mainScript];

/** The one script of the page: its parts in the order in which they need each other, in a scope of their own. */
export const pageCode = `(() => {\n'use strict';\n${parts.join('')}})();\n`;
