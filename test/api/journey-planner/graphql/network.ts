/**
 * A small town for tests of the GraphQL endpoints, with one of everything that resolvers show. Tests use Monday
 * 2026-11-23; times are Europe/Oslo, one hour east of UTC.
 */

import type { TimetableBuilder } from '../../../../planner/index.ts';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../../planner/index.ts';
import type { ServiceDay } from '../../../../planner/model/indices.ts';

export const ZONE = 'Europe/Oslo';
/** 2026-11-23. */
export const MONDAY = (Date.UTC(2026, 10, 23) / 86_400_000) as ServiceDay;
/** 2026-11-23T07:00:00+01:00 */
export const SEVEN = MONDAY * 86_400 + 6 * 3_600;

const WEEK = [0, 1, 2, 3, 4].map((day) => (MONDAY + day) as ServiceDay);

export function openTown(): Timetable {
  const builder = createTimetableBuilder();
  addOrganisations(builder);
  addStops(builder);
  addLines(builder);
  addJourneys(builder);
  addDatedJourneys(builder);
  const { bytes } = builder.finish({ builtAt: SEVEN - 3_600 });
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return openTimetable(shared);
}

function addOrganisations(builder: TimetableBuilder): void {
  builder.addAuthority({
    id: 'TST:Authority:1',
    name: 'Town',
    url: 'https://town.test',
    phone: '123',
    language: 'no',
    timeZone: ZONE,
  });
  builder.addAuthority({ id: 'TST:Authority:2', name: 'Fjord', timeZone: ZONE });
  builder.addOperator({ id: 'TST:Operator:1', name: 'Town Buses', url: 'https://buses.test' });
  builder.addGroupOfLines({ id: 'TST:GroupOfLines:1', name: 'Town lines', shortName: 'Town' });
  builder.addNotice({ id: 'TST:Notice:1', text: 'Bring a coat', publicCode: 'a' });
  builder.addNotice({ id: 'TST:Notice:2', text: 'Waits for the ferry' });
  builder.addTariffZone({ id: 'TST:TariffZone:1', name: 'Centre' });
}

function addStops(builder: TimetableBuilder): void {
  const places = [
    { id: 'NSR:StopPlace:10', name: 'Harbour', modes: ['bus', 'water'] as const, latitude: 59.9, longitude: 10.7 },
    {
      id: 'NSR:StopPlace:11',
      name: 'Harbour buses',
      parentId: 'NSR:StopPlace:10',
      modes: ['bus'] as const,
      latitude: 59.9,
      longitude: 10.7,
    },
    {
      id: 'NSR:StopPlace:12',
      name: 'Harbour ferries',
      parentId: 'NSR:StopPlace:10',
      modes: ['water'] as const,
      latitude: 59.901,
      longitude: 10.701,
    },
    {
      id: 'NSR:StopPlace:20',
      name: 'Market',
      modes: ['bus'] as const,
      latitude: 59.91,
      longitude: 10.71,
      interchangePriority: 'preferred',
    },
    { id: 'NSR:StopPlace:30', name: 'School', modes: ['bus'] as const, latitude: 59.92, longitude: 10.72 },
    { id: 'NSR:StopPlace:40', name: 'Island', modes: ['water'] as const, latitude: 59.8, longitude: 10.6 },
    { id: 'NSR:StopPlace:50', name: 'Closed', modes: ['tram'] as const, latitude: 59.9105, longitude: 10.7105 },
  ];
  for (const place of places) {
    builder.addStopPlace({
      submodes: [],
      timeZone: ZONE,
      accessibility: 'possible',
      tariffZoneIds: ['TST:TariffZone:1'],
      ...place,
    });
  }
  const quays = [
    { id: 'NSR:Quay:11', stopPlaceId: 'NSR:StopPlace:11', publicCode: 'A', latitude: 59.9, longitude: 10.7 },
    { id: 'NSR:Quay:12', stopPlaceId: 'NSR:StopPlace:12', publicCode: 'F', latitude: 59.901, longitude: 10.701 },
    { id: 'NSR:Quay:20', stopPlaceId: 'NSR:StopPlace:20', publicCode: '1', latitude: 59.91, longitude: 10.71 },
    { id: 'NSR:Quay:21', stopPlaceId: 'NSR:StopPlace:20', publicCode: '2', latitude: 59.9101, longitude: 10.7101 },
    {
      id: 'NSR:Quay:30',
      stopPlaceId: 'NSR:StopPlace:30',
      latitude: 59.92,
      longitude: 10.72,
      accessibility: 'possible' as const,
    },
    { id: 'NSR:Quay:40', stopPlaceId: 'NSR:StopPlace:40', latitude: 59.8, longitude: 10.6 },
    { id: 'NSR:Quay:50', stopPlaceId: 'NSR:StopPlace:50', latitude: 59.9105, longitude: 10.7105 },
  ];
  for (const quay of quays) builder.addQuay(quay);
}

