import { openService } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { defectNames } from './defects.ts';
import { pricesOf } from './prices.ts';
import type {
  Disruption,
  Journey,
  Line,
  Order,
  Service,
  Stop,
  Subscription,
  Trip,
} from './store.ts';
import { variantNames } from './variants.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Names in three languages, latitude, longitude, zone and whether there are no steps. */
const stops = [
  ['1001', 'Bahnhof SBB', 'Central Station', 'Gare CFF', 47.5476, 7.5896, 'A', true],
  [
    '1002',
    'Barfüsserplatz',
    'Barfüsser Square',
    'Place des Cordeliers',
    47.5546,
    7.5881,
    'A',
    true,
  ],
  ['1003', 'Marktplatz', 'Market Square', 'Place du Marché', 47.5582, 7.5876, 'A', true],
  ['1004', 'Schifflände', 'Boat Landing', 'Débarcadère', 47.5607, 7.5885, 'A', false],
  ['1005', 'Claraplatz', 'Clara Square', 'Place Claire', 47.5622, 7.5943, 'A', true],
  ['1006', 'Messeplatz', 'Exhibition Square', 'Place de la Foire', 47.5641, 7.5993, 'A', true],
  ['1007', 'Badischer Bahnhof', 'Baden Station', 'Gare badoise', 47.5674, 7.6071, 'A', true],
  ['1008', 'Wettsteinplatz', 'Wettstein Square', 'Place Wettstein', 47.5571, 7.6003, 'A', true],
  ['1009', 'Kunstmuseum', 'Museum of Art', "Musée d'art", 47.5543, 7.5948, 'A', true],
  ['1010', 'Aeschenplatz', 'Aeschen Square', "Place d'Aeschen", 47.5512, 7.5961, 'A', true],
  ['1011', 'Zoo Dorenbach', 'Zoo', 'Jardin zoologique', 47.5431, 7.5768, 'B', false],
  [
    '1012',
    'Universitätsspital',
    'University Hospital',
    'Hôpital universitaire',
    47.5626,
    7.5822,
    'A',
    true,
  ],
  ['1013', 'Voltaplatz', 'Volta Square', 'Place Volta', 47.5699, 7.5754, 'B', true],
  ['1014', 'Kleinhüningen', 'Little Huningue', 'Petit-Huningue', 47.5829, 7.5929, 'B', false],
  [
    '1015',
    'Dreiländereck',
    'Three Countries Corner',
    'Coin des Trois Frontières',
    47.5892,
    7.5899,
    'B',
    false,
  ],
  ['1016', 'Muttenz Bahnhof', 'Muttenz Station', 'Gare de Muttenz', 47.5334, 7.6479, 'C', true],
  ['1017', 'Pratteln Bahnhof', 'Pratteln Station', 'Gare de Pratteln', 47.5223, 7.6907, 'C', true],
  ['1018', 'Liestal Bahnhof', 'Liestal Station', 'Gare de Liestal', 47.4844, 7.7313, 'D', true],
  ['1019', 'Sissach Bahnhof', 'Sissach Station', 'Gare de Sissach', 47.4633, 7.8113, 'E', false],
  ['1020', 'Flughafen', 'Airport', 'Aéroport', 47.5996, 7.5315, 'F', true],
  ['1021', 'Riehen Dorf', 'Riehen Village', 'Riehen Village', 47.5846, 7.6492, 'C', true],
  [
    '1022',
    'Lörrach Hbf',
    'Lörrach Main Station',
    'Gare principale de Lörrach',
    47.6139,
    7.6638,
    'D',
    true,
  ],
  [
    '1023',
    'Birsfelden Hafen',
    'Birsfelden Port',
    'Port de Birsfelden',
    47.5553,
    7.6375,
    'C',
    false,
  ],
  ['1024', 'Augst', 'Augst', 'Augst', 47.5354, 7.7163, 'D', false],
] as const;

const lines = [
  ['S1', 'Basel – Sissach', 'rail', 'nordbahn', '#c8102e', '1007 1001 1016 1017 1018 1019'],
  ['S3', 'Basel – Liestal', 'rail', 'nordbahn', '#0057b8', '1001 1016 1017 1018'],
  ['S6', 'Basel – Lörrach', 'rail', 'nordbahn', '#00843d', '1001 1007 1021 1022'],
  ['2', 'Bahnhof SBB – Messeplatz', 'tram', 'nordbahn', '#9b7653', '1001 1010 1009 1008 1006 1007'],
  ['6', 'Zoo – Riehen', 'tram', 'nordbahn', '#0084c9', '1011 1002 1003 1004 1005 1006 1021'],
  ['8', 'Zoo – Kleinhüningen', 'tram', 'hafenlinien', '#ef5ba1', '1011 1001 1002 1003 1005 1014'],
  ['30', 'Bahnhof SBB – Badischer Bahnhof', 'bus', 'hafenlinien', '#e4002b', '1001 1012 1005 1007'],
  ['50', 'Bahnhof SBB – Flughafen', 'bus', 'hafenlinien', '#7f35b2', '1001 1013 1020'],
  ['80', 'Aeschenplatz – Augst', 'bus', 'nordbahn', '#f6a800', '1010 1023 1017 1024'],
  ['F1', 'Hafenrundfahrt', 'ferry', 'hafenlinien', '#00b5e2', '1004 1014 1015'],
  ['F2', 'Rheinfelderfahrt', 'ferry', 'hafenlinien', '#1d4f91', '1004 1023 1024'],
] as const;

