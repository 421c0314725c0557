/**
 * Travellers of a search as travellers of an order. One who is on the order already is not added again: by the same id, or
 * by the same facts under the id of a search. Pure.
 */
import type { CustomerNumber, TravellerId } from '../../../shared/ids.ts';
import type { OrderTraveller } from '../order.ts';
import type { SelectedTraveller } from './selected-travellers.ts';
import type { DerivedIds } from './wanted-offer.ts';

export class OrderTravellers {
  readonly #known: Map<TravellerId, OrderTraveller>;
  readonly #ids: DerivedIds;
  readonly #used = new Map<TravellerId, OrderTraveller>();

  /** `known`: on the order. */
  constructor(known: readonly OrderTraveller[], ids: DerivedIds) {
    this.#known = new Map(known.map((traveller) => [traveller.id, traveller]));
    this.#ids = ids;
  }

  /** `keptId`: whose line is replaced, and who fits. */
  travellerOf(selected: SelectedTraveller, keptId?: TravellerId): OrderTraveller {
    const { searched, customerNumber } = selected;
    const named = this.#known.get(keptId ?? (searched.id as TravellerId));
    const traveller = named && fits(named, selected) ? withCustomer(named, customerNumber) : this.#new(selected);
    this.#used.set(traveller.id, traveller);
    return traveller;
  }

  /** Travellers of the lines that were made, as they should be on the order. */
  get used(): readonly OrderTraveller[] {
    return [...this.#used.values()];
  }

  /** That the order would have. */
  get count(): number {
    return new Set([...this.#known.keys(), ...this.#used.keys()]).size;
  }

  #new(selected: SelectedTraveller): OrderTraveller {
    const { userTypeId, age } = selected.searched;
    const { customerNumber } = selected;
    return {
      id: derivedTravellerId(selected, this.#ids),
      userTypeId,
      ...(age !== undefined && { age }),
      ...(customerNumber !== undefined && { customerNumber }),
    };
  }
}

/** Travellers of one order with the same id of a search, and the same facts, are the same one. */
export function derivedTravellerId(
  { searched: { id, userTypeId, age }, customerNumber }: Pick<SelectedTraveller, 'searched' | 'customerNumber'>,
  ids: DerivedIds,
): TravellerId {
  return ids.ofOrder(['traveller', id, userTypeId, age ?? '', customerNumber ?? ''].join('/')) as TravellerId;
}

export function fits(known: OrderTraveller, { searched, customerNumber }: SelectedTraveller): boolean {
  if (known.userTypeId !== searched.userTypeId) return false;
  if (known.age !== undefined && searched.age !== undefined && known.age !== searched.age) return false;
  return known.customerNumber === undefined || customerNumber === undefined || known.customerNumber === customerNumber;
}

function withCustomer(known: OrderTraveller, customerNumber: CustomerNumber | undefined): OrderTraveller {
  return known.customerNumber !== undefined || customerNumber === undefined ? known : { ...known, customerNumber };
}
