/**
 * Divides travellers between tickets for parties and tickets of their own, as cheaply as possible. Pure.
 *
 * A party's price does not depend on who is in it. So the travellers who save most join, and it only remains to find how
 * many: for each number the cheapest parties are known from those for smaller numbers.
 */
import { sumOf } from '../../shared/money.ts';

export interface PartyTicket {
  readonly offerId: string;
  readonly amountMinor: number;
  readonly minTravellers: number;
  readonly maxTravellers: number;
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

/** Undefined where somebody can neither join nor travel alone, or where no party is made. */
export function splitIntoParties(
  members: readonly PossibleMember[],
  tickets: readonly PartyTicket[],
): Split | undefined {
  const joining = members
    .filter(({ besidesMinor }) => besidesMinor !== undefined)
    .toSorted((a, b) => savingOf(b) - savingOf(a));
  const outside = members.filter(({ besidesMinor }) => besidesMinor === undefined);
  const sizes = cheapestBySize(tickets, joining.length);
  let best: Split | undefined;
  for (const [count, units] of sizes.entries()) {
    const alone = [...joining.slice(count), ...outside].map(({ aloneMinor }) => aloneMinor);
    if (count === 0 || !units || !alone.every((amount) => amount !== undefined)) continue;
    const inside = joining.slice(0, count);
    const amounts = [...units.map((unit) => unit.ticket.amountMinor), ...alone];
    const amountMinor = sumOf([...amounts, ...inside.map(({ besidesMinor = 0 }) => besidesMinor)]);
    if (!best || amountMinor < best.amountMinor) best = { amountMinor, parties: fill(units, inside) };
  }
  return best;
}

function savingOf({ aloneMinor, besidesMinor = 0 }: PossibleMember): number {
  return aloneMinor === undefined ? Number.POSITIVE_INFINITY : aloneMinor - besidesMinor;
}

interface Unit {
  readonly ticket: PartyTicket;
  readonly size: number;
}

/** By number of travellers; undefined where parties cannot have exactly that many. */
function cheapestBySize(tickets: readonly PartyTicket[], most: number): readonly (readonly Unit[] | undefined)[] {
  const amountOf = (units: readonly Unit[]) => sumOf(units.map(({ ticket }) => ticket.amountMinor));
  const best: (readonly Unit[] | undefined)[] = [[]];
  for (let count = 1; count <= most; count++) {
    let cheapest: readonly Unit[] | undefined;
    for (const ticket of tickets) {
      for (let size = ticket.minTravellers; size <= Math.min(ticket.maxTravellers, count); size++) {
        const others = best[count - size];
        const units = others && [{ ticket, size }, ...others];
        if (units && (!cheapest || amountOf(units) < amountOf(cheapest))) cheapest = units;
      }
    }
    best[count] = cheapest;
  }
  return best;
}

function fill(units: readonly Unit[], members: readonly PossibleMember[]): readonly Party[] {
  let next = 0;
  return units.map(({ ticket, size }) => {
    const travellerIds = members.slice(next, next + size).map(({ travellerId }) => travellerId);
    next += size;
    return { offerId: ticket.offerId, amountMinor: ticket.amountMinor, travellerIds };
  });
}
