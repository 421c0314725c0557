/**
 * Makes path links of the register from transfers between stops. Transfers between trips become interchanges
 * (interchanges.ts); transfers without a form in the profile are counted. Caller: the timetable.
 */
import { distanceMetres } from '../../netex/geo/distance.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import type { Feed, Transfer } from '../feed/feed.ts';
import { STATION } from '../feed/feed.ts';
import type { StopPlan } from './stop-places.ts';
import type { StopPositions } from './stop-positions.ts';
import type { PathLink } from './timetable.ts';

const RECOMMENDED = 0;
const MINIMUM_TIME = 2;
const NOT_POSSIBLE = 3;
/** A walking path is longer than the straight line. */
const DETOUR = 1.3;

interface End {
  readonly place: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface TransferSource {
  readonly feed: Feed;
  readonly positions: StopPositions;
  readonly plan: StopPlan;
}

export function planPathLinks(source: TransferSource, changes: ChangeLog): PathLink[] {
  const links = new Map<string, PathLink>();
  for (const transfer of source.feed.transfers) {
    if (!isWay(transfer, changes)) continue;
    const seconds = transfer.type === MINIMUM_TIME ? (transfer.minimumSeconds ?? 0) : 0;
    for (const from of endsOf(transfer.fromStop, source)) {
      for (const to of endsOf(transfer.toStop, source)) addLink(links, from, to, seconds);
    }
  }
  return [...links.values()];
}

function isWay(transfer: Transfer, changes: ChangeLog): boolean {
  if (transfer.fromTrip !== -1 || transfer.toTrip !== -1) return false;
  if (transfer.type === NOT_POSSIBLE) {
    changes.note('transfers left out that say "not possible" of two stops: the profile says that of two journeys only');
    return false;
  }
  if (transfer.type < RECOMMENDED || transfer.type > NOT_POSSIBLE) {
    changes.note('transfers left out that speak of staying on board but name no trips');
    return false;
  }
  if (transfer.namesRoutes) {
    changes.note('transfers left out that hold between two routes only');
    return false;
  }
  return transfer.fromStop !== -1 && transfer.toStop !== -1;
}

/** A station ends at its stop place, or at each of them when it has several. */
function endsOf(stop: number, { feed, positions, plan }: TransferSource): End[] {
  const latitude = positions.latitude[stop] ?? Number.NaN;
  const longitude = positions.longitude[stop] ?? Number.NaN;
  const quay = plan.quayKeys[stop];
  if (feed.stops[stop]?.kind !== STATION)
    return quay === undefined ? [] : [{ place: `Quay:${quay}`, latitude, longitude }];
  return (plan.placeKeys.get(stop) ?? []).map((key) => ({ place: `StopPlace:${key}`, latitude, longitude }));
}

function addLink(links: Map<string, PathLink>, from: End, to: End, seconds: number): void {
  const isSame = from.place === to.place;
  const back = links.get(`${to.place} ${from.place}`);
  if (back && !isSame && back.seconds === seconds) {
    links.set(`${to.place} ${from.place}`, { ...back, isBothWays: true });
    return;
  }
  const metres = distanceMetres(from.latitude, from.longitude, to.latitude, to.longitude) * DETOUR;
  const key = `${from.place} ${to.place}`;
  const known = links.get(key);
  links.set(key, {
    key: String(known ? known.key : links.size + 1),
    from: from.place,
    to: to.place,
    metres: isSame || !Number.isFinite(metres) ? undefined : Math.round(metres),
    seconds: Math.max(seconds, known?.seconds ?? 0),
    isBothWays: isSame || (known?.isBothWays ?? false),
  });
}
