import { isWholeIn, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  answerRead,
  fail,
  failParameter,
  isAny,
  isIn,
  iso,
  isoOrNull,
  parameter,
  placed,
  type Call,
} from './call.ts';
import { fieldsOf, momentOf, pageOf } from './lists.ts';
import {
  languages,
  modes,
  type Language,
  type Line,
  type Service,
  type Stop,
  type Trip,
} from './store.ts';

const stopFields = 'id name location zone modes lineIds stepFree distance modifiedAt'.split(' ');
const lineFields = 'id code name mode operatorId color stopIds modifiedAt'.split(' ');

/** The language that the client prefers, by the weights of Accept-Language. */
function preferred({ incoming, service }: Call): Language | undefined {
  const ranges = (incoming.headers['accept-language'] ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
    const name = tag === '*' ? 'de' : tag.split('-')[0];
    return { language: languages.find((each) => each === name), weight: Number(weight) };
  });
  const known = ranges.filter(({ language, weight }) => language !== undefined && weight > 0);
  const sorted = service.has('weights-ignored')
    ? known
    : known.toSorted((a, b) => b.weight - a.weight);
  return sorted[0]?.language;
}

function languageOf(call: Call): Language {
  const asked = parameter(call, 'lang', isIn(languages));
  const given = languages.find((each) => each === asked);
  const accepted = preferred(call);
  const isHeaderFirst = call.service.has('lang-loses-to-header');
  return (isHeaderFirst ? (accepted ?? given) : (given ?? accepted)) ?? 'de';
}

function linesAt({ lines, has }: Service, { id }: Stop): Line[] {
  const isShort = has('line-ends-know-no-line');
  return [...lines.values()].filter(({ stopIds }) =>
    (isShort ? stopIds.slice(0, -1) : stopIds).includes(id),
  );
}

function showStop(stop: Stop, { service }: Call, language: Language): Json {
  const served = linesAt(service, stop);
  const { id, lat, lon, zone, stepFree, modified } = stop;
  return {
    id,
    name: stop.names[language],
    location: service.has('coordinates-swapped') ? { lat: lon, lon: lat } : { lat, lon },
    zone,
    modes: modes.filter((mode) => served.some((line) => line.mode === mode)),
    lineIds: served.map((line) => line.id),
    stepFree,
    modifiedAt: iso(modified),
  };
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres between two places, on a sphere. */
function metres(from: Place, to: Place): number {
  const [a, b] = [radians(from.lat), radians(to.lat)];
  const half =
    Math.sin((b - a) / 2) ** 2 +
    Math.cos(a) * Math.cos(b) * Math.sin(radians(to.lon - from.lon) / 2) ** 2;
  return Math.round(2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(half))));
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}

const degrees = (value: string): number[] => value.split(',').map(Number);
const isNear = (value: string): boolean =>
  /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/.test(value) && arePlaces(degrees(value));
const isBox = (value: string): boolean => {
  const [west = 0, south = 0, east = 0, north = 0] = degrees(value);
  const isForm = /^(-?\d{1,3}(\.\d+)?,){3}-?\d{1,3}(\.\d+)?$/.test(value);
  return isForm && arePlaces([south, west]) && arePlaces([north, east]) && south <= north;
};
const arePlaces = ([lat = 0, lon = 0]: readonly number[]): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

/** Whether a stop is in the parameter bbox, which may cross the antimeridian. */
function boxOf(call: Call): (place: Place) => boolean {
  const given = parameter(call, 'bbox', isBox);
  if (given === undefined) return () => true;
  const [west = 0, south = 0, east = 0, north = 0] = degrees(given);
  if (call.service.has('bbox-latitude-first'))
    return ({ lat, lon }) => lat >= west && lat <= east && lon >= south && lon <= north;
  return ({ lat, lon }) =>
    lat >= south &&
    lat <= north &&
    (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east);
}

