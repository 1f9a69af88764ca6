import type { CheckOptions } from '../../src/check/engine/check-target.ts';
import { passwords } from '../servers/broker/store.ts';
import { key as catalogKey } from '../servers/catalog/store.ts';
import { tokens as catalogueTokens } from '../servers/catalogue/store.ts';
import { tokens as clinicTokens } from '../servers/clinic/store.ts';
import { key as depotKey } from '../servers/depots/store.ts';
import { tokens as crmTokens } from '../servers/crm/store.ts';
import { standing } from '../servers/desk/store.ts';
import { tokens as driveTokens } from '../servers/drive/store.ts';
import { tokens as flagsTokens } from '../servers/flags/store.ts';
import { accountIds, tokens as hoursTokens } from '../servers/hours/store.ts';
import { adminKey, tokens } from '../servers/invoices/account.ts';
import { tokens as ledgerTokens } from '../servers/ledger/store.ts';
import { keys as mailingKeys } from '../servers/mailing/store.ts';
import { key as newsroomKey } from '../servers/newsroom/store.ts';
import { key as ordersKey } from '../servers/orders/store.ts';
import { keys } from '../servers/rooms/office.ts';
import { tokens as shopTokens } from '../servers/shop/store.ts';
import { tokens as sheetsTokens } from '../servers/sheets/store.ts';
import { tokens as talkTokens } from '../servers/talk/store.ts';
import { tokens as trackerTokens } from '../servers/tracker/store.ts';
import { accounts } from '../servers/transit/store.ts';

const { nordbahn, hafenlinien } = accounts;

/** The users of each service; where there is a second one, what it must not see of the first. */
export const identities: Readonly<Record<string, NonNullable<CheckOptions['identities']>>> = {
  depots: { first: { tokens: { bearer: depotKey } } },
  talk: { first: { tokens: { token: talkTokens.U0ANA } } },
  orders: { first: { tokens: { apiKey: ordersKey } } },
  catalog: { first: { tokens: { bearer: catalogKey } } },
  desk: {
    first: { tokens: { cookie: standing.ines } },
    // Agents share all but their macros, of which each shows the others what it chooses to.
    second: {
      tokens: { cookie: standing.tomas },
      sees: {
        'nothing-of': 'first',
        except: ['tag:session', 'tag:tickets', 'tag:customers', 'tag:queues'],
      },
    },
  },
  catalogue: {
    first: { tokens: { bearer: catalogueTokens.nordtel } },
    // The catalogue is everybody's; an order is seen by the client that placed it.
    second: {
      tokens: { bearer: catalogueTokens.fjordnet },
      sees: {
        'nothing-of': 'first',
        except: ['GET', 'POST', 'PATCH', 'DELETE'].map(
          (method) => `${method} /tmf-api/productCatalogManagement/**`,
        ),
      },
    },
  },
  ledger: {
    first: { tokens: { AccessToken: ledgerTokens.north } },
    // Each company has its own accounts, of which some have the same numbers in all companies.
    second: {
      tokens: { AccessToken: ledgerTokens.east },
      sees: {
        'nothing-of': 'first',
        except: [
          ...['GET', 'POST'].map((method) => `${method} /v3/accounts`),
          ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v3/accounts/**`),
          'GET /v3/trialbalance',
        ],
      },
    },
  },
  broker: {
    first: { tokens: { basic: `ines:${passwords.ines}` } },
    second: {
      tokens: { basic: `tomas:${passwords.tomas}` },
      sees: { 'nothing-of': 'first' },
    },
  },
  clinic: {
    first: { tokens: { practice: clinicTokens.linden } },
    // Each practice chooses the ids of its practitioners: a PUT makes one of its own.
    second: {
      tokens: { practice: clinicTokens.hafen },
      sees: { 'nothing-of': 'first', except: ['PUT /fhir/Practitioner/**'] },
    },
  },
  transit: {
    first: { tokens: { apiKey: nordbahn.key, bearer: nordbahn.token } },
    // The network and the published messages are everybody's.
    second: {
      tokens: { apiKey: hafenlinien.key, bearer: hafenlinien.token },
      sees: { 'nothing-of': 'first', except: ['tag:network', 'tag:disruptions'] },
    },
  },
  tracker: {
    first: { tokens: { privateToken: trackerTokens.nora } },
    // A Guest of one project of the first user sees what is in it, and takes part in its issues.
    second: {
      tokens: { privateToken: trackerTokens.pavel },
      sees: {
        'nothing-of': 'first',
        except: [
          'listProjects',
          'getProject',
          'listMembers',
          'listLabels',
          'listMilestones',
          'getMilestone',
          'listIssues',
          'createIssue',
          'getIssue',
          'subscribeToIssue',
          'unsubscribeFromIssue',
          'listNotes',
          'createNote',
          'listIssueLinks',
        ],
      },
    },
  },
  mailing: {
    first: { tokens: { basic: `harbour:${mailingKeys.harbour}` } },
    second: {
      tokens: { basic: `tern:${mailingKeys.tern}` },
      sees: { 'nothing-of': 'first' },
    },
  },
  shop: {
    first: { tokens: { accessToken: shopTokens.fjord } },
    second: {
      tokens: { accessToken: shopTokens.dune },
      sees: { 'nothing-of': 'first' },
    },
  },
  sheets: {
    first: { tokens: { token: sheetsTokens.hanna } },
    // Reads one base of the first user, and has no permission on the others.
    second: {
      tokens: { token: sheetsTokens.milo },
      sees: {
        'nothing-of': 'first',
        except: [
          'listBases',
          'listTables',
          'listProjects',
          'queryProjects',
          'getProject',
          'listTasks',
          'queryTasks',
          'getTask',
          'listPeople',
          'listComments',
        ],
      },
    },
  },
  flags: {
    first: { tokens: { accessToken: flagsTokens.harbor } },
    second: {
      tokens: { accessToken: flagsTokens.quarry },
      sees: { 'nothing-of': 'first' },
    },
  },
  hours: {
    first: { tokens: { token: hoursTokens.nadia, account: accountIds.harbor } },
    second: {
      tokens: { token: hoursTokens.lena, account: accountIds.fell },
      sees: { 'nothing-of': 'first' },
    },
  },
  newsroom: { first: { tokens: { bearer: newsroomKey } } },
  invoices: {
    first: { tokens: { bearer: tokens.first, adminKey } },
    second: {
      tokens: { bearer: tokens.second, adminKey },
      sees: { 'nothing-of': 'first', except: ['tag:admin'] },
    },
  },
  rooms: {
    first: { tokens: { apiKey: keys.ines } },
    // Sites, rooms and bookings are shown to all users; a booking belongs to who made it.
    second: {
      tokens: { apiKey: keys.tomas },
      sees: {
        'nothing-of': 'first',
        except: ['tag:sites', 'tag:rooms', 'GET /bookings', 'GET /bookings/**'],
      },
    },
  },
  crm: {
    first: { tokens: { token: crmTokens.growth } },
    // Each portal has the pipelines and properties of the system, with the same names.
    second: {
      tokens: { token: crmTokens.northern },
      sees: {
        'nothing-of': 'first',
        except: ['GET /crm/v3/pipelines/**', 'GET /crm/v3/properties/**'],
      },
    },
  },
  // Each person has the same few paths.
  drive: { first: { tokens: { token: driveTokens.nadia } } },
};
