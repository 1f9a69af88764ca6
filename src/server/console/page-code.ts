import { apiScript } from './client/api-script.ts';
import { checkScript } from './client/check-script.ts';
import { exchangeScript } from './client/exchange-script.ts';
import { feedScript } from './client/feed-script.ts';
import { keepPlaceScript } from './client/keep-place-script.ts';
import { mainScript } from './client/main-script.ts';
import { oneRecordScript } from './client/one-record-script.ts';
import { pageScript } from './client/page-script.ts';
import { parentsScript } from './client/parents-script.ts';
import { recordDialogsScript } from './client/record-dialogs-script.ts';
import { scenariosScript } from './client/scenarios-script.ts';
import { stateScript } from './client/state-script.ts';
import { textScript } from './client/text-script.ts';
import { trafficScript } from './client/traffic-script.ts';
import { tryScript } from './client/try-script.ts';

const parts = [
  textScript,
  pageScript,
  apiScript,
  feedScript,
  trafficScript,
  exchangeScript,
  parentsScript,
  keepPlaceScript,
  recordDialogsScript,
  oneRecordScript,
  stateScript,
  scenariosScript,
  tryScript,
  checkScript,
  mainScript,
];

/**
 * The one script of the console: its parts in the order in which they need each other, in a scope
 * of their own.
 */
export const pageCode = `(() => {\n'use strict';\n${parts.join('')}})();\n`;
