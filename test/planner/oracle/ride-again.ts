/**
 * Rides a journey of the engine again, ride by ride, on the description of the network: stops, flags, days, times,
 * changes and via entries must be as described, and its departure, arrival and cost must follow from them. Uses nothing
 * of the engine; `trips` alone translates its numbers.
 */
import assert from 'node:assert/strict';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { startOfRun } from './day-start.ts';
import type { SmallInterchange, SmallJourney, SmallLine, SmallNetwork, SmallRequest } from './small-network.ts';
import { metAtCall, metAtTransfer, type ViaChoice } from './via-entries.ts';

const SECONDS_OF_A_DAY = 86_400;

/** A ride in the numbers of the small network. */
export interface SmallRide {
  readonly line: number;
  readonly journey: number;
  readonly day: ServiceDay;
  /** Stops of the small network, as the engine's trip has them. */
  readonly boardStop: number;
  readonly alightStop: number;
  readonly boardPosition: number;
  readonly alightPosition: number;
  readonly departure: number;
  readonly arrival: number;
  readonly by: 'access' | 'transfer' | 'interchange';
  /** Number of the network's interchange. */
  readonly interchange: number | undefined;
}

export interface SmallAnswer {
  readonly departure: number;
  readonly arrival: number;
  readonly cost: number;
  readonly accessSeconds: number;
  readonly egressSeconds: number;
  readonly rides: readonly SmallRide[];
  readonly rideCount: number;
}

export function rideAgain(network: SmallNetwork, request: SmallRequest, answer: SmallAnswer): void {
  const ridden = new RiddenAgain(network, request);
  let cost = answer.accessSeconds * request.walkReluctance;
  let via: ViaChoice[] = [];
  for (const [index, ride] of answer.rides.entries()) {
    ridden.assertRuns(ride);
    const before = answer.rides[index - 1];
    assert.equal(ride.by === 'access', before === undefined, 'the first ride, and no other, follows the access');
    if (before === undefined) {
      const slack = ridden.boardSlack(ride);
      assert.ok(isEnd(request.access, ride.boardStop, answer.accessSeconds), 'no such access');
      assert.equal(answer.departure, ride.departure - slack - answer.accessSeconds, 'departure');
      cost += slack * request.waitReluctance + request.boardCost;
      via = [{ met: metAtCall(request.via, 0, ride.boardStop, true), wait: 0 }];
    } else if (ride.by === 'transfer') {
      const { change, spare } = ridden.transfer(before, ride);
      cost += change;
      via = viaAfterChange(request, via, before, ride, spare);
    } else {
      cost += ridden.interchange(before, ride);
      via = viaAfterChange(request, via, before, ride, ride.departure - before.arrival);
    }
    cost += (ride.arrival - ride.departure) * 100;
    via = via.map(({ met }) => ({ met: ridden.metRiding(ride, met), wait: 0 }));
  }
  const last = answer.rides.at(-1);
  assert.ok(last !== undefined, 'a journey without a ride');
  ridden.assertChangesAllowed(answer.rides);
  const counted = answer.rides.filter((ride) => !ridden.isSeated(ride));
  assert.equal(answer.rideCount, counted.length, 'number of rides');
  assert.ok(answer.rideCount <= request.maximumRides, 'too many rides');
  const slack = ridden.alightSlack(last);
  assert.ok(isEnd(request.egress, last.alightStop, answer.egressSeconds), 'no such egress');
  assert.equal(answer.arrival, last.arrival + slack + answer.egressSeconds, 'arrival');
  assert.equal(
    answer.cost,
    cost + slack * request.waitReluctance + answer.egressSeconds * request.walkReluctance,
    'cost',
  );
  const met = via.map((choice) => metAtCall(request.via, choice.met, last.alightStop, true));
  assert.equal(Math.max(...met), request.via.length, 'via entries met');
}

/**
 * Fails if another place to change between two rides of the journey costs the same and is better: more whole minutes
 * to spare, an interchange, fewer metres, more seconds, an earlier place.
 */
export function assertBestChanges(network: SmallNetwork, request: SmallRequest, answer: SmallAnswer): void {
  if (request.via.length > 0) return;
  const ridden = new RiddenAgain(network, request);
  for (const [index, after] of answer.rides.entries()) {
    const before = answer.rides[index - 1];
    if (before === undefined || ridden.isSeated(after) || ridden.isChangeBanned(answer.rides)) continue;
    const current = ridden.changeOf(before, after);
    assert.ok(current !== undefined, 'an impossible change');
    for (const [one, other] of ridden.otherChanges(before, after)) {
      const change = ridden.changeOf(one, other);
      if (change === undefined || change.cost !== current.cost) continue;
      const differs = change.key.findIndex((value, place) => value !== current.key[place]);
      const isBetter = differs >= 0 && (change.key[differs] as number) > (current.key[differs] as number);
      assert.ok(!isBetter, `a better place to change: ${change.key} instead of ${current.key}`);
    }
  }
}

function isEnd(ends: SmallRequest['access'], stop: number, walkSeconds: number): boolean {
  return ends.some((end) => end.stop === stop && end.walkSeconds === walkSeconds);
}

