/**
 * Reference implementation of the search: compares every journey of a small network, to the minute (`byMinute`). It
 * uses nothing of the engine.
 */
import { everyJourney } from './every-journey.ts';
import type { Outcome, SmallNetwork, SmallRequest } from './small-network.ts';

/** Departures and arrivals count as whole minutes, as `planner/package.md` defines. */
export function byMinute(journey: Outcome): Outcome {
  const [departure, arrival] = [60 * Math.floor(journey.departure / 60), 60 * Math.ceil(journey.arrival / 60)];
  return { ...journey, departure, arrival };
}

function isNoWorse(a: Outcome, b: Outcome): boolean {
  return a.departure >= b.departure && a.arrival <= b.arrival && a.rides <= b.rides && a.cost <= b.cost;
}

/** A network may have more journeys than a call has arguments. */
function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

function inBound(journey: Outcome, all: readonly Outcome[], request: SmallRequest): boolean {
  const withFewRides = all.filter(({ rides }) => rides <= journey.rides);
  if (request.arriveBy) {
    const inTime = withFewRides.filter(({ arrival }) => arrival <= journey.arrival);
    return journey.departure >= -least(inTime.map(({ departure }) => -departure)) - request.relaxSeconds;
  }
  const asLate = withFewRides.filter(({ departure }) => departure >= journey.departure);
  return journey.arrival <= least(asLate.map(({ arrival }) => arrival)) + request.relaxSeconds;
}

/** For depart after: arrival, cost, rides, later departure; for arrive by: later departure, cost, rides, arrival. */
function inOrder(arriveBy: boolean): (a: Outcome, b: Outcome) => number {
  return (a, b) =>
    arriveBy
      ? b.departure - a.departure || a.cost - b.cost || a.rides - b.rides || a.arrival - b.arrival
      : a.arrival - b.arrival || a.cost - b.cost || a.rides - b.rides || b.departure - a.departure;
}

export function rightAnswer(network: SmallNetwork, request: SmallRequest): Outcome[] {
  const all = everyJourney(network, request).map(byMinute);
  const fewest = least(all.map(({ rides }) => rides));
  const within = all.filter(({ rides }) => rides <= fewest + request.maximumAdditionalRides);
  const best: Outcome[] = [];
  for (const journey of within) {
    if (best.some((other) => isNoWorse(other, journey))) continue;
    for (let place = best.length - 1; place >= 0; place -= 1) {
      if (isNoWorse(journey, best[place] as Outcome)) best.splice(place, 1);
    }
    best.push(journey);
  }
  return best.filter((journey) => inBound(journey, within, request)).toSorted(inOrder(request.arriveBy));
}
