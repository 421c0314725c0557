import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../planner/index.ts';
import type { BookingArrangement } from '../../../planner/model/entities.ts';
import { createNetwork, serviceDay } from '../support/network.ts';

const DAY = serviceDay('2026-11-23');

const BOOKING: BookingArrangement = {
  methods: ['callOffice', 'online'],
  bookWhen: 'dayOfTravelOnly',
  latestBookingTime: '12:00:00',
  minimumBookingPeriod: undefined,
  note: 'Ring før kl. 12',
  contact: {
    contactPerson: undefined,
    email: 'a@b.no',
    phone: '+47 815 00 000',
    url: undefined,
    furtherDetails: undefined,
  },
};

const BRANDING = {
  id: 'T:Branding:1',
  name: 'Nattbuss',
  shortName: undefined,
  description: undefined,
  url: undefined,
  image: 'https://example.org/n.png',
};

const AREA = [
  [10.7, 59.9],
  [10.9, 59.9],
  [10.9, 60.1],
  [10.7, 59.9],
] as const;

function addEverything(to: TimetableBuilder): void {
  addOrganisations(to);
  addPlaces(to);
  to.addLine({
    id: 'T:Line:1',
    name: 'Sentrum – Nord',
    publicCode: '1',
    privateCode: '0001',
    description: 'Rød',
    url: 'https://example.org/1',
    mode: 'bus',
    submode: 'localBus',
    authorityId: 'T:Authority:1',
    operatorId: 'T:Operator:1',
    groupIds: ['T:GroupOfLines:1', 'T:GroupOfLines:unknown'],
    colour: 'E60000',
    textColour: 'FFFFFF',
    branding: BRANDING,
    flexibleLineType: 'flexibleAreasOnly',
    booking: BOOKING,
    noticeIds: ['T:Notice:1'],
  });
  to.addLine({ id: 'T:Line:2', mode: 'tram', authorityId: 'T:Authority:1' });
  addPatterns(to);
  addJourneys(to);
}

function addOrganisations(to: TimetableBuilder): void {
  to.addAuthority({
    id: 'T:Authority:1',
    name: 'Ruter',
    url: 'https://ruter.no',
    phone: '177',
    language: 'no',
    timeZone: 'Europe/Oslo',
  });
  to.addOperator({ id: 'T:Operator:1', name: 'Nobina', url: undefined, phone: '1' });
  to.addOperator({ id: 'T:Operator:2', name: 'Unibuss' });
  to.addGroupOfLines({ id: 'T:GroupOfLines:1', name: 'Bybuss', shortName: 'By', description: 'd', privateCode: 'p' });
  to.addNotice({ id: 'T:Notice:1', text: 'Kjører ikke julaften', publicCode: 'x' });
  to.addNotice({ id: 'T:Notice:2', text: 'Venter' });
  to.addTariffZone({ id: 'T:TariffZone:1', name: 'Sone 1' });
}

function addPlaces(to: TimetableBuilder): void {
  to.addStopPlace({ id: 'T:StopPlace:M', name: 'Oslo', modes: [], submodes: [], locality: 'Oslo', county: 'Oslo' });
  to.addStopPlace({
    id: 'T:StopPlace:1',
    name: 'Sentrum',
    description: 'Ved torget',
    parentId: 'T:StopPlace:M',
    modes: ['bus', 'tram'],
    submodes: ['localBus'],
    interchangePriority: 'preferred',
    timeZone: 'Europe/Stockholm',
    accessibility: 'possible',
    tariffZoneIds: ['T:TariffZone:1'],
  });
  to.addQuay({ id: 'T:Quay:1', publicCode: 'A', latitude: 59.9, longitude: 10.7, stopPlaceId: 'T:StopPlace:1' });
  to.addQuay({
    id: 'T:Quay:2',
    latitude: 59.902,
    longitude: 10.702,
    stopPlaceId: 'T:StopPlace:1',
    accessibility: 'notPossible',
  });
  to.addQuay({
    id: 'T:Quay:3',
    name: 'Nord',
    description: 'bak',
    latitude: 59.95,
    longitude: 10.7,
    tariffZoneIds: ['T:TariffZone:1'],
  });
  to.addQuay({ id: 'T:Quay:F', name: 'Bygda', area: AREA });
}

