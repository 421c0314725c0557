/** Seat arrangements as partners find them. Each is shown once, with the seat that counts. Caller: the area's operations. */
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
import { ARRANGEMENTS, type ArrangementDocument, type ArrangementSeat, ID_INDEX } from './seating-model.ts';

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

export class ArrangementSearch {
  readonly #arrangements: mongo.Collection<ArrangementDocument>;

  constructor(connection: Connection) {
    this.#arrangements = ARRANGEMENTS.open(connection);
  }

  /**
   * By the arrangement's id, or by that of any of its reservations: the seat that replaces the others, else the last one.
   * Throws NOT_FOUND, also for other organisations.
   */
  async get(tenancy: Tenancy, id: ReservationId): Promise<SeatedArrangement> {
    const known = { ...SEATED, ...(await this.#ownedBy(tenancy)), status: { $ne: 'PENDING' as const } };
    const named = await this.#arrangements.findOne({ _id: id, ...known }, { hint: ID_INDEX });
    const filter = { arrangementId: named?.arrangementId ?? id, ...known };
    const found = await this.#arrangements.find(filter).sort({ heldAt: -1 }).toArray();
    const live = found.filter(({ status }) => status !== 'RELEASED');
    const shown = live.find(({ replacedBy }) => replacedBy === undefined) ?? live[0] ?? found[0];
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

  /** Indexes begin with the organisation: a search over all of them names each. */
  async #ownedBy(tenancy: Tenancy) {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#arrangements.distinct('organisationId');
    return { organisationId: { $in: all } };
  }
}
