/**
 * Divides travellers between tickets for parties and tickets of their own, as cheaply as possible. Pure.
 *
 * A party's price does not depend on who is in it. So the travellers who save most join, and it only remains to find how
 * many: for each number the cheapest parties are known from those for smaller numbers. Parties of one pool share places.
 */
import { sumOf } from '../../shared/money.ts';

export interface PartyTicket {
  readonly offerId: string;
  readonly cost: number;
  readonly minTravellers: number;
  readonly maxTravellers: number;
}

/** Tickets whose parties share places. */
export interface PartyPool {
  readonly tickets: readonly PartyTicket[];
  /** What all its parties may have together. Absent: as many as they like. */
  readonly places?: number;
  /** Each party has one of these compartments alone; by their places. */
  readonly compartments?: readonly number[];
}

export interface PossibleMember {
  readonly travellerId: string;
  /** What the traveller pays without a party; undefined where that is impossible. */
  readonly aloneCost: number | undefined;
  /** What the traveller pays besides the party's ticket; undefined: the traveller cannot join. */
  readonly besidesCost: number | undefined;
}

export interface Party {
  readonly offerId: string;
  readonly cost: number;
  readonly travellerIds: readonly string[];
}

export interface Split {
  readonly parties: readonly Party[];
  readonly cost: number;
}

/** The cheapest one for each number of members. None where somebody can neither join nor travel alone. */
export function splitsIntoParties(members: readonly PossibleMember[], pools: readonly PartyPool[]): readonly Split[] {
  const joining = members
    .filter(({ besidesCost }) => besidesCost !== undefined)
    .toSorted((a, b) => savingOf(b) - savingOf(a));
  const outside = members.filter(({ besidesCost }) => besidesCost === undefined);
  return divisionsOf(pools, joining.length).flatMap((division, count) => {
    const alone = [...joining.slice(count), ...outside].map(({ aloneCost }) => aloneCost);
    if (count === 0 || !division || !alone.every((amount) => amount !== undefined)) return [];
    const inside = joining.slice(0, count);
    const besides = inside.map(({ besidesCost = 0 }) => besidesCost);
    return [{ cost: division.cost + sumOf([...alone, ...besides]), parties: fill(division.units, inside) }];
  });
}

function savingOf({ aloneCost, besidesCost = 0 }: PossibleMember): number {
  return aloneCost === undefined ? Number.POSITIVE_INFINITY : aloneCost - besidesCost;
}

interface Unit {
  readonly ticket: PartyTicket;
  readonly size: number;
}

interface Division {
  readonly units: readonly Unit[];
  readonly cost: number;
}

/** By number of travellers; undefined where parties cannot have exactly that many. */
type Divisions = readonly (Division | undefined)[];

const NOBODY: Divisions = [{ units: [], cost: 0 }];

function divisionsOf(pools: readonly PartyPool[], most: number): Divisions {
  return pools.reduce((all, pool) => combine(all, divisionsOfPool(pool, most), most), NOBODY);
}

function divisionsOfPool({ tickets, places, compartments }: PartyPool, most: number): Divisions {
  if (compartments) return withCompartments(tickets, compartments, most);
  return withPlaces(tickets, Math.min(places ?? most, most));
}

function withPlaces(tickets: readonly PartyTicket[], most: number): Divisions {
  const best: (Division | undefined)[] = [...NOBODY];
  for (let count = 1; count <= most; count++) best[count] = cheapest(unitsOf(tickets, count), best, count);
  return best;
}

/** Each compartment in turn has one party more, or none. */
function withCompartments(tickets: readonly PartyTicket[], compartments: readonly number[], most: number): Divisions {
  return compartments.reduce<Divisions>((best, places) => {
    const units = unitsOf(tickets, places);
    return Array.from({ length: most + 1 }, (_, count) => cheaper(best[count], cheapest(units, best, count)));
  }, NOBODY);
}

function combine(one: Divisions, other: Divisions, most: number): Divisions {
  return Array.from({ length: most + 1 }, (_, count) => {
    const pairs = Array.from({ length: count + 1 }, (_each, ofOne) => [one[ofOne], other[count - ofOne]] as const);
    return cheapestOf(pairs);
  });
}

function unitsOf(tickets: readonly PartyTicket[], most: number): readonly Unit[] {
  return tickets.flatMap((ticket) => {
    const sizes = Math.min(ticket.maxTravellers, most) - ticket.minTravellers + 1;
    return Array.from({ length: Math.max(0, sizes) }, (_, at) => ({ ticket, size: ticket.minTravellers + at }));
  });
}

/** One of the units, and the best for the others of so many travellers. */
function cheapest(units: readonly Unit[], others: Divisions, count: number): Division | undefined {
  return cheapestOf(units.map((unit) => [{ units: [unit], cost: unit.ticket.cost }, others[count - unit.size]]));
}

type Pair = readonly [Division | undefined, Division | undefined];

/** The first one where they cost the same. Joins that pair alone: there are many, and each has many units. */
function cheapestOf(pairs: readonly Pair[]): Division | undefined {
  let best: { readonly pair: readonly [Division, Division]; readonly cost: number } | undefined;
  for (const [one, other] of pairs) {
    if (!one || !other) continue;
    const cost = one.cost + other.cost;
    if (!best || cost < best.cost) best = { pair: [one, other], cost };
  }
  return best && { units: best.pair.flatMap(({ units }) => units), cost: best.cost };
}

/** The first one where they cost the same. */
function cheaper(one: Division | undefined, other: Division | undefined): Division | undefined {
  return one && (!other || one.cost <= other.cost) ? one : other;
}

function fill(units: readonly Unit[], members: readonly PossibleMember[]): readonly Party[] {
  let next = 0;
  return units.map(({ ticket, size }) => {
    const travellerIds = members.slice(next, next + size).map(({ travellerId }) => travellerId);
    next += size;
    return { offerId: ticket.offerId, cost: ticket.cost, travellerIds };
  });
}