/** Hours from now, the share of minutes late, and seats, of the four trips of each line. */
const runs = [
  [-2, 0, 60],
  [4, 3, 48],
  [21, 0, 9],
  [56, 0, 120],
] as const;

function addTrips(service: Service, now: number): void {
  const start = now - (now % (5 * minute));
  for (const [place, line] of [...service.lines.values()].entries())
    for (const [index, [hours, delayMinutes, seats]] of runs.entries()) {
      const id = `trip_${line.code}_${String(index + 1)}`;
      const adult = 380 + line.stopIds.length * 145 + place * 5;
      const trip: Trip = {
        id,
        line,
        status: (place + index) % 9 === 4 ? 'cancelled' : 'scheduled',
        delayMinutes: delayMinutes * (place % 3),
        start: start + hours * hour + place * 7 * minute,
        seats: place === 8 && index === 2 ? 4 : seats,
        prices: { adult, child: Math.floor(adult / 2), bicycle: 350 },
      };
      service.trips.set(id, trip);
    }
}

const texts = [
  ['S1', 'Replacement buses Muttenz – Pratteln', 'construction', 'major'],
  ['S1', 'Shorter trains on weekday evenings', 'technical', 'info'],
  ['S3', 'Platform change in Liestal', 'construction', 'minor'],
  ['S6', 'No service after a rockfall', 'accident', 'severe'],
  ['2', 'Diversion for the city run', 'event', 'minor'],
  ['6', 'Delays by black ice', 'weather', 'major'],
  ['80', 'Stop Augst moved by 80 metres', 'construction', 'info'],
  ['8', 'Museum Night: trams until 3', 'event', 'info'],
  ['30', 'Lift out of order at Claraplatz', 'technical', 'minor'],
  ['50', 'Strike at the airport', 'strike', 'severe'],
  ['F1', 'High water: no landing', 'weather', 'severe'],
  ['F2', 'Winter timetable', 'other', 'info'],
] as const;

function addDisruptions(service: Service, now: number): void {
  const states = ['published', 'published', 'draft', 'published', 'withdrawn'] as const;
  for (const [index, [code, title, cause, severity]] of [...texts, ...texts].entries()) {
    const line = service.lines.get(`line_${code}`);
    if (line === undefined) continue;
    const status = states[index % states.length] ?? 'draft';
    const validFrom = now + (index - 14) * 9 * hour;
    const created = now - (40 - index) * 5 * hour;
    const disruption: Disruption = {
      id: `dis_${String(101 + index)}`,
      status,
      operatorId: line.operatorId,
      severity,
      cause,
      title: index < texts.length ? title : `${title} (again)`,
      text: index % 3 === 0 ? null : `${title}. Please allow for more time.`,
      lineIds: [line.id],
      stopIds: line.stopIds.slice(0, index % 3),
      validFrom,
      validUntil: index % 4 === 1 ? null : validFrom + (index + 2) * 6 * hour,
      published: status === 'draft' ? null : created + hour,
      withdrawn: status === 'withdrawn' ? created + 2 * hour : null,
      created,
      modified: created + 2 * hour,
    };
    service.disruptions.set(disruption.id, disruption);
  }
}

const owners = ['nordbahn', 'reisewelt', 'hafenlinien'] as const;
const trails = [
  ['To work', '1018 1001', '06:40', null],
  ['Home', '1001 1018', '17:15', 'The 17:21 is mostly full'],
  ['Airport run', '1007 1020 1001', '05:30', null],
  ['Saturday market', '1021 1003', '09:00', 'With the bicycle'],
  ['Zoo with the class', '1006 1011', '08:20', null],
  ['Evening class', '1012 1009', '18:45', null],
] as const;

