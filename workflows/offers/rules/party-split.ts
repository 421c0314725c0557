/**
 * Divides travellers between tickets for parties and tickets of their own, as cheaply as possible. Pure.
 *
 * A party's price does not depend on who is in it. So the travellers who save most join, and it only remains to find how
 * many: for each number the cheapest parties are known from those for smaller numbers. Parties of one pool share places.
 */
import { sumOf } from '../../shared/money.ts';

export interface PartyTicket {
  readonly offerId: string;
  readonly amountMinor: number;
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
  readonly aloneMinor: number | undefined;
  /** What the traveller pays besides the party's ticket; undefined: the traveller cannot join. */
  readonly besidesMinor: number | undefined;
}

export interface Party {
  readonly offerId: string;
  readonly amountMinor: number;
  readonly travellerIds: readonly string[];
}

export interface Split {
  readonly parties: readonly Party[];
  readonly amountMinor: number;
}

/** The cheapest one for each number of members. None where somebody can neither join nor travel alone. */
export function splitsIntoParties(members: readonly PossibleMember[], pools: readonly PartyPool[]): readonly Split[] {
  const joining = members
    .filter(({ besidesMinor }) => besidesMinor !== undefined)
    .toSorted((a, b) => savingOf(b) - savingOf(a));
  const outside = members.filter(({ besidesMinor }) => besidesMinor === undefined);
  return divisionsOf(pools, joining.length).flatMap((division, count) => {
    const alone = [...joining.slice(count), ...outside].map(({ aloneMinor }) => aloneMinor);
    if (count === 0 || !division || !alone.every((amount) => amount !== undefined)) return [];
    const inside = joining.slice(0, count);
    const besides = inside.map(({ besidesMinor = 0 }) => besidesMinor);
    return [
      { amountMinor: division.amountMinor + sumOf([...alone, ...besides]), parties: fill(division.units, inside) },
    ];
  });
}

function savingOf({ aloneMinor, besidesMinor = 0 }: PossibleMember): number {
  return aloneMinor === undefined ? Number.POSITIVE_INFINITY : aloneMinor - besidesMinor;
}

interface Unit {
  readonly ticket: PartyTicket;
  readonly size: number;
}

interface Division {
  readonly units: readonly Unit[];
  readonly amountMinor: number;
}

/** By number of travellers; undefined where parties cannot have exactly that many. */
type Divisions = readonly (Division | undefined)[];

const NOBODY: Divisions = [{ units: [], amountMinor: 0 }];

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
    let best: Division | undefined;
    for (let ofOne = 0; ofOne <= count; ofOne++) best = cheaper(best, joined(one[ofOne], other[count - ofOne]));
    return best;
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
  let best: Division | undefined;
  for (const unit of units) {
    const own = { units: [unit], amountMinor: unit.ticket.amountMinor };
    best = cheaper(best, joined(own, others[count - unit.size]));
  }
  return best;
}

function joined(one: Division | undefined, other: Division | undefined): Division | undefined {
  return one && other && { units: [...one.units, ...other.units], amountMinor: one.amountMinor + other.amountMinor };
}

/** The first one where they cost the same. */
function cheaper(one: Division | undefined, other: Division | undefined): Division | undefined {
  return one && (!other || one.amountMinor <= other.amountMinor) ? one : other;
}

function fill(units: readonly Unit[], members: readonly PossibleMember[]): readonly Party[] {
  let next = 0;
  return units.map(({ ticket, size }) => {
    const travellerIds = members.slice(next, next + size).map(({ travellerId }) => travellerId);
    next += size;
    return { offerId: ticket.offerId, amountMinor: ticket.amountMinor, travellerIds };
  });
}
