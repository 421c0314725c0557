/**
 * The tables of a snapshot's catalogue: one description from which the builder packs them, the writer stores them and the
 * reader opens them. A column holds numbers only: of a text, of a row of another table, or plain.
 *
 * - `text`, `texts`: one text or none; a list of texts
 * - `integer`, `integers`, `float`
 * - `polyline`: number of a polyline (catalogue/polylines.ts), 0 none
 * - `one:<table>`, `many:<table>`: rows of another table, given by id, kept by index
 */
export const TABLES = {
  authority: { id: 'text', name: 'text', url: 'text', phone: 'text', language: 'text', timeZone: 'text' },
  operator: { id: 'text', name: 'text', url: 'text', phone: 'text' },
  notice: { id: 'text', text: 'text', publicCode: 'text' },
  tariffZone: { id: 'text', name: 'text' },
  groupOfLines: { id: 'text', name: 'text', shortName: 'text', description: 'text', privateCode: 'text' },
  stopPlace: {
    id: 'text',
    name: 'text',
    description: 'text',
    latitude: 'float',
    longitude: 'float',
    parent: 'one:stopPlace',
    modes: 'integers',
    submodes: 'texts',
    interchangePriority: 'text',
    timeZone: 'text',
    accessibility: 'integer',
    tariffZones: 'many:tariffZone',
    locality: 'text',
    county: 'text',
  },
  quay: {
    id: 'text',
    name: 'text',
    publicCode: 'text',
    description: 'text',
    latitude: 'float',
    longitude: 'float',
    stopPlace: 'one:stopPlace',
    accessibility: 'integer',
    tariffZones: 'many:tariffZone',
    /** Ring around the area. */
    area: 'polyline',
  },
  line: {
    id: 'text',
    name: 'text',
    publicCode: 'text',
    privateCode: 'text',
    description: 'text',
    url: 'text',
    mode: 'integer',
    submode: 'text',
    authority: 'one:authority',
    operator: 'one:operator',
    groups: 'many:groupOfLines',
    colour: 'text',
    textColour: 'text',
    /** JSON: few lines have one, and many share it. */
    branding: 'text',
    flexibleLineType: 'text',
    /** JSON. */
    booking: 'text',
    notices: 'many:notice',
  },
  journeyPattern: {
    id: 'text',
    name: 'text',
    line: 'one:line',
    direction: 'integer',
    notices: 'many:notice',
  },
  /** Stops of patterns, pattern after pattern; `journeyPattern.stopsStart` has the first row of each. */
  patternStop: {
    quay: 'one:quay',
    flags: 'integer',
    frontText: 'text',
    vias: 'texts',
    booking: 'text',
    notices: 'many:notice',
    /** Path to the next stop; without one, the straight line. */
    path: 'polyline',
    /** Published length of the path; −1 if none is published and the path must be measured. */
    pathCentimetres: 'integer',
  },
  serviceJourney: {
    id: 'text',
    privateCode: 'text',
    publicCode: 'text',
    pattern: 'one:journeyPattern',
    mode: 'integer',
    submode: 'text',
    operator: 'one:operator',
    accessibility: 'integer',
    booking: 'text',
    notices: 'many:notice',
  },
  /**
   * Notices of single passing times, journey after journey; `serviceJourney.callNoticesStart` has the first row of
   * each.
   */
  callNotice: { position: 'integer', notice: 'one:notice' },
  datedServiceJourney: {
    id: 'text',
    journey: 'one:serviceJourney',
    day: 'integer',
    alteration: 'integer',
    replaces: 'many:datedServiceJourney',
  },
  interchange: {
    id: 'text',
    fromJourney: 'one:serviceJourney',
    fromPosition: 'integer',
    toJourney: 'one:serviceJourney',
    toPosition: 'integer',
    flags: 'integer',
    priority: 'integer',
    /** −1: not stated. */
    maximumWaitSeconds: 'integer',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

export type TableName = keyof typeof TABLES;
export type Schema<Name extends TableName> = (typeof TABLES)[Name];
export type ColumnKind =
  | 'text'
  | 'texts'
  | 'integer'
  | 'integers'
  | 'float'
  | 'polyline'
  | `one:${string}`
  | `many:${string}`;

/** Bits of `patternStop.flags`; the first two are those of Transit. */
export const REQUEST_STOP = 4;

/** Values stored as their index in these lists. */
export const ACCESSIBILITIES = ['noInformation', 'possible', 'notPossible'] as const;
export const DIRECTIONS = ['unknown', 'inbound', 'outbound', 'clockwise', 'anticlockwise'] as const;
export const ALTERATIONS = [undefined, 'planned', 'cancellation', 'extraJourney', 'replaced'] as const;
export const PRIORITIES = [undefined, 'preferred', 'recommended', 'allowed', 'notAllowed'] as const;

/** Bits of `interchange.flags`. */
export const INTERCHANGE_STAY_SEATED = 1;
export const INTERCHANGE_GUARANTEED = 2;
