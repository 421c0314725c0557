/**
 * Enumerates every journey that a small network allows, without bounds and optimisations. It shares no code with the
 * engine, and follows "What a search answers" in planner/package.md.
 */
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { startOfRun } from './day-start.ts';
import type { Outcome, SmallInterchange, SmallLine, SmallNetwork, SmallRequest } from './small-network.ts';
import { metAtCall, metAtTransfer } from './via-entries.ts';

const SECONDS_OF_A_DAY = 86_400;
/** Trips that take no time may form a circle. A network has three interchanges and three days. */
const MOST_SEATED = 9;

/** A journey of a line on one service day, in seconds since 1970 UTC. */
interface Run {
  readonly line: number;
  readonly journey: number;
  readonly arrivals: readonly number[];
  readonly departures: readonly number[];
}

type Call = SmallInterchange['from'];

/** State of the traveller after a run. */
interface Alighted {
  readonly run: Run;
  readonly position: number;
  readonly departure: number;
  readonly rides: number;
  /** Trips in a row that the traveller stayed seated for. */
  readonly seated: number;
  readonly cost: number;
  readonly viaMet: number;
  /** Calls where a ride began and where one ended, as `[line, journey, position]`. */
  readonly boarded: readonly Call[];
  readonly left: readonly Call[];
}

function runsOf(network: SmallNetwork, request: SmallRequest): Run[] {
  return network.lines.flatMap((line, lineNumber) =>
    line.journeys.flatMap((journey, journeyNumber) => {
      const banned =
        request.bannedLines.includes(lineNumber) ||
        request.bannedJourneys.some(([l, j]) => l === lineNumber && j === journeyNumber) ||
        (request.wheelchair && !journey.accessible);
      if (banned) return [];
      const isClosed = (day: ServiceDay): boolean =>
        request.closedRuns.some(([l, j, d]) => l === lineNumber && j === journeyNumber && d === day);
      return journey.days
        .filter((day) => !isClosed(day))
        .map((day): Run => {
          const start = startOfRun(network.zone, day, journey.departures[0] as number);
          return {
            line: lineNumber,
            journey: journeyNumber,
            arrivals: journey.arrivals.map((time) => start + time),
            departures: journey.departures.map((time) => start + time),
          };
        });
    }),
  );
}

function callAt({ line, journey }: Run, position: number): Call {
  return [line, journey, position];
}

/** Whether a journey leaves and boards where an interchange that is not allowed does. */
function isBanned({ notAllowed, from, to }: SmallInterchange, { boarded, left }: Alighted): boolean {
  const isAt = (calls: readonly Call[], end: Call): boolean =>
    calls.some((call) => call.every((value, place) => value === end[place]));
  return notAllowed && isAt(left, from) && isAt(boarded, to);
}