function addPatterns(to: TimetableBuilder): void {
  const at = { forBoarding: true, forAlighting: true };
  to.addJourneyPattern({
    id: 'T:JourneyPattern:1',
    name: 'ut',
    lineId: 'T:Line:1',
    direction: 'outbound',
    noticeIds: ['T:Notice:1'],
    stops: [
      {
        quayId: 'T:Quay:1',
        forBoarding: true,
        forAlighting: false,
        frontText: 'Nord',
        vias: ['Torget'],
        path: [59.9, 10.7, 59.901, 10.7012345, 59.902, 10.702],
        pathMetres: 251.37,
      },
      { quayId: 'T:Quay:2', ...at, requestStop: true, booking: BOOKING, noticeIds: ['T:Notice:2'] },
      { quayId: 'T:Quay:3', ...at, frontText: 'Ikke i trafikk' },
    ],
  });
  to.addJourneyPattern({
    id: 'T:JourneyPattern:2',
    lineId: 'T:Line:1',
    stops: [
      { quayId: 'T:Quay:3', ...at },
      { quayId: 'T:Quay:1', ...at },
    ],
  });
  to.addJourneyPattern({
    id: 'T:JourneyPattern:3',
    lineId: 'T:Line:2',
    stops: [
      { quayId: 'T:Quay:1', ...at },
      { quayId: 'T:Quay:3', ...at },
      { quayId: 'T:Quay:1', ...at },
    ],
  });
}

function addJourneys(to: TimetableBuilder): void {
  const days = [DAY];
  to.addServiceJourney({
    id: 'T:ServiceJourney:1',
    privateCode: '11',
    publicCode: '12',
    patternId: 'T:JourneyPattern:1',
    mode: 'coach',
    submode: 'nationalCoach',
    operatorId: 'T:Operator:2',
    accessibility: 'possible',
    booking: BOOKING,
    noticeIds: ['T:Notice:2'],
    callNoticeIds: new Map([[1, ['T:Notice:1', 'T:Notice:unknown']]]),
    arrivals: [0, 60, 120],
    departures: [0, 60, 120],
    days,
  });
  to.addServiceJourney({
    id: 'T:ServiceJourney:2',
    patternId: 'T:JourneyPattern:2',
    arrivals: [0, 60],
    departures: [0, 60],
    startOffsets: [0, 600],
    days,
  });
  to.addServiceJourney({
    id: 'T:ServiceJourney:3',
    patternId: 'T:JourneyPattern:3',
    arrivals: [0, 60, 90],
    departures: [0, 60, 90],
    days,
  });
  to.addDatedServiceJourney({
    id: 'T:DatedServiceJourney:1',
    journeyId: 'T:ServiceJourney:1',
    day: DAY,
    alteration: 'replaced',
  });
  to.addDatedServiceJourney({
    id: 'T:DatedServiceJourney:2',
    journeyId: 'T:ServiceJourney:2',
    day: DAY,
    replacesIds: ['T:DatedServiceJourney:1'],
  });
  to.addInterchange({
    id: 'T:ServiceJourneyInterchange:1',
    fromJourneyId: 'T:ServiceJourney:1',
    fromPosition: 2,
    toJourneyId: 'T:ServiceJourney:2',
    toPosition: 0,
    guaranteed: true,
    staySeated: false,
    priority: 'preferred',
    maximumWaitSeconds: 300,
  });
}

/** All getters of a view, as a plain object. */
function plain(view: object | undefined): Record<string, unknown> {
  assert.ok(view !== undefined);
  const names = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view)))
    .filter(([, property]) => property.get !== undefined)
    .map(([name]) => name);
  return Object.fromEntries([...Object.entries(view), ...names.map((name) => [name, Reflect.get(view, name)])]);
}

