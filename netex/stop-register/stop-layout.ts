/**
 * Layout of a stop register in its block: the columns of an element and the sections of the block. Builder and reader
 * share it. A change needs a new format number, so that stored registers are rebuilt from their archives.
 */
export const REGISTER_FORMAT = 2;

/** Texts of an element, by column. */
export const TEXT = {
  id: 0,
  version: 1,
  name: 2,
  language: 3,
  description: 4,
  mode: 5,
  submode: 6,
  parent: 7,
  publicCode: 8,
  privateCode: 9,
  placeType: 10,
  topographicPlace: 11,
  owner: 12,
  scoping: 13,
} as const;
export const TEXTS_PER_ELEMENT = 14;

/** Small numbers of an element, by column; each is an index into the list of its kind. */
export const BYTE = { kind: 0, flags: 1, weighting: 2, wheelchair: 3, stepFree: 4 } as const;
export const BYTES_PER_ELEMENT = 5;
export const FLAG_MULTIMODAL_PARENT = 1;

/** Indexed from 1; 0 means unknown. */
export const WEIGHTINGS = [
  'noInterchange',
  'interchangeAllowed',
  'recommendedInterchange',
  'preferredInterchange',
] as const;
export const LIMITATION_STATUSES = ['true', 'false', 'partial', 'unknown'] as const;

/** Degrees are kept as whole numbers of 10⁻⁷, about a centimetre. */
export const UNITS_PER_DEGREE = 10_000_000;
export const NO_POSITION = -0x80000000;
export const NO_BEARING = -1;
export const BEARING_UNITS_PER_DEGREE = 10;

/** Columns of a transfer; absent numbers are -1. */
export const TRANSFER = {
  element: 0,
  from: 1,
  to: 2,
  bothWays: 3,
  distanceMetres: 4,
  defaultSeconds: 5,
  frequentTravellerSeconds: 6,
  occasionalTravellerSeconds: 7,
  mobilityRestrictedSeconds: 8,
} as const;
export const NUMBERS_PER_TRANSFER = 9;

/** An alternative name is three text numbers in a row: type, language, text. */
export const TEXTS_PER_NAME = 3;

/** Lists have two sections each: starts, values. */
export const SECTION = {
  textStarts: 0,
  textBytes: 1,
  slots: 2,
  bytes: 3,
  texts: 4,
  positions: 5,
  bearings: 6,
  validity: 7,
  transfers: 8,
  ringStarts: 9,
  ringPoints: 10,
  zones: 11,
  names: 13,
  members: 15,
  neighbours: 17,
  quays: 19,
  children: 21,
  stopsOfZone: 23,
  rings: 25,
} as const;
