/**
 * One table: the meaning of each element inside a stop or zone. Callers: SiteFrameReader, at each end tag inside one.
 */

import { parseInstantMs } from '../model/calendar-instant.ts';
import { parseDuration } from '../model/clock-time.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { StopDraft } from './stop-draft.ts';
import {
  BEARING_UNITS_PER_DEGREE,
  BYTE,
  FLAG_MULTIMODAL_PARENT,
  LIMITATION_STATUSES,
  NO_POSITION,
  NUMBERS_PER_TRANSFER,
  TEXT,
  TRANSFER,
  UNITS_PER_DEGREE,
  WEIGHTINGS,
} from './stop-layout.ts';
import type { StopRegisterBuilder } from './stop-register-builder.ts';

/** Limit of metres and seconds: a larger value is no walking path, and would not fit. */
const LARGEST = 1_000_000_000;

interface Fact {
  readonly element: OpenElement;
  readonly draft: StopDraft;
  readonly builder: StopRegisterBuilder;
  readonly language: string | undefined;
}

type FactReader = (fact: Fact) => void;

/** `language`: of names without their own. */
export function readFact(
  element: OpenElement,
  draft: StopDraft,
  builder: StopRegisterBuilder,
  language: string | undefined,
): void {
  const isDirect = element.depth === draft.depth + 1;
  const name = element.name;
  if (isDirect && name.endsWith('Submode')) setText({ element, draft, builder, language }, TEXT.submode);
  else (isDirect ? DIRECT.get(name) : DEEPER.get(name))?.({ element, draft, builder, language });
}

function setText({ element, draft, builder }: Fact, column: number): void {
  const text = element.text.trim();
  // Older exports add a submode "unknown" of another mode to the true one.
  if (text !== '' && !(column === TEXT.submode && text === 'unknown')) draft.texts[column] = builder.texts.add(text);
}

const text =
  (column: number): FactReader =>
  (fact) =>
    setText(fact, column);

const reference =
  (column: number): FactReader =>
  ({ element, draft, builder }) => {
    draft.texts[column] = builder.texts.add(element.attributes.ref);
  };

const byte =
  (column: number, values: readonly string[]): FactReader =>
  ({ element, draft }) => {
    draft.bytes[column] = values.indexOf(element.text.trim()) + 1;
  };

const named: FactReader = (fact) => {
  const { element, draft, builder, language } = fact;
  setText(fact, TEXT.name);
  draft.texts[TEXT.language] = builder.texts.add(element.attributes.lang ?? language);
};

function transferOf(draft: StopDraft): Int32Array {
  if (!draft.transfer) {
    draft.transfer = new Int32Array(NUMBERS_PER_TRANSFER).fill(-1);
    draft.transfer[TRANSFER.element] = draft.revision;
    draft.transfer[TRANSFER.bothWays] = 1;
  }
  return draft.transfer;
}

/** Not a plain object: names may be anything, even `constructor`. */
function readersByName(readers: Readonly<Record<string, FactReader>>): ReadonlyMap<string, FactReader> {
  return new Map(Object.entries(readers));
}

const isTransfer = ({ parent }: OpenElement): boolean =>
  parent?.name === 'PathLink' || parent?.name === 'SiteConnection';