function viaAfterChange(
  request: SmallRequest,
  choices: readonly ViaChoice[],
  before: SmallRide,
  ride: SmallRide,
  spare: number,
): ViaChoice[] {
  return choices
    .flatMap(({ met }) => metAtTransfer(request.via, met, before.alightStop, ride.boardStop))
    .filter(({ wait }) => wait <= spare);
}

class RiddenAgain {
  readonly #network: SmallNetwork;
  readonly #request: SmallRequest;

  constructor(network: SmallNetwork, request: SmallRequest) {
    this.#network = network;
    this.#request = request;
  }

  boardSlack(ride: SmallRide): number {
    return this.#request.boardSlack[this.#lineOf(ride).mode] ?? 0;
  }

  alightSlack(ride: SmallRide): number {
    return this.#request.alightSlack[this.#lineOf(ride).mode] ?? 0;
  }

  /** The trip runs on that day, may be used, and calls at these stops at these times, for boarding and alighting. */
  assertRuns(ride: SmallRide): void {
    const { bannedLines, bannedJourneys, bannedStops, wheelchair } = this.#request;
    const { stops } = this.#lineOf(ride);
    const journey = this.#journeyOf(ride);
    const start = this.#startOf(ride);
    const [board, alight] = [stops[ride.boardPosition], stops[ride.alightPosition]];
    assert.ok(ride.boardPosition < ride.alightPosition, 'alights before it boards');
    assert.ok(journey.days.includes(ride.day), 'does not run on the day');
    assert.deepEqual([board?.stop, alight?.stop], [ride.boardStop, ride.alightStop], 'stops');
    assert.deepEqual([board?.forBoarding, alight?.forAlighting], [true, true], 'boarding and alighting');
    assert.equal(ride.departure, start + (journey.departures[ride.boardPosition] as number), 'departure of a ride');
    assert.equal(ride.arrival, start + (journey.arrivals[ride.alightPosition] as number), 'arrival of a ride');
    assert.ok(!bannedLines.includes(ride.line), 'banned line');
    assert.ok(
      !bannedJourneys.some(([line, number]) => line === ride.line && number === ride.journey),
      'banned journey',
    );
    assert.ok(!this.#isClosed(ride), 'closed on the day');
    assert.ok(!bannedStops.includes(ride.boardStop) && !bannedStops.includes(ride.alightStop), 'banned stop');
    assert.ok(!wheelchair || journey.accessible, 'not accessible');
  }

  /** What the change costs, and the seconds beyond the least that it takes. */
  transfer(before: SmallRide, ride: SmallRide): { change: number; spare: number } {
    const { walkSpeed, transferSlackSeconds, maximumTransferSeconds, waitReluctance, walkReluctance } = this.#request;
    const { wheelchair } = this.#request;
    const { transferSeconds, wheelchairTransferSeconds } = this.#network;
    const [from, to] = [before.alightStop, ride.boardStop];
    let walk = 0;
    const here = (wheelchair ? wheelchairTransferSeconds[from] : undefined) ?? (transferSeconds[from] as number);
    let seconds = Math.max(transferSlackSeconds, here);
    if (from !== to) {
      const path = this.#network.footpaths.find((one) => one.from === from && one.to === to);
      assert.ok(path !== undefined, 'no such footpath');
      walk = Math.ceil(path.metres / walkSpeed);
      assert.ok(walk <= maximumTransferSeconds, 'walks too far');
      const published = (wheelchair ? path.wheelchairSeconds : undefined) ?? path.minimumSeconds;
      seconds = Math.max(walk + transferSlackSeconds, published);
    }
    const least = before.arrival + this.alightSlack(before) + seconds + this.boardSlack(ride);
    assert.ok(ride.departure >= least, 'too little time to change');
    const waiting = ride.departure - before.arrival - walk;
    const { boardCost, transferCost } = this.#request;
    const change = waiting * waitReluctance + walk * walkReluctance + boardCost + transferCost;
    return { change, spare: ride.departure - least };
  }

  /** What the change costs. */
  interchange(before: SmallRide, ride: SmallRide): number {
    const { useInterchanges, waitReluctance, boardCost, transferCost } = this.#request;
    const link = this.#network.interchanges[ride.interchange ?? -1];
    assert.ok(useInterchanges && link !== undefined, 'no such interchange');
    assert.ok(!link.notAllowed && (link.staySeated || link.guaranteed), 'this interchange links nothing');
    assert.deepEqual(
      link.from,
      [before.line, before.journey, before.alightPosition],
      'the interchange leaves elsewhere',
    );
    assert.deepEqual(link.to, [ride.line, ride.journey, ride.boardPosition], 'the interchange leads elsewhere');
    const waiting = ride.departure - before.arrival;
    assert.equal(ride.departure, this.#firstDeparture(link, before.arrival), 'not the first day of the second journey');
    return link.staySeated ? waiting * 100 : waiting * waitReluctance + boardCost + transferCost;
  }

  /** No journey leaves and boards where an interchange that is not allowed does. */
  assertChangesAllowed(rides: readonly SmallRide[]): void {
    for (const [before, after, { from, to }] of this.#bannedChanges(rides)) {
      assert.ok(before.alightPosition !== from[2] || after.boardPosition !== to[2], 'a change that is not allowed');
    }
  }

  /** Whether a change between two of these rides is not allowed somewhere. */
  isChangeBanned(rides: readonly SmallRide[]): boolean {
    return this.#bannedChanges(rides).length > 0;
  }

  #bannedChanges(rides: readonly SmallRide[]): [SmallRide, SmallRide, SmallInterchange][] {
    if (!this.#request.useInterchanges) return [];
    const isOf = ({ line, journey }: SmallRide, end: SmallInterchange['from']): boolean =>
      line === end[0] && journey === end[1];
    return this.#network.interchanges
      .filter(({ notAllowed }) => notAllowed)
      .flatMap((link) =>
        rides
          .filter((before) => isOf(before, link.from))
          .flatMap((before) =>
            rides
              .filter((after) => after !== before && isOf(after, link.to))
              .map((after): [SmallRide, SmallRide, SmallInterchange] => [before, after, link]),
          ),
      );
  }

  isSeated({ interchange }: SmallRide): boolean {
    return interchange !== undefined && this.#network.interchanges[interchange]?.staySeated === true;
  }

  /** The same two trips, changed at every pair of positions, by transfer and by every interchange. */
  *otherChanges(before: SmallRide, after: SmallRide): Generator<[SmallRide, SmallRide]> {
    const [from, to] = [this.#lineOf(before), this.#lineOf(after)];
    const starts = [this.#startOf(before), this.#startOf(after)] as const;
    for (let alight = before.boardPosition + 1; alight < from.stops.length; alight += 1) {
      for (let board = 0; board < after.alightPosition; board += 1) {
        const alightStop = from.stops[alight]?.stop as number;
        const arrival = starts[0] + (this.#journeyOf(before).arrivals[alight] as number);
        const boardStop = to.stops[board]?.stop as number;
        const departure = starts[1] + (this.#journeyOf(after).departures[board] as number);
        const one = { ...before, alightPosition: alight, alightStop, arrival };
        const other = { ...after, boardPosition: board, boardStop, departure };
        yield [one, { ...other, by: 'transfer', interchange: undefined }];
        for (const [interchange, { staySeated }] of this.#network.interchanges.entries()) {
          if (!staySeated) yield [one, { ...other, by: 'interchange', interchange }];
        }
      }
    }
  }

  /** Cost from the first boarding to the second alighting, and what makes the change good; undefined if impossible. */
  changeOf(before: SmallRide, after: SmallRide): { cost: number; key: number[] } | undefined {
    try {
      this.assertRuns(before);
      this.assertRuns(after);
      const riding = (before.arrival - before.departure + after.arrival - after.departure) * 100;
      const isTransfer = after.by === 'transfer';
      const { change, spare } = isTransfer
        ? this.transfer(before, after)
        : { change: this.interchange(before, after), spare: after.departure - before.arrival };
      const path = this.#network.footpaths.find((one) => one.from === before.alightStop && one.to === after.boardStop);
      // Stops of the network are a degree apart, so a straight line is longer than any footpath.
      const metres = before.alightStop === after.boardStop ? 0 : (path?.metres ?? 1_000_000);
      const places = [-before.alightPosition, -after.boardPosition];
      return { cost: riding + change, key: [Math.floor(spare / 60), isTransfer ? 0 : 1, -metres, spare, ...places] };
    } catch (error) {
      if (error instanceof assert.AssertionError) return undefined;
      throw error;
    }
  }

  metRiding(ride: SmallRide, met: number): number {
    let count = met;
    for (let position = ride.boardPosition; position <= ride.alightPosition; position += 1) {
      count = metAtCall(this.#request.via, count, this.#lineOf(ride).stops[position]?.stop as number, false);
    }
    return count;
  }

  #firstDeparture(link: SmallInterchange, arrival: number): number | undefined {
    const [line, number, position] = link.to;
    const journey = this.#network.lines[line]?.journeys[number] as SmallJourney;
    return journey.days
      .map((day) => startOfRun(this.#network.zone, day, journey.departures[0] as number))
      .map((start) => start + (journey.departures[position] as number))
      .filter((departure) => departure >= arrival && departure <= arrival + SECONDS_OF_A_DAY)
      .toSorted((a, b) => a - b)[0];
  }

  #startOf(ride: SmallRide): number {
    return startOfRun(this.#network.zone, ride.day, this.#journeyOf(ride).departures[0] as number);
  }

  #isClosed({ line, journey, day }: SmallRide): boolean {
    return this.#request.closedRuns.some(([l, j, d]) => l === line && j === journey && d === day);
  }

  #lineOf(ride: SmallRide): SmallLine {
    const line = this.#network.lines[ride.line];
    assert.ok(line !== undefined, 'no such line');
    return line;
  }

  #journeyOf(ride: SmallRide): SmallJourney {
    const journey = this.#lineOf(ride).journeys[ride.journey];
    assert.ok(journey !== undefined, 'no such journey');
    return journey;
  }
}
