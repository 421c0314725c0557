/**
 * A change of lines keeps their travellers: it sells another ticket to the same people. Finds which traveller of the search
 * is which traveller of the replaced lines. Pure.
 */
import type { Offer } from '../../../offers/rules/offer.ts';
import type { TravellerId } from '../../../shared/ids.ts';
import { ServiceError } from '../../../shared/service-error.ts';
import type { OrderTraveller } from '../order.ts';
import { derivedTravellerId, fits } from './order-travellers.ts';
import { listSelectable, type SelectedTraveller } from './selected-travellers.ts';
import type { DerivedIds, WantedOffer } from './wanted-offer.ts';

export interface ReplacedTravellers {
  /** On the order. */
  readonly known: readonly OrderTraveller[];
  /** Those of the replaced lines, in the order of the lines. */
  readonly replacedIds: readonly TravellerId[];
  readonly ids: DerivedIds;
}

export interface KeptTravellers {
  /** Selects exactly the travellers of the replaced lines, in their order. */
  readonly wanted: WantedOffer;
  /** By the id of the search. */
  readonly kept: ReadonlyMap<string, TravellerId>;
}

type IsMatch = (traveller: OrderTraveller, selected: SelectedTraveller) => boolean;

/** Throws TRAVELLER_NOT_IN_OFFER. A line that was written without travellers takes those of the offer. */
export function keepTravellers(offer: Offer, wanted: WantedOffer, given: ReplacedTravellers): KeptTravellers {
  const { known, replacedIds, ids } = given;
  if (replacedIds.length === 0) return { wanted, kept: new Map() };
  const replaced = replacedIds.flatMap((id) => known.find((traveller) => traveller.id === id) ?? []);
  const others = known.filter(({ id }) => !replacedIds.includes(id));
  const isNamed: IsMatch = (traveller, selected) => isNamedBy(traveller, selected, ids);
  const free = listSelectable(offer, wanted).filter(
    (selected) =>
      replaced.some((traveller) => isNamed(traveller, selected)) ||
      !others.some((traveller) => isNamed(traveller, selected)),
  );
  const matched = match(replaced, free, [isNamed, isSameCustomer, isSameAge, fits]);
  const missing = replaced.find(({ id }) => !matched.has(id));
  const selections = replaced.flatMap(({ id }) => matched.get(id) ?? []);
  const chosen = new Set(selections.map(({ searched }) => searched.id));
  const stranger = wanted.selectedTravellerIds?.find((id) => !chosen.has(id));
  if (stranger !== undefined) throw notOfLines(offer, `The selected traveller ${stranger} is not a traveller`);
  if (missing) throw notOfLines(offer, `No traveller of the search matches ${missing.id}, who is a traveller`);
  return {
    wanted: {
      ...wanted,
      selectedTravellerIds: [...chosen],
      customers: selections.map(({ customerNumber, entitlementIds, position }) => ({
        ...{ entitlementIds, position },
        ...(customerNumber !== undefined && { customerNumber }),
      })),
    },
    kept: new Map(replaced.map(({ id }, at) => [(selections[at] as SelectedTraveller).searched.id, id])),
  };
}

/** The stricter tests come first, so that a traveller with an id is not given to another who is as old. */
function match(
  travellers: readonly OrderTraveller[],
  selectable: readonly SelectedTraveller[],
  tests: readonly IsMatch[],
): ReadonlyMap<TravellerId, SelectedTraveller> {
  const matched = new Map<TravellerId, SelectedTraveller>();
  const taken = new Set<SelectedTraveller>();
  for (const test of tests) {
    for (const traveller of travellers) {
      if (matched.has(traveller.id)) continue;
      const found = selectable.find((each) => !taken.has(each) && fits(traveller, each) && test(traveller, each));
      if (!found) continue;
      matched.set(traveller.id, found);
      taken.add(found);
    }
  }
  return matched;
}

/** By its id on the order, by that of the search that it came from, or as a customer. */
function isNamedBy(traveller: OrderTraveller, selected: SelectedTraveller, ids: DerivedIds): boolean {
  const { searched, customerNumber } = selected;
  const made = [customerNumber, traveller.customerNumber, undefined].map((number) =>
    derivedTravellerId({ searched, ...(number !== undefined && { customerNumber: number }) }, ids),
  );
  return traveller.id === searched.id || made.includes(traveller.id) || isSameCustomer(traveller, selected);
}

function isSameCustomer(traveller: OrderTraveller, { customerNumber }: SelectedTraveller): boolean {
  return customerNumber !== undefined && traveller.customerNumber === customerNumber;
}

function isSameAge(traveller: OrderTraveller, { searched }: SelectedTraveller): boolean {
  return traveller.age === searched.age;
}

function notOfLines({ _id }: Offer, what: string): ServiceError {
  const rule = 'A change keeps the travellers of its lines, with their user types and ages';
  return new ServiceError(
    'TRAVELLER_NOT_IN_OFFER',
    `${what} of the lines that the offer ${_id} replaces. ${rule}: search for those, or cancel the lines and reserve anew.`,
  );
}