export function listStops(call: Call): Answer {
  const { service } = call;
  const language = languageOf(call);
  const q = parameter(call, 'q', (value) => value.length > 0 && [...value].length <= 80) ?? '';
  const mode = parameter(call, 'mode', isIn(modes));
  const near = parameter(call, 'near', isNear);
  const given = parameter(call, 'radius', isWholeIn(50, 20_000));
  const isInBox = boxOf(call);
  if (near !== undefined && call.incoming.query.has('bbox')) failParameter(call, 'bbox');
  if (near === undefined && given !== undefined) failParameter(call, 'radius');
  const select = fieldsOf(call, stopFields);
  const [lat = 0, lon = 0] = degrees(near ?? '');
  const radius = near === undefined ? Infinity : Number(given ?? 1000);
  const distanceOf = (stop: Stop): number => (near === undefined ? 0 : metres({ lat, lon }, stop));
  const records = [...service.stops.values()].filter(
    (stop) =>
      stop.names[language].toLowerCase().includes(q.toLowerCase()) &&
      (mode === undefined || linesAt(service, stop).some((line) => line.mode === mode)) &&
      isInBox(stop) &&
      distanceOf(stop) <= radius,
  );
  const show = (stop: Stop): Json => {
    const distance = near === undefined ? {} : { distance: distanceOf(stop) };
    return select({ ...showStop(stop, call, language), ...distance });
  };
  const keysOf = (stop: Stop) => [service.has('near-by-id') ? 0 : distanceOf(stop), stop.id];
  return pageOf(call, { records, keysOf, show, headers: languageHeaders(language) });
}

const languageHeaders = (language: Language) => ({
  'Content-Language': language,
  Vary: 'Accept-Language',
});

const publicHeaders = (modified: number) => ({
  'Last-Modified': new Date(modified).toUTCString(),
  'Cache-Control': 'public, max-age=300',
});

/** The record of the path. */
function find<T>(call: Call, records: ReadonlyMap<string, T>, name: string): T {
  const record = records.get(placed(call, name));
  return record ?? fail(call, 'missing', { message: 'There is no such record.' });
}

export function getStop(call: Call): Answer {
  const stop = find(call, call.service.stops, 'stopId');
  const language = languageOf(call);
  const shown = fieldsOf(call, stopFields)(showStop(stop, call, language));
  const headers = { ...publicHeaders(stop.modified), ...languageHeaders(language) };
  return answerRead(call, shown, { headers });
}

const showLine = ({ modified, ...line }: Line): Json => ({ ...line, modifiedAt: iso(modified) });

export function listLines(call: Call): Answer {
  const mode = parameter(call, 'mode', isIn(modes));
  const operatorId = parameter(call, 'operatorId', isAny);
  const stopId = parameter(call, 'stopId', isAny);
  const select = fieldsOf(call, lineFields);
  const records = [...call.service.lines.values()].filter(
    (line) =>
      (mode ?? line.mode) === line.mode &&
      (operatorId ?? line.operatorId) === line.operatorId &&
      (stopId === undefined || line.stopIds.includes(stopId)),
  );
  const show = (line: Line): Json => select(showLine(line));
  return pageOf(call, { records, keysOf: ({ code }) => [code], show });
}

export function getLine(call: Call): Answer {
  const line = find(call, call.service.lines, 'lineId');
  const shown = fieldsOf(call, lineFields)(showLine(line));
  return answerRead(call, shown, { headers: publicHeaders(line.modified) });
}

interface Stay {
  readonly stopId: string;
  readonly arrival: number | null;
  readonly departure: number | null;
}

/** Where a trip calls: four minutes from stop to stop, and one to stand. */
function callsOf({ line, start }: Trip): Stay[] {
  return line.stopIds.map((stopId, index) => {
    const departure = start + index * 300_000;
    const isLast = index === line.stopIds.length - 1;
    const arrival = index === 0 ? null : departure - 60_000;
    return { stopId, arrival, departure: isLast ? null : departure };
  });
}