function addJourneys(service: Service, now: number): void {
  const days = [['mon', 'tue', 'wed', 'thu', 'fri'], ['sat'], ['sat', 'sun'], ['mon', 'fri']];
  for (let index = 0; index < 14; index += 1) {
    const [name, path, departAfter, note] = trails[index % trails.length] ?? trails[0];
    const [from = '', to = '', ...via] = path.split(' ').map((id) => `stop_${id}`);
    const owner = owners[index % 3 === 2 ? 1 : index < 7 ? 0 : 2] ?? 'nordbahn';
    const created = now - (30 - index) * day;
    const journey: Journey = {
      id: `jrn_${String(201 + index)}`,
      owner,
      name: `${name} ${String(index + 1)}`,
      fromStopId: from,
      toStopId: to,
      viaStopIds: via,
      days: days[index % days.length] ?? ['mon'],
      departAfter,
      note,
      created,
      modified: created,
    };
    service.journeys.set(journey.id, journey);
  }
}

function addSubscriptions(service: Service, now: number): void {
  const states = ['active', 'pending', 'paused', 'active', 'locked'] as const;
  for (const [index, journey] of [...service.journeys.values()].entries()) {
    const status = states[index % states.length] ?? 'pending';
    const isHook = index % 4 === 3;
    const created = now - (20 - index) * day;
    const subscription: Subscription = {
      id: `sub_${String(301 + index)}`,
      owner: journey.owner,
      journeyId: index % 3 === 0 ? null : journey.id,
      lineId: index % 3 === 0 ? `line_${lines[index % lines.length]?.[0] ?? 'S1'}` : null,
      channel: isHook ? 'webhook' : 'email',
      destination: isHook
        ? `https://hooks.${journey.owner}.example/alerts/${String(index)}`
        : `alerts${String(index)}@${journey.owner}.example`,
      minSeverity: ['minor', 'major', 'info'][index % 3] ?? 'minor',
      secret: isHook ? `whsec-${journey.owner}-0123456789` : undefined,
      status,
      confirmed: status === 'active' || status === 'paused' ? created + minute : null,
      wrongCodes: status === 'locked' ? 3 : 0,
      created,
      modified: created + minute,
    };
    service.subscriptions.set(subscription.id, subscription);
  }
}

function addOrders(service: Service, now: number): void {
  const trips = [...service.trips.values()].filter(({ status }) => status === 'scheduled');
  for (let index = 0; index < 18; index += 1) {
    const trip = trips[(index * 5) % trips.length];
    if (trip === undefined) continue;
    const party = { adults: 1 + (index % 3), children: index % 4 === 2 ? 3 : 0 };
    const sent = { ...party, bicycles: index % 5 === 1 ? 1 : 0 };
    const isCancelled = index % 5 === 4;
    const created = now - (19 - index) * 3 * hour - 2 * day;
    const priceLines = pricesOf(trip.prices, sent);
    const total = priceLines.reduce((sum, { amount }) => sum + amount, 0);
    const order: Order = {
      id: `ord_${String(401 + index)}`,
      owner: owners[index % owners.length] ?? 'nordbahn',
      status: isCancelled ? 'cancelled' : 'booked',
      tripId: trip.id,
      ...sent,
      contactEmail: `traveller${String(index)}@${owners[index % owners.length] ?? 'x'}.example`,
      priceLines,
      refundAmount: isCancelled ? total : null,
      cancelled: isCancelled ? created + hour : null,
      created,
      modified: isCancelled ? created + hour : created,
    };
    service.orders.set(order.id, order);
  }
}

export function openTransit(how: Start): Service {
  const names = { defects: defectNames, variants: variantNames, uuids: 'ids-are-uuids' } as const;
  const opened = openService(names, how);
  const now = opened.now();
  const changed = now - (now % day) - 12 * day;
  const stopOf = ([number, de, en, fr, lat, lon, zone, stepFree]: (typeof stops)[number]): Stop => {
    const modified = changed - Number(number) * hour;
    return { id: `stop_${number}`, names: { de, en, fr }, lat, lon, zone, stepFree, modified };
  };
  const lineOf = ([code, name, mode, operatorId, color, path]: (typeof lines)[number]): Line => ({
    ...{ id: `line_${code}`, code, name, mode, operatorId, color },
    stopIds: path.split(' ').map((number) => `stop_${number}`),
    modified: changed,
  });
  const service: Service = {
    ...opened,
    stops: new Map(stops.map((row) => [`stop_${row[0]}`, stopOf(row)])),
    lines: new Map(lines.map((row) => [`line_${row[0]}`, lineOf(row)])),
    trips: new Map(),
    disruptions: new Map(),
    journeys: new Map(),
    subscriptions: new Map(),
    orders: new Map(),
    kept: new Map(),
    minutes: new Map(),
    requests: 0,
  };
  addTrips(service, now);
  addDisruptions(service, now);
  addJourneys(service, now);
  addSubscriptions(service, now);
  addOrders(service, now);
  return service;
}
