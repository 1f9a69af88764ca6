import type { Random } from './random.ts';

/** A city with what goes with it. */
export interface Locality {
  readonly city: string;
  readonly region: string;
  readonly zip: string;
  /** An IANA time zone. */
  readonly zone: string;
  readonly country: Country;
  /** In degrees (WGS 84). */
  readonly latitude: number;
  readonly longitude: number;
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

type Money = readonly [currency: string, currencyName: string, symbol: string];

const countryOf = (
  [name, code, code3, language]: readonly [string, string, string, string],
  [currency, currencyName, symbol]: Money,
  ...phone: Country['phone']
): Country => ({ name, code, code3, currency, currencyName, symbol, language, phone });

const euro: Money = ['EUR', 'Euro', '€'];
const krona: Money = ['SEK', 'Swedish krona', 'kr'];
const pound: Money = ['GBP', 'Pound sterling', '£'];
const dollar: Money = ['USD', 'US dollar', '$'];

const germany = countryOf(['Germany', 'DE', 'DEU', 'de'], euro, '+493023125', 3);
const france = countryOf(['France', 'FR', 'FRA', 'fr'], euro, '+3319900', 4);
const ireland = countryOf(['Ireland', 'IE', 'IRL', 'en'], euro, '+35320910', 4);
const sweden = countryOf(['Sweden', 'SE', 'SWE', 'sv'], krona, '+468465004', 2);
const britain = countryOf(['United Kingdom', 'GB', 'GBR', 'en'], pound, '+442079460', 3);
const america = countryOf(['United States', 'US', 'USA', 'en'], dollar, '+120255501', 2);

const localities: readonly (readonly [
  city: string,
  region: string,
  zip: string,
  zone: string,
  country: Country,
  latitude: number,
  longitude: number,
])[] = [
  ['Berlin', 'Berlin', '10115', 'Europe/Berlin', germany, 52.52, 13.405],
  ['Munich', 'Bavaria', '80331', 'Europe/Berlin', germany, 48.1372, 11.5755],
  ['Bremen', 'Bremen', '28195', 'Europe/Berlin', germany, 53.0793, 8.8017],
  ['Lyon', 'Auvergne-Rhône-Alpes', '69002', 'Europe/Paris', france, 45.764, 4.8357],
  ['Rennes', 'Brittany', '35000', 'Europe/Paris', france, 48.1113, -1.68],
  ['Cork', 'Munster', 'T12 W8KP', 'Europe/Dublin', ireland, 51.8985, -8.4756],
  ['Galway', 'Connacht', 'H91 E2F3', 'Europe/Dublin', ireland, 53.2743, -9.0491],
  ['Uppsala', 'Uppsala County', '75310', 'Europe/Stockholm', sweden, 59.8586, 17.6389],
  ['Lund', 'Scania', '22221', 'Europe/Stockholm', sweden, 55.7047, 13.191],
  ['Leeds', 'Yorkshire', 'LS1 4AP', 'Europe/London', britain, 53.8008, -1.5491],
  ['Bristol', 'Somerset', 'BS1 5TR', 'Europe/London', britain, 51.4545, -2.5879],
  ['Boston', 'Massachusetts', '02108', 'America/New_York', america, 42.3601, -71.0589],
  ['Denver', 'Colorado', '80202', 'America/Denver', america, 39.7392, -104.9903],
  ['Portland', 'Oregon', '97201', 'America/Los_Angeles', america, 45.5152, -122.6784],
];

/** The place of a seed: all fields of one record are in the same one. */
export function localityOf(random: Random): Locality {
  const [city, region, zip, zone, country, latitude, longitude] = random.pick(localities);
  return { city, region, zip, zone, country, latitude, longitude };
}

/** A point in the middle of a city: four decimal places, less than 500 m away. */
export function pointIn(degrees: number, random: Random): number {
  return Math.round(degrees * 10_000 + random.integer(-40, 40)) / 10_000;
}

/** A phone number of a country that reaches no one. */
export function phoneIn({ phone: [start, digits] }: Country, random: Random): string {
  return `${start}${String(random.integer(0, 10 ** digits - 1)).padStart(digits, '0')}`;
}