/** Children of the element itself. */
const DIRECT = readersByName({
  Name: named,
  Description: text(TEXT.description),
  TransportMode: text(TEXT.mode),
  ParentSiteRef: reference(TEXT.parent),
  PublicCode: text(TEXT.publicCode),
  PrivateCode: text(TEXT.privateCode),
  StopPlaceType: text(TEXT.placeType),
  TopographicPlaceType: text(TEXT.placeType),
  TopographicPlaceRef: reference(TEXT.topographicPlace),
  ParentTopographicPlaceRef: reference(TEXT.parent),
  CountryRef: reference(TEXT.owner),
  AuthorityRef: reference(TEXT.owner),
  ScopingMethod: text(TEXT.scoping),
  Weighting: byte(BYTE.weighting, WEIGHTINGS),
  CompassBearing({ element, draft }) {
    const degrees = Number(element.text);
    if (degrees >= 0 && degrees <= 360) draft.bearing = Math.round(degrees * BEARING_UNITS_PER_DEGREE);
  },
  Distance({ element, draft }) {
    const metres = Number(element.text);
    if (isTransfer(element) && metres >= 0 && metres <= LARGEST)
      transferOf(draft)[TRANSFER.distanceMetres] = Math.round(metres);
  },
  BothWays({ element, draft }) {
    if (isTransfer(element)) transferOf(draft)[TRANSFER.bothWays] = isTrue(element.text) ? 1 : 0;
  },
  AllowedUse({ element, draft }) {
    if (!isTransfer(element)) return;
    const use = element.text.trim();
    transferOf(draft)[TRANSFER.bothWays] = use.startsWith('oneWay') ? 0 : 1;
    draft.isOneWayReverse = use === 'oneWayReverse';
  },
});

const isTrue = (written: string): boolean => written.trim() === 'true' || written.trim() === '1';

const inAccessibility = (column: number): FactReader => {
  const read = byte(column, LIMITATION_STATUSES);
  return (fact) => {
    const limitation = fact.element.parent;
    if (limitation?.name !== 'AccessibilityLimitation' || fact.element.depth !== fact.draft.depth + 4) return;
    read(fact);
  };
};

const coordinate =
  (axis: 'latitude' | 'longitude'): FactReader =>
  ({ element, draft }) => {
    if (!isCentroid(element, draft)) return;
    const units = unitsOf(element.text, axis === 'latitude' ? 90 : 180);
    if (units !== undefined) draft[axis] = units;
  };

/** Centroid/Location/Longitude. */
function isCentroid(element: OpenElement, draft: StopDraft): boolean {
  return (
    element.depth === draft.depth + 3 &&
    element.parent?.name === 'Location' &&
    element.parent.parent?.name === 'Centroid'
  );
}

function unitsOf(written: string, limitDegrees: number): number | undefined {
  const trimmed = written.trim();
  const degrees = Number(trimmed);
  if (trimmed === '' || !(Math.abs(degrees) <= limitDegrees)) return undefined;
  return Math.round(degrees * UNITS_PER_DEGREE);
}

const isOnEarth = (units: number): boolean => Math.abs(units) <= 180 * UNITS_PER_DEGREE;

const zone: FactReader = ({ element, draft, builder }) => {
  const { ref } = element.attributes;
  if (ref === undefined || element.depth !== draft.depth + 2) return;
  const list = element.parent?.name;
  if (list === 'tariffZones' || list === 'fareZones') builder.zones.add(draft.revision, builder.texts.add(ref));
  else inList({ element, draft, builder, language: undefined });
};

const inList: FactReader = ({ element, draft, builder }) => {
  const { ref } = element.attributes;
  if (ref === undefined || element.depth !== draft.depth + 2) return;
  const list = element.parent?.name;
  if (list === 'members') builder.members.add(draft.revision, builder.texts.add(ref));
  else if (list === 'neighbours') builder.neighbours.add(draft.revision, builder.texts.add(ref));
};

/** The most precise end of a transfer counts: a quay before its stop place. */
const transferEnd: FactReader = (fact) => {
  const { element, draft, builder } = fact;
  const end = element.parent?.name;
  if ((end !== 'From' && end !== 'To') || element.depth !== draft.depth + 2) {
    inList(fact);
    return;
  }
  const column = end === 'From' ? TRANSFER.from : TRANSFER.to;
  const transfer = transferOf(draft);
  if (element.name === 'StopPlaceRef' && transfer[column] !== -1) return;
  transfer[column] = builder.texts.add(element.attributes.ref);
};

