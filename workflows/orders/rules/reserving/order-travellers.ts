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

  /** `preferred`: whose line is replaced. The traveller stays that one when nothing that is known speaks against it. */
  travellerOf(selected: SelectedTraveller, preferred?: TravellerId): OrderTraveller {
    const { searched, customerNumber } = selected;
    const named = this.#known.get(searched.id as TravellerId);
    const replaced = preferred === undefined ? undefined : this.#known.get(preferred);
    const fitting = [named, replaced].find((traveller) => traveller && fits(traveller, selected));
    const traveller = fitting ? withCustomer(fitting, customerNumber) : this.#new(selected);
    this.#used.set(traveller.id, traveller);
    return traveller;
  }

  /** Travellers of the lines that were made, as they should be on the order. */
  get used(): readonly OrderTraveller[] {
    return [...this.#used.values()];
  }

  #new({ searched: { id, userTypeId, age }, customerNumber }: SelectedTraveller): OrderTraveller {
    const name = ['traveller', id, userTypeId, age ?? '', customerNumber ?? ''].join('/');
    return {
      id: this.#ids.ofOrder(name) as TravellerId,
      userTypeId,
      ...(age !== undefined && { age }),
      ...(customerNumber !== undefined && { customerNumber }),
    };
  }
}

function fits(known: OrderTraveller, { searched, customerNumber }: SelectedTraveller): boolean {
  if (known.userTypeId !== searched.userTypeId) return false;
  if (known.age !== undefined && searched.age !== undefined && known.age !== searched.age) return false;
  return known.customerNumber === undefined || customerNumber === undefined || known.customerNumber === customerNumber;
}

function withCustomer(known: OrderTraveller, customerNumber: CustomerNumber | undefined): OrderTraveller {
  return known.customerNumber !== undefined || customerNumber === undefined ? known : { ...known, customerNumber };
}