describe('catalogue', () => {
  let timetable: Timetable;

  before(() => {
    const builder = createTimetableBuilder();
    addEverything(builder);
    timetable = openTimetable(builder.finish({ builtAt: 0 }).bytes.buffer as ArrayBuffer);
  });

  it('keeps the given facts of lines and organisations', () => {
    const { lines, authorities, operators, groupsOfLines, notices, tariffZones } = timetable.catalogue;
    assert.deepEqual(plain(lines.find('T:Line:1')), {
      index: 0,
      id: 'T:Line:1',
      name: 'Sentrum – Nord',
      publicCode: '1',
      privateCode: '0001',
      description: 'Rød',
      url: 'https://example.org/1',
      mode: 'bus',
      submode: 'localBus',
      authority: 0,
      operator: 0,
      groups: [0],
      colour: 'E60000',
      textColour: 'FFFFFF',
      branding: BRANDING,
      flexibleLineType: 'flexibleAreasOnly',
      booking: BOOKING,
      notices: [0],
    });
    const bare = lines.find('T:Line:2');
    assert.deepEqual(
      [bare?.name, bare?.operator, bare?.booking, bare?.branding, bare?.groups],
      [undefined, undefined, undefined, undefined, []],
    );
    assert.deepEqual(authorities.at(0 as never), {
      index: 0,
      id: 'T:Authority:1',
      name: 'Ruter',
      url: 'https://ruter.no',
      phone: '177',
      language: 'no',
      timeZone: 'Europe/Oslo',
    });
    assert.deepEqual(operators.at(1 as never), {
      index: 1,
      id: 'T:Operator:2',
      name: 'Unibuss',
      url: undefined,
      phone: undefined,
    });
    assert.deepEqual(groupsOfLines.at(0 as never), {
      index: 0,
      id: 'T:GroupOfLines:1',
      name: 'Bybuss',
      shortName: 'By',
      description: 'd',
      privateCode: 'p',
    });
    assert.deepEqual(notices.find('T:Notice:2'), { index: 1, id: 'T:Notice:2', text: 'Venter', publicCode: undefined });
    assert.deepEqual(tariffZones.find('T:TariffZone:1'), { index: 0, id: 'T:TariffZone:1', name: 'Sone 1' });
  });

  it('gives stops the positions, names and zones of their stop places', () => {
    const { stopPlaces, quays } = timetable.catalogue;
    const place = stopPlaces.find('T:StopPlace:1');
    const above = stopPlaces.find('T:StopPlace:M');
    assert.deepEqual(plain(place), {
      index: 0,
      id: 'T:StopPlace:1',
      name: 'Sentrum',
      description: 'Ved torget',
      latitude: (59.9 + 59.902) / 2,
      longitude: (10.7 + 10.702) / 2,
      parent: above?.index,
      isParent: false,
      modes: ['bus', 'tram'],
      submodes: ['localBus'],
      interchangePriority: 'preferred',
      timeZone: 'Europe/Stockholm',
      accessibility: 'possible',
      tariffZones: [0],
      locality: undefined,
      county: undefined,
    });
    assert.deepEqual(
      [above?.isParent, above?.latitude, above?.timeZone, above?.locality],
      [true, place?.latitude, 'Europe/Oslo', 'Oslo'],
    );
    assert.equal(quays.find('T:Quay:1')?.name, 'Sentrum');
    assert.equal(quays.find('T:Quay:1')?.accessibility, 'noInformation');
    assert.equal(quays.find('T:Quay:2')?.accessibility, 'notPossible');
    assert.equal(quays.find('T:Quay:3')?.stopPlace, undefined);
    const flexible = quays.find('T:Quay:F');
    assert.deepEqual([flexible?.stopType, flexible?.area, flexible?.latitude], ['flexible_area', AREA, 60]);
  });

  it('repeats displays along a pattern, and uses the last stop where none is given', () => {
    const { journeyPatterns } = timetable.catalogue;
    const pattern = journeyPatterns.find('T:JourneyPattern:1');
    assert.deepEqual(
      pattern?.stops.map(({ destination }) => destination),
      [
        { frontText: 'Nord', vias: ['Torget'] },
        { frontText: 'Nord', vias: ['Torget'] },
        { frontText: 'Ikke i trafikk', vias: [] },
      ],
    );
    assert.equal(journeyPatterns.find('T:JourneyPattern:2')?.stops[0]?.destination.frontText, 'Sentrum');
    const [first, second] = pattern?.stops ?? [];
    assert.deepEqual([first?.forBoarding, first?.forAlighting, first?.requestStop], [true, false, false]);
    assert.deepEqual([second?.requestStop, second?.booking, second?.notices], [true, BOOKING, [1]]);
    assert.deepEqual([pattern?.direction, pattern?.name, pattern?.notices, pattern?.line], ['outbound', 'ut', [0], 0]);
  });

  it('gives the path of every hop, as published or straight', () => {
    const pattern = timetable.catalogue.journeyPatterns.find('T:JourneyPattern:1');
    assert.deepEqual(pattern?.hop(0), {
      latitudes: Float64Array.of(59.9, 59.901, 59.902),
      longitudes: Float64Array.of(10.7, 10.7012345, 10.702),
      distanceMetres: 251.37,
    });
    const straight = pattern?.hop(1);
    assert.deepEqual(straight?.latitudes, Float64Array.of(59.902, 59.95));
    assert.ok(Math.abs((straight?.distanceMetres ?? 0) - 5338) < 2);
    assert.throws(() => pattern?.hop(2), RangeError);
  });

  it('gives journeys their own mode and operator or those of their line', () => {
    const { serviceJourneys } = timetable.catalogue;
    const own = serviceJourneys.find('T:ServiceJourney:1');
    assert.deepEqual(
      [own?.mode, own?.submode, own?.operator, own?.accessibility],
      ['coach', 'nationalCoach', 1, 'possible'],
    );
    assert.deepEqual([own?.privateCode, own?.publicCode, own?.booking, own?.notices], ['11', '12', BOOKING, [1]]);
    assert.deepEqual([own?.callNotices(0), own?.callNotices(1)], [[], [0]]);
    const inherited = serviceJourneys.find('T:ServiceJourney:2');
    assert.deepEqual(
      [inherited?.mode, inherited?.submode, inherited?.operator, inherited?.line],
      ['bus', 'localBus', 0, 0],
    );
    assert.equal(timetable.transit.tripsOfJourney(inherited?.index ?? (0 as never)).length, 2);
  });

  it('keeps dated journeys and interchanges', () => {
    const { datedServiceJourneys: dated, interchanges } = timetable.catalogue;
    assert.deepEqual(plain(dated.at(0 as never)), {
      index: 0,
      id: 'T:DatedServiceJourney:1',
      journey: 0,
      day: DAY,
      alteration: 'replaced',
      replaces: [],
      replacedBy: [1],
    });
    assert.deepEqual(plain(dated.at(1 as never)), {
      index: 1,
      id: 'T:DatedServiceJourney:2',
      journey: 1,
      day: DAY,
      alteration: undefined,
      replaces: [0],
      replacedBy: [],
    });
    assert.deepEqual(plain(interchanges.at(0 as never)), {
      index: 0,
      id: 'T:ServiceJourneyInterchange:1',
      fromJourney: 0,
      fromPosition: 2,
      toJourney: 1,
      toPosition: 0,
      guaranteed: true,
      staySeated: false,
      priority: 'preferred',
      maximumWaitSeconds: 300,
    });
  });

  it('leads back from every element to those that refer to it', () => {
    const c = timetable.catalogue;
    const [zero, one, two] = [0, 1, 2] as never[] as [never, never, never];
    assert.deepEqual(c.linesOfAuthority(zero), [0, 1]);
    assert.deepEqual(c.linesOfOperator(zero), [0]);
    assert.deepEqual(c.linesOfOperator(one), []);
    assert.deepEqual(c.linesOfGroup(zero), [0]);
    assert.deepEqual(c.patternsOfLine(zero), [0, 1]);
    assert.deepEqual(c.patternsOfStop(zero), [0, 1, 2], 'a pattern that calls twice is there once');
    assert.deepEqual(c.journeysOfPattern(two), [2]);
    assert.deepEqual(c.journeysOfLine(zero), [0, 1]);
    assert.deepEqual(c.datedJourneysOf(one), [1]);
    assert.deepEqual(c.datedJourneysOn(DAY), [0, 1]);
    assert.deepEqual(c.datedJourneysOn((DAY + 1) as never), []);
    assert.deepEqual(c.datedJourneysOn((DAY - 1) as never), []);
    assert.deepEqual([c.interchangesFrom(zero), c.interchangesTo(zero)], [[0], []]);
    assert.deepEqual([c.interchangesFrom(one), c.interchangesTo(one)], [[], [0]]);
    assert.deepEqual([c.quaysOf(one, false), c.quaysOf(one, true)], [[], [0, 1]]);
    assert.deepEqual([c.quaysOf(zero, false), c.childrenOf(one)], [[0, 1], [0]]);
  });

  it('finds no unpublished id, and no index out of range', () => {
    const { quays, lines } = timetable.catalogue;
    for (const id of ['', 'T', 'T:Quay:', 'T:Quay:0', 'T:Quay:11', 'T:Quay:Å', 'Z', '\ud800'])
      assert.equal(quays.find(id), undefined);
    assert.throws(() => lines.at(-1 as never), RangeError);
    assert.throws(() => lines.at(2 as never), RangeError);
    assert.throws(() => lines.at(Number.NaN as never), RangeError);
  });

  it('finds ids with any letters', () => {
    const names = ['Å', 'å', 'z', 'Z', '0', '00', '駅', '🚆', '\uffee', 'a', 'ab', 'abc'];
    const network = createNetwork();
    for (const name of names) network.quay(`${name} 59.9 10.7`);
    for (const name of names) assert.equal(network.stopName(network.stop(name)), name);
  });

  it('breaks a cycle of stop places and reports it', () => {
    const network = createNetwork();
    const at = { latitude: 59.9, longitude: 10.7 };
    network.stopPlace('A', ['a 59.9 10.7'], { ...at, parentId: 'TST:StopPlace:B' });
    network.stopPlace('B', ['b 59.9 10.7'], { ...at, parentId: 'TST:StopPlace:A' });
    const { catalogue } = network.open();
    const places = ['A', 'B'].map((name) => catalogue.stopPlaces.find(`TST:StopPlace:${name}`));
    assert.deepEqual(
      places.map((place) => catalogue.quaysOf(place?.index ?? (0 as never), true).length).sort(),
      [1, 2],
    );
    assert.deepEqual(
      network.build().report.rejected.map(({ reason }) => reason),
      ['its own ancestor'],
    );
  });
});