/** All distinct outcomes in the window and within the maximum number of rides. */
export function everyJourney(network: SmallNetwork, request: SmallRequest): Outcome[] {
  const runs = runsOf(network, request);
  const found = new Map<string, Outcome>();

  const lineOf = (run: Run): SmallLine => network.lines[run.line] as SmallLine;
  const stopAt = (run: Run, position: number): number => lineOf(run).stops[position]?.stop as number;
  const boardSlack = (run: Run): number => request.boardSlack[lineOf(run).mode] ?? 0;
  const alightSlack = (run: Run): number => request.alightSlack[lineOf(run).mode] ?? 0;
  const mayBoard = (run: Run, position: number): boolean =>
    lineOf(run).stops[position]?.forBoarding === true && !request.bannedStops.includes(stopAt(run, position));
  const mayAlight = (run: Run, position: number): boolean =>
    lineOf(run).stops[position]?.forAlighting === true && !request.bannedStops.includes(stopAt(run, position));

  function keep(state: Alighted): void {
    const { run, position } = state;
    const stop = stopAt(run, position);
    if (metAtCall(request.via, state.viaMet, stop, true) < request.via.length) return;
    if (request.useInterchanges && network.interchanges.some((link) => isBanned(link, state))) return;
    for (const egress of request.egress) {
      if (egress.stop !== stop) continue;
      const arrival = (run.arrivals[position] as number) + alightSlack(run) + egress.walkSeconds;
      const inWindow = request.arriveBy
        ? arrival > request.time - request.windowSeconds && arrival <= request.time
        : state.departure >= request.time && state.departure < request.time + request.windowSeconds;
      if (!inWindow) continue;
      const cost = state.cost + alightSlack(run) * request.waitReluctance + egress.walkSeconds * request.walkReluctance;
      const outcome = { departure: state.departure, arrival, rides: state.rides, cost };
      found.set(Object.values(outcome).join(' '), outcome);
    }
  }

  function ride(run: Run, board: number, before: Omit<Alighted, 'run' | 'position'>): void {
    let met = metAtCall(request.via, before.viaMet, stopAt(run, board), false);
    const boarded = [...before.boarded, callAt(run, board)];
    for (let position = board + 1; position < run.arrivals.length; position += 1) {
      met = metAtCall(request.via, met, stopAt(run, position), false);
      if (!mayAlight(run, position)) continue;
      const riding = (run.arrivals[position] as number) - (run.departures[board] as number);
      const left = [...before.left, callAt(run, position)];
      const state: Alighted = {
        ...before,
        run,
        position,
        viaMet: met,
        cost: before.cost + riding * 100,
        boarded,
        left,
      };
      keep(state);
      transferFrom(state);
    }
  }

  function transferFrom(state: Alighted): void {
    if (request.useInterchanges) for (const link of network.interchanges) byInterchange(state, link);
    if (state.rides === request.maximumRides) return;
    const stop = stopAt(state.run, state.position);
    const ofWheelchair = request.wheelchair ? network.wheelchairTransferSeconds[stop] : undefined;
    const seconds = Math.max(request.transferSlackSeconds, ofWheelchair ?? (network.transferSeconds[stop] as number));
    boardAfter(state, stop, stop, seconds, 0);
    for (const path of network.footpaths) {
      if (path.from !== stop) continue;
      const walk = Math.ceil(path.metres / request.walkSpeed);
      if (walk > request.maximumTransferSeconds) continue;
      const least = (request.wheelchair ? path.wheelchairSeconds : undefined) ?? path.minimumSeconds;
      boardAfter(state, stop, path.to, Math.max(walk + request.transferSlackSeconds, least), walk);
    }
  }

  function boardAfter(state: Alighted, from: number, to: number, seconds: number, walk: number): void {
    const arrival = state.run.arrivals[state.position] as number;
    for (const choice of metAtTransfer(request.via, state.viaMet, from, to)) {
      for (const run of runs) {
        const earliest = arrival + alightSlack(state.run) + seconds + choice.wait + boardSlack(run);
        for (let board = 0; board < run.departures.length - 1; board += 1) {
          const departure = run.departures[board] as number;
          if (stopAt(run, board) !== to || !mayBoard(run, board) || departure < earliest) continue;
          const waiting = departure - arrival - walk;
          ride(run, board, {
            ...state,
            rides: state.rides + 1,
            seated: 0,
            viaMet: choice.met,
            cost:
              state.cost +
              waiting * request.waitReluctance +
              walk * request.walkReluctance +
              request.boardCost +
              request.transferCost,
          });
        }
      }
    }
  }

  function byInterchange(state: Alighted, link: SmallInterchange): void {
    const [line, journey, position] = link.from;
    const here = state.run.line === line && state.run.journey === journey && state.position === position;
    if (!here || link.notAllowed || !(link.staySeated || link.guaranteed)) return;
    const rides = state.rides + (link.staySeated ? 0 : 1);
    const seated = link.staySeated ? state.seated + 1 : 0;
    if (rides > request.maximumRides || seated > MOST_SEATED) return;
    const [toLine, toJourney, board] = link.to;
    const arrival = state.run.arrivals[state.position] as number;
    // The first day that the second journey runs, also when it is closed then.
    const to = network.lines[toLine]?.journeys[toJourney];
    const departures = (to?.days ?? [])
      .map((day) => startOfRun(network.zone, day, to?.departures[0] as number))
      .map((start) => start + (to?.departures[board] as number))
      .filter((departure) => departure >= arrival && departure <= arrival + SECONDS_OF_A_DAY);
    const first = Math.min(...departures);
    const next = runs.find(
      (run) => run.line === toLine && run.journey === toJourney && run.departures[board] === first,
    );
    if (next === undefined || !mayBoard(next, board)) return;
    const wait = (next.departures[board] as number) - arrival;
    const relativeCost = link.staySeated
      ? wait * 100
      : wait * request.waitReluctance + request.boardCost + request.transferCost;
    for (const choice of metAtTransfer(request.via, state.viaMet, stopAt(state.run, position), stopAt(next, board))) {
      if (wait < choice.wait) continue;
      ride(next, board, {
        ...state,
        rides,
        seated,
        viaMet: choice.met,
        cost: state.cost + relativeCost,
      });
    }
  }

  for (const access of request.access) {
    for (const run of runs) {
      for (let board = 0; board < run.departures.length - 1; board += 1) {
        if (stopAt(run, board) !== access.stop || !mayBoard(run, board)) continue;
        ride(run, board, {
          departure: (run.departures[board] as number) - boardSlack(run) - access.walkSeconds,
          rides: 1,
          seated: 0,
          boarded: [],
          left: [],
          viaMet: metAtCall(request.via, 0, access.stop, true),
          cost:
            access.walkSeconds * request.walkReluctance + boardSlack(run) * request.waitReluctance + request.boardCost,
        });
      }
    }
  }
  return [...found.values()];
}