/** WalkTransferDuration is the more exact of the two. */
const duration =
  (column: number): FactReader =>
  ({ element, draft }) => {
    const holder = element.parent?.name;
    if ((holder !== 'TransferDuration' && holder !== 'WalkTransferDuration') || element.depth !== draft.depth + 2)
      return;
    const seconds = parseDuration(element.text);
    if (seconds !== undefined && seconds >= 0 && seconds <= LARGEST) transferOf(draft)[column] = seconds;
  };

const validity =
  (side: 'validFromMs' | 'validToMs'): FactReader =>
  ({ element, draft }) => {
    const period = element.parent;
    if (period?.name !== 'ValidBetween') return;
    const isOwn = period.depth === draft.depth + 1;
    if (!isOwn && (period.depth !== draft.depth + 2 || period.parent?.name !== 'validityConditions')) return;
    const instantMs = parseInstantMs(element.text);
    if (instantMs !== undefined) draft[side] = instantMs;
  };

/** Facts at deeper levels. */
const DEEPER = readersByName({
  Latitude: coordinate('latitude'),
  Longitude: coordinate('longitude'),
  'gml:pos'({ element, draft }) {
    if (!isCentroid(element, draft)) return;
    const [latitude = '', longitude = ''] = element.text.trim().split(/\s+/);
    draft.latitude = unitsOf(latitude, 90) ?? NO_POSITION;
    draft.longitude = unitsOf(longitude, 180) ?? NO_POSITION;
  },
  'gml:posList': ({ element, draft, builder }) => {
    const ring = element.parent;
    if (ring?.name !== 'gml:LinearRing' || element.depth !== draft.depth + 4) return;
    const units = element.text
      .trim()
      .split(/\s+/)
      .map((degrees) => Math.round(Number(degrees) * UNITS_PER_DEGREE));
    if (units.length >= 6 && units.length % 2 === 0 && units.every(isOnEarth)) builder.addRing(draft, units);
  },
  FromDate: validity('validFromMs'),
  ToDate: validity('validToMs'),
  WheelchairAccess: inAccessibility(BYTE.wheelchair),
  StepFreeAccess: inAccessibility(BYTE.stepFree),
  TariffZoneRef: zone,
  FareZoneRef: zone,
  StopPlaceRef: transferEnd,
  QuayRef: transferEnd,
  PlaceRef: transferEnd,
  BoardingPositionRef: transferEnd,
  AccessSpaceRef: transferEnd,
  EntranceRef: inList,
  ScheduledStopPointRef: inList,
  FlexibleStopPlaceRef: inList,
  DefaultDuration: duration(TRANSFER.defaultSeconds),
  FrequentTravellerDuration: duration(TRANSFER.frequentTravellerSeconds),
  OccasionalTravellerDuration: duration(TRANSFER.occasionalTravellerSeconds),
  MobilityRestrictedTravellerDuration: duration(TRANSFER.mobilityRestrictedSeconds),
  Name(fact) {
    const { element, draft, builder, language } = fact;
    const holder = element.parent?.name;
    if (element.depth === draft.depth + 2 && holder === 'Descriptor') named(fact);
    else if (element.depth === draft.depth + 3 && holder === 'AlternativeName') {
      builder.names.add(draft.revision, draft.nameType);
      builder.names.add(draft.revision, builder.texts.add(element.attributes.lang ?? language));
      builder.names.add(draft.revision, builder.texts.add(element.text.trim()));
    }
  },
  NameType({ element, draft, builder }) {
    draft.nameType = builder.texts.add(element.text.trim());
  },
  Key({ element, draft }) {
    draft.key = element.depth === draft.depth + 3 ? element.text.trim() : '';
  },
  Value({ element, draft }) {
    if (element.depth !== draft.depth + 3 || draft.key !== 'IS_PARENT_STOP_PLACE') return;
    if (isTrue(element.text)) draft.bytes[BYTE.flags] = FLAG_MULTIMODAL_PARENT;
  },
});
