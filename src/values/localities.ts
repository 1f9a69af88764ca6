import type { Random } from './random.ts';

/** A city with what goes with it. */
export interface Locality {
  readonly city: string;
  readonly region: string;
  readonly zip: string;
  /** An IANA time zone. */
  readonly zone: string;
  readonly country: Country;
}

/** A country by its name and codes (ISO 3166-1), its currency (ISO 4217) and language (ISO 639). */
interface Country {
  readonly name: string;
  readonly code: string;
  readonly code3: string;
  readonly currency: string;
  readonly currencyName: string;
  readonly symbol: string;
  readonly language: string;
  /**
   * The start of phone numbers (E.164) that its regulator keeps for fiction, and how many digits
   * follow.
   */
  readonly phone: readonly [start: string, digits: number];
}

const euro = { currency: 'EUR', currencyName: 'Euro', symbol: '€' };

const germany: Country = {
  ...euro,
  name: 'Germany',
  code: 'DE',
  code3: 'DEU',
  language: 'de',
  phone: ['+493023125', 3],
};
const france: Country = {
  ...euro,
  name: 'France',
  code: 'FR',
  code3: 'FRA',
  language: 'fr',
  phone: ['+3319900', 4],
};
const ireland: Country = {
  ...euro,
  name: 'Ireland',
  code: 'IE',
  code3: 'IRL',
  language: 'en',
  phone: ['+35320910', 4],
};
const sweden: Country = {
  name: 'Sweden',
  code: 'SE',
  code3: 'SWE',
  currency: 'SEK',
  currencyName: 'Swedish krona',
  symbol: 'kr',
  language: 'sv',
  phone: ['+468465004', 2],
};
const britain: Country = {
  name: 'United Kingdom',
  code: 'GB',
  code3: 'GBR',
  currency: 'GBP',
  currencyName: 'Pound sterling',
  symbol: '£',
  language: 'en',
  phone: ['+442079460', 3],
};
const america: Country = {
  name: 'United States',
  code: 'US',
  code3: 'USA',
  currency: 'USD',
  currencyName: 'US dollar',
  symbol: '$',
  language: 'en',
  phone: ['+120255501', 2],
};

const localities: readonly (readonly [
  city: string,
  region: string,
  zip: string,
  zone: string,
  country: Country,
])[] = [
  ['Berlin', 'Berlin', '10115', 'Europe/Berlin', germany],
  ['Munich', 'Bavaria', '80331', 'Europe/Berlin', germany],
  ['Bremen', 'Bremen', '28195', 'Europe/Berlin', germany],
  ['Lyon', 'Auvergne-Rhône-Alpes', '69002', 'Europe/Paris', france],
  ['Rennes', 'Brittany', '35000', 'Europe/Paris', france],
  ['Cork', 'Munster', 'T12 W8KP', 'Europe/Dublin', ireland],
  ['Galway', 'Connacht', 'H91 E2F3', 'Europe/Dublin', ireland],
  ['Uppsala', 'Uppsala County', '75310', 'Europe/Stockholm', sweden],
  ['Lund', 'Scania', '22221', 'Europe/Stockholm', sweden],
  ['Leeds', 'Yorkshire', 'LS1 4AP', 'Europe/London', britain],
  ['Bristol', 'Somerset', 'BS1 5TR', 'Europe/London', britain],
  ['Boston', 'Massachusetts', '02108', 'America/New_York', america],
  ['Denver', 'Colorado', '80202', 'America/Denver', america],
  ['Portland', 'Oregon', '97201', 'America/Los_Angeles', america],
];

/** The place of a seed: all fields of one record are in the same one. */
export function localityOf(random: Random): Locality {
  const [city, region, zip, zone, country] = random.pick(localities);
  return { city, region, zip, zone, country };
}

/** A phone number of a country that reaches no one. */
export function phoneIn({ phone: [start, digits] }: Country, random: Random): string {
  return `${start}${String(random.integer(0, 10 ** digits - 1)).padStart(digits, '0')}`;
}
