import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

describe('GraphQL: entities by id', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  it('returns organisations and their lines', async () => {
    const query =
      '{ authorities { id name url lang timezone lines { id } } authority(id: "TST:Authority:2") { name } operators { id lines { id } serviceJourney { id } } groupsOfLines { id shortName lines { id } } }';
    const data = await town.data('v3', query);
    assert.deepEqual(data.authorities[0], {
      id: 'TST:Authority:1',
      name: 'Town',
      url: 'https://town.test',
      lang: 'no',
      timezone: 'Europe/Oslo',
      lines: [{ id: 'TST:Line:1' }, { id: 'TST:Line:2' }],
    });
    assert.equal(data.authority.name, 'Fjord');
    assert.deepEqual(data.operators[0].lines, [{ id: 'TST:Line:1' }, { id: 'TST:Line:2' }]);
    assert.equal(data.operators[0].serviceJourney.length, 6);
    assert.deepEqual(data.groupsOfLines, [
      { id: 'TST:GroupOfLines:1', shortName: 'Town', lines: [{ id: 'TST:Line:1' }] },
    ]);
  });

  it('returns an authority as organisation in the older dialect', async () => {
    const data = await town.data(
      'v2',
      '{ organisations { id } organisation(id: "TST:Authority:1") { name timezone } line(id: "TST:Line:1") { organisation { id } } }',
    );
    assert.equal(data.organisations.length, 2);
    assert.deepEqual(data.organisation, { name: 'Town', timezone: 'Europe/Oslo' });
    assert.deepEqual(data.line, { organisation: { id: 'TST:Authority:1' } });
  });

  it('returns a line with all its members', async () => {
    const { line } = await town.data(
      'v3',
      '{ line(id: "TST:Line:1") { id name publicCode transportMode transportSubmode authority { id } operator { id } presentation { colour textColour } groupOfLines { id } notices { text publicCode } quays { id } journeyPatterns { id name directionType } serviceJourneys { id } situations { id } isReplacement replacementsExist bikesAllowed } }',
    );
    assert.deepEqual(line.presentation, { colour: '00FF00', textColour: '000000' });
    assert.deepEqual(line.notices, [{ text: 'Bring a coat', publicCode: 'a' }]);
    assert.deepEqual(
      line.quays.map(({ id }: { id: string }) => id),
      ['NSR:Quay:11', 'NSR:Quay:20', 'NSR:Quay:30'],
    );
    assert.deepEqual(line.journeyPatterns, [{ id: 'TST:JourneyPattern:1', name: 'Out', directionType: 'outbound' }]);
    assert.equal(line.serviceJourneys.length, 4);
    assert.deepEqual([line.isReplacement, line.replacementsExist, line.situations], [false, true, []]);
  });

  it('maps unknown modes and codes to the nearest of the dialect', async () => {
    const query = '{ lines { transportMode transportSubmode } }';
    const modesOf = async (dialect: 'v2' | 'v3') => (await town.data(dialect, query)).lines;
    assert.deepEqual((await modesOf('v2'))[1], { transportMode: 'bus', transportSubmode: 'unknown' });
    assert.deepEqual((await modesOf('v3'))[1], { transportMode: 'trolleybus', transportSubmode: 'unknown' });
  });

  it('filters lines by the given arguments', async () => {
    const ids = async (args: string, dialect: 'v2' | 'v3' = 'v3') =>
      (await town.data(dialect, `{ lines(${args}) { id } }`)).lines.map(
        (line: { id: string } | null) => line?.id ?? null,
      );
    assert.deepEqual(await ids('ids: ["TST:Line:3", "nope", "TST:Line:1"]'), ['TST:Line:3', null, 'TST:Line:1']);
    assert.deepEqual(await ids('name: "har"'), ['TST:Line:1']);
    assert.deepEqual(await ids('publicCode: "2"'), ['TST:Line:2']);
    assert.deepEqual(await ids('publicCodes: ["2", "F1"]'), ['TST:Line:2', 'TST:Line:3']);
    assert.deepEqual(await ids('authorities: ["TST:Authority:2"]'), ['TST:Line:3']);
    assert.deepEqual(await ids('transportModes: [bus]'), ['TST:Line:1']);
    assert.deepEqual(await ids('transportModes: [bus]', 'v2'), ['TST:Line:1', 'TST:Line:2']);
    assert.deepEqual(await ids('transportModes: []'), ['TST:Line:1', 'TST:Line:2', 'TST:Line:3']);
  });

  it('returns stop places and quays, with null for unknown ids', async () => {
    const data = await town.data(
      'v3',
      '{ stopPlaces(ids: ["x", "NSR:StopPlace:11"]) { id name parent { id name transportMode quays { id } } timeZone tariffZones { id name } stopInterchangePriority weighting } quays(ids: ["NSR:Quay:30", "x"]) { id name publicCode wheelchairAccessible stopType timeZone lines { id } journeyPatterns { id } } }',
    );
    assert.equal(data.stopPlaces[0], null);
    assert.deepEqual(data.stopPlaces[1].parent.quays, [{ id: 'NSR:Quay:11' }, { id: 'NSR:Quay:12' }]);
    assert.deepEqual(
      [data.stopPlaces[1].stopInterchangePriority, data.stopPlaces[1].weighting],
      ['allowed', 'interchangeAllowed'],
    );
    assert.deepEqual(data.quays, [
      {
        id: 'NSR:Quay:30',
        name: 'School',
        publicCode: null,
        wheelchairAccessible: 'possible',
        stopType: 'regular',
        timeZone: 'Europe/Oslo',
        lines: [{ id: 'TST:Line:1' }],
        journeyPatterns: [{ id: 'TST:JourneyPattern:1' }],
      },
      null,
    ]);
    assert.deepEqual(await town.data('v3', '{ quay(id: "x") { id } stopPlace(id: "") { id } line(id: "x") { id } }'), {
      quay: null,
      stopPlace: null,
      line: null,
    });
  });

  it('returns one mode of a stop place in the older dialect', async () => {
    const { stopPlace } = await town.data(
      'v2',
      '{ stopPlace(id: "NSR:StopPlace:20") { transportMode transportSubmode timezone wheelchairBoarding weighting quays(filterByInUse: true) { id timezone } } }',
    );
    assert.deepEqual(stopPlace, {
      transportMode: 'bus',
      transportSubmode: null,
      timezone: 'Europe/Oslo',
      wheelchairBoarding: 'possible',
      weighting: 'preferredInterchange',
      quays: [{ id: 'NSR:Quay:20', timezone: 'Europe/Oslo' }],
    });
  });

  it('lists all entities without ids', async () => {
    const data = await town.data(
      'v3',
      '{ stopPlaces { id } quays { id } found: quays(name: "harb") { id } serviceJourneys { id } }',
    );
    assert.deepEqual(
      [data.stopPlaces.length, data.quays.length, data.found.length, data.serviceJourneys.length],
      [7, 7, 2, 7],
    );
  });

  it('shows a booking arrangement in the terms of each dialect', async () => {
    const query =
      '{ line(id: "TST:Line:3") { flexibleLineType bookingArrangements { bookWhen bookingMethods latestBookingTime minimumBookingPeriod bookingNote bookingContact { phone email url } } } }';
    const booking = {
      bookWhen: 'other',
      bookingMethods: ['callOffice', 'online'],
      latestBookingTime: '18:00:00',
      minimumBookingPeriod: 'PT2H',
      bookingNote: 'Call',
      bookingContact: { phone: '555', email: 'a@b.test', url: null },
    };
    assert.deepEqual(await town.data('v3', query), {
      line: { flexibleLineType: 'fixed', bookingArrangements: booking },
    });
    assert.deepEqual(await town.data('v2', query), {
      line: { flexibleLineType: 'fixed', bookingArrangements: { ...booking, bookWhen: 'advanceOnly' } },
    });
  });

  it('returns the version and the days of the data', async () => {
    const data = await town.data(
      'v3',
      '{ serverInfo { version otpSerializationVersionId internalTransitModelTimeZone } transitInfo { validityPeriod { startTime endTime } } }',
    );
    assert.equal(data.serverInfo.internalTransitModelTimeZone, 'Europe/Oslo');
    assert.match(data.serverInfo.otpSerializationVersionId, /^[0-9a-f]{64}$/);
    assert.deepEqual(data.transitInfo.validityPeriod, {
      startTime: '2026-11-23T00:00:00+01:00',
      endTime: '2026-11-28T00:00:00+01:00',
    });
  });

  it('returns empty lists for data that no timetable contains', async () => {
    const data = await town.data(
      'v2',
      '{ situations { id } bikeRentalStations { id } bikeRentalStation(id: "x") { id } bikeRentalStationsByBbox { id } carParks { id } routingParameters { walkSpeed } }',
    );
    assert.deepEqual(data, {
      situations: [],
      bikeRentalStations: [],
      bikeRentalStation: null,
      bikeRentalStationsByBbox: [],
      carParks: [],
      routingParameters: null,
    });
  });
});
