/**
 * Seat arrangements as partners find them. Each is shown once, with the seat that its order has. Caller: the area's
 * operations.
 */
import type { Connection, mongo } from 'mongoose';
import {
  type SearchPage,
  type SearchRequest,
  toMongoFilter,
  toSearchPage,
} from '../../platform/mongo/search-filter.ts';
import type { OrganisationId, ReservationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { findPage } from '../shared/bounded-page.ts';
import type { OrderAccess } from '../shared/orders.ts';
import {
  ARRANGEMENT_INDEX,
  ARRANGEMENTS,
  type ArrangementDocument,
  type ArrangementSeat,
  ID_INDEX,
} from './seating-model.ts';

/** `ANY`: those of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

/** With a seat: it is held, or was. */
export type SeatedArrangement = ArrangementDocument & ArrangementSeat;

const FIELDS = {
  orderId: { member: 'orderId' },
  orderLineId: { member: 'orderLineId' },
  reservationId: { member: '_id' },
  datedServiceJourneyId: { member: 'datedServiceJourneyId' },
  status: { member: 'status' },
};
const SEATED = { seatNumber: { $exists: true } };

export interface ArrangementSearchOptions {
  readonly connection: Connection;
  readonly orders: () => Pick<OrderAccess, 'listReserved'>;
}

export class ArrangementSearch {
  readonly #arrangements: mongo.Collection<ArrangementDocument>;
  readonly #orders: ArrangementSearchOptions['orders'];

  constructor({ connection, orders }: ArrangementSearchOptions) {
    this.#arrangements = ARRANGEMENTS.open(connection);
    this.#orders = orders;
  }

  /**
   * By the arrangement's id, or by that of any of its reservations: the seat that replaces the others, else the last one.
   * A seat that is held to replace another counts once the order has it. Throws NOT_FOUND, also for other organisations.
   */
  async get(tenancy: Tenancy, id: ReservationId): Promise<SeatedArrangement> {
    const known = { ...SEATED, ...(await this.#ownedBy(tenancy)), status: { $ne: 'PENDING' as const } };
    const named = await this.#arrangements.findOne({ _id: id, ...known }, { hint: ID_INDEX });
    const filter = { ...known, arrangementId: named?.arrangementId ?? id };
    const shown = (await this.#findLive(filter)) ?? (await this.#findLast(filter));
    if (!shown) throw new ServiceError('NOT_FOUND', 'There is no such seating arrangement.');
    return shown as SeatedArrangement;
  }

  /** The newest first. A reservation whose seat was given up for another is found by its own id alone. */
  async search(tenancy: Tenancy, search: SearchRequest): Promise<SearchPage<SeatedArrangement>> {
    const byReservation = search.terms.some(({ field }) => field === 'reservationId');
    const filter: mongo.Filter<ArrangementDocument> = {
      $and: [
        { ...SEATED, ...(await this.#ownedBy(tenancy)), status: { $ne: 'PENDING' } },
        byReservation ? {} : { replacedBy: { $exists: false } },
        toMongoFilter(search.terms, FIELDS),
      ],
    };
    const { documents, totalItems } = await findPage(this.#arrangements, filter, {
      page: search.page,
      perPage: search.perPage,
      sort: { heldAt: -1, _id: 1 },
      ...(byReservation && { hint: ID_INDEX }),
    });
    return toSearchPage(search, documents as unknown as SeatedArrangement[], totalItems);
  }

  /** Few are live at a time: the sold one, that of the draft, and holds whose order is not written yet. */
  async #findLive(filter: mongo.Filter<ArrangementDocument>): Promise<ArrangementDocument | undefined> {
    const status = { $in: ['HELD' as const, 'CONFIRMED' as const] };
    const options = { hint: ARRANGEMENT_INDEX, sort: { heldAt: -1 as const } };
    const live = await this.#arrangements.find({ ...filter, status }, options).toArray();
    const [unsure] = live.filter(mayBeUnwritten);
    if (!unsure) return live.find(({ replacedBy }) => replacedBy === undefined) ?? live[0];
    const reserved = await this.#orders().listReserved(unsure.orderId);
    const isWritten = (each: ArrangementDocument) => mayBeUnwritten(each) && reserved.has(each._id);
    return live.find(isWritten) ?? live.find((each) => !mayBeUnwritten(each));
  }

  async #findLast(filter: mongo.Filter<ArrangementDocument>): Promise<ArrangementDocument | undefined> {
    const options = { hint: ARRANGEMENT_INDEX, sort: { heldAt: -1 as const } };
    return (await this.#arrangements.findOne({ ...filter, status: 'RELEASED' }, options)) ?? undefined;
  }

  /** Indexes begin with the organisation: a search over all of them names each. */
  async #ownedBy(tenancy: Tenancy) {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#arrangements.distinct('organisationId');
    return { organisationId: { $in: all } };
  }
}

/** Held to replace a seat, and hidden behind it: whether the order was written with it, the order knows. */
function mayBeUnwritten({ replaces, replacedBy }: ArrangementDocument): boolean {
  return replaces !== undefined && replacedBy === replaces;
}