function addLines(builder: TimetableBuilder): void {
  builder.addLine({
    id: 'TST:Line:1',
    name: 'Harbour – School',
    publicCode: '1',
    mode: 'bus',
    submode: 'localBus',
    authorityId: 'TST:Authority:1',
    operatorId: 'TST:Operator:1',
    groupIds: ['TST:GroupOfLines:1'],
    colour: '00FF00',
    textColour: '000000',
    noticeIds: ['TST:Notice:1'],
  });
  builder.addLine({
    id: 'TST:Line:2',
    name: 'Trolley',
    publicCode: '2',
    mode: 'trolleybus',
    submode: 'hovercraftTrolley',
    authorityId: 'TST:Authority:1',
    operatorId: 'TST:Operator:1',
  });
  builder.addLine({
    id: 'TST:Line:3',
    name: 'Ferry',
    publicCode: 'F1',
    mode: 'water',
    submode: 'localPassengerFerry',
    authorityId: 'TST:Authority:2',
    flexibleLineType: 'fixed',
    booking: {
      methods: ['callOffice', 'online', 'carrierPigeon'],
      bookWhen: 'advanceOnly',
      latestBookingTime: '18:00:00',
      minimumBookingPeriod: 'PT2H',
      note: 'Call',
      contact: { contactPerson: undefined, email: 'a@b.test', phone: '555', url: undefined, furtherDetails: undefined },
    },
  });
  const stop = (quayId: string, more: object = {}) => ({ quayId, forBoarding: true, forAlighting: true, ...more });
  builder.addJourneyPattern({
    id: 'TST:JourneyPattern:1',
    name: 'Out',
    lineId: 'TST:Line:1',
    direction: 'outbound',
    stops: [
      stop('NSR:Quay:11', { frontText: 'School', vias: ['Market'], forAlighting: false }),
      stop('NSR:Quay:20', { requestStop: true, noticeIds: ['TST:Notice:2'] }),
      stop('NSR:Quay:30', { forBoarding: false }),
    ],
    noticeIds: ['TST:Notice:2'],
  });
  builder.addJourneyPattern({
    id: 'TST:JourneyPattern:2',
    lineId: 'TST:Line:2',
    stops: [stop('NSR:Quay:20'), stop('NSR:Quay:11')],
  });
  builder.addJourneyPattern({
    id: 'TST:JourneyPattern:3',
    lineId: 'TST:Line:3',
    stops: [stop('NSR:Quay:12'), stop('NSR:Quay:40')],
  });
}

const at = (hour: number, minute: number): number => hour * 3_600 + minute * 60;

function addJourneys(builder: TimetableBuilder): void {
  for (const hour of [8, 9, 10, 25]) {
    const times = [at(hour, 0), at(hour, 10), at(hour, 20)];
    builder.addServiceJourney({
      id: `TST:ServiceJourney:1-${hour}`,
      patternId: 'TST:JourneyPattern:1',
      privateCode: `P${hour}`,
      publicCode: `J${hour}`,
      accessibility: 'possible',
      noticeIds: ['TST:Notice:1'],
      callNoticeIds: new Map([[1, ['TST:Notice:1']]]),
      arrivals: times,
      departures: times,
      // A dated journey cancels the one at nine on Monday.
      days: hour === 9 ? WEEK.slice(1) : WEEK,
    });
  }
  builder.addServiceJourney({
    id: 'TST:ServiceJourney:2',
    patternId: 'TST:JourneyPattern:2',
    arrivals: [at(8, 5), at(8, 30)],
    departures: [at(8, 5), at(8, 30)],
    days: WEEK,
  });
  builder.addServiceJourney({
    id: 'TST:ServiceJourney:2b',
    patternId: 'TST:JourneyPattern:2',
    arrivals: [at(9, 5), at(9, 35)],
    departures: [at(9, 5), at(9, 35)],
    days: WEEK,
  });
  builder.addServiceJourney({
    id: 'TST:ServiceJourney:3',
    patternId: 'TST:JourneyPattern:3',
    arrivals: [at(8, 30), at(9, 0)],
    departures: [at(8, 40), at(9, 0)],
    days: WEEK,
  });
}

function addDatedJourneys(builder: TimetableBuilder): void {
  builder.addDatedServiceJourney({ id: 'TST:DatedServiceJourney:8', journeyId: 'TST:ServiceJourney:1-8', day: MONDAY });
  builder.addDatedServiceJourney({
    id: 'TST:DatedServiceJourney:9',
    journeyId: 'TST:ServiceJourney:1-9',
    day: MONDAY,
    alteration: 'replaced',
  });
  builder.addDatedServiceJourney({
    id: 'TST:DatedServiceJourney:9x',
    journeyId: 'TST:ServiceJourney:2b',
    day: MONDAY,
    alteration: 'extraJourney',
    replacesIds: ['TST:DatedServiceJourney:9'],
  });
  builder.addInterchange({
    id: 'TST:Interchange:1',
    fromJourneyId: 'TST:ServiceJourney:2',
    fromPosition: 1,
    toJourneyId: 'TST:ServiceJourney:3',
    toPosition: 0,
    guaranteed: true,
    staySeated: false,
    maximumWaitSeconds: 600,
  });
}
