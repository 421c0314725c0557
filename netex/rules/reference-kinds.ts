/**
 * The kinds of element that a reference may point to. By its name: XRef and DefaultXRef point to X; the table has the
 * others.
 */
import type { OpenElement } from '../xml/scan.ts';

const POINTS = ['ScheduledStopPoint', 'RoutePoint', 'TimingPoint'];
const JOURNEYS = ['ServiceJourney', 'DatedServiceJourney'];

/** Kinds in addition to the one in the name of the reference. */
const ALSO_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  RepresentedByGroupRef: ['Network', 'GroupOfLines'],
  InverseRouteRef: ['Route'],
  ProjectToPointRef: POINTS,
  ProjectedPointRef: POINTS,
  ToPointRef: POINTS,
  FromPointRef: POINTS,
  StartPointRef: POINTS,
  EndPointRef: POINTS,
  NoticedObjectRef: [
    'Line',
    'FlexibleLine',
    'ServiceJourney',
    'JourneyPattern',
    'ServiceJourneyPattern',
    'StopPointInJourneyPattern',
    'TimetabledPassingTime',
  ],
  ToJourneyRef: JOURNEYS,
  FromJourneyRef: JOURNEYS,
  VehicleJourneyRef: [...JOURNEYS, 'VehicleJourney', 'DeadRun'],
  JourneyPatternRef: ['ServiceJourneyPattern'],
  LineRef: ['FlexibleLine'],
  MainPartRef: ['JourneyPart'],
  FromStopPointRef: ['ScheduledStopPoint'],
  ToStopPointRef: ['ScheduledStopPoint'],
  FromOperatingDayRef: ['OperatingDay'],
  ToOperatingDayRef: ['OperatingDay'],
  OrganisationRef: ['Authority'],
  PlaceRef: ['StopPlace', 'Quay'],
  ParentSiteRef: ['StopPlace', 'Quay'],
  EquipmentRef: ['AccessVehicleEquipment'],
};

/** Allowed beginnings after the first colon, by name of the reference; filled as names occur. */
const openings = new Map<string, readonly string[]>();

function openingsOf(name: string): readonly string[] {
  let kinds = openings.get(name);
  if (!kinds) {
    const named = name.endsWith('Ref') ? [name.slice(0, -3)] : [];
    if (name.startsWith('Default')) named.push(...named.map((kind) => kind.slice('Default'.length)));
    kinds = [...named, ...(ALSO_ALLOWED[name] ?? [])].map((kind) => `${kind}:`);
    if (openings.size < 2000) openings.set(name, kinds);
  }
  return kinds;
}

/** Expects a well-formed reference. */
export function isOfReferredKind(name: string, ref: string): boolean {
  const typeStart = ref.indexOf(':') + 1;
  for (const opening of openingsOf(name)) if (ref.startsWith(opening, typeStart)) return true;
  return false;
}

/** Three parts, none empty. */
export function isWellFormedReference(ref: string): boolean {
  const first = ref.indexOf(':');
  const second = ref.indexOf(':', first + 1);
  return first > 0 && second > first + 1 && second < ref.length - 1 && !ref.includes(':', second + 1);
}

export function isWithin(element: OpenElement, name: string): boolean {
  for (let current = element.parent; current; current = current.parent) if (current.name === name) return true;
  return false;
}