const headsignOf = ({ stops }: Service, { line }: Trip): string =>
  stops.get(line.stopIds.at(-1) ?? '')?.names.de ?? line.name;

function seatsLeft({ orders }: Service, { id, seats }: Trip): number {
  return [...orders.values()]
    .filter(({ tripId, status }) => tripId === id && status === 'booked')
    .reduce((left, { adults, children }) => left - adults - children, seats);
}

/** Where orders that were cancelled keep their seats. */
function lostSeats({ orders, has }: Service, { id }: Trip): number {
  if (!has('seats-not-given-back')) return 0;
  return [...orders.values()]
    .filter(({ tripId, status }) => tripId === id && status === 'cancelled')
    .reduce((sum, { adults, children }) => sum + adults + children, 0);
}

export const freeSeats = (service: Service, trip: Trip): number =>
  Math.max(0, seatsLeft(service, trip) - lostSeats(service, trip));

export function getTrip(call: Call): Answer {
  const { service } = call;
  const trip = find(call, service.trips, 'tripId');
  const { id, line, status, delayMinutes, seats, prices } = trip;
  const calls = callsOf(trip).map(({ stopId, arrival, departure }) => ({
    stopId,
    arrival: isoOrNull(arrival),
    departure: isoOrNull(departure),
  }));
  const head = { id, lineId: line.id, headsign: headsignOf(service, trip), status, delayMinutes };
  const left = freeSeats(service, trip);
  const shown = { ...head, calls, seats, seatsLeft: left, prices, currency: 'EUR' };
  const isStale = service.has('trip-tag-stays');
  return answerRead(call, shown, isStale ? { tag: `"${id}-1"` } : {});
}

const day = 86_400_000;

export function listDepartures(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const stop = find(call, service.stops, 'stopId');
  const isZoneless = has('offset-ignored');
  const from = momentOf(call, 'from', isZoneless) ?? Date.now();
  const until = momentOf(call, 'until', isZoneless) ?? from + day;
  const lineId = parameter(call, 'lineId', isAny);
  const limit = Number(parameter(call, 'limit', isWholeIn(1, 200)) ?? 100);
  if (until <= from || until - from > 14 * day) failParameter(call, 'until');
  const moment = (time: number): string =>
    has('departure-times-local') ? iso(time).replace('Z', '') : iso(time);
  const data = [...service.trips.values()]
    .filter(({ line }) => (lineId ?? line.id) === line.id)
    .flatMap((trip) =>
      callsOf(trip)
        .filter(({ stopId }) => stopId === stop.id)
        .map(({ departure, arrival }) => ({
          trip,
          time: departure ?? (has('terminus-departs') ? arrival : null),
        })),
    )
    .flatMap(({ trip, time }) => (time === null ? [] : [{ trip, time }]))
    .filter(
      ({ time }) => time >= from && (time < until || (time === until && has('until-inclusive'))),
    )
    .toSorted((a, b) => a.time - b.time || (a.trip.id < b.trip.id ? -1 : 1))
    .slice(0, limit)
    .map(({ trip, time }) => {
      const isCancelled = trip.status === 'cancelled';
      const delayMinutes = isCancelled ? 0 : trip.delayMinutes;
      const late = has('expected-time-without-delay') ? 0 : delayMinutes * 60_000;
      return {
        tripId: trip.id,
        lineId: trip.line.id,
        headsign: headsignOf(service, trip),
        plannedTime: moment(time),
        expectedTime: isCancelled ? null : moment(time + late),
        delayMinutes,
        status: isCancelled ? 'cancelled' : delayMinutes > 0 ? 'delayed' : 'onTime',
        platform: trip.line.mode === 'rail' ? String(1 + (trip.start % 7)) : null,
      };
    });
  return { status: 200, json: { generatedAt: iso(Date.now()), stopId: stop.id, data } };
}
