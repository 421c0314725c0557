/** A settlement as it is stored. Callers: the stores of this folder, the manifest. */
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import type { EventFamily } from '../../platform/events/event-family.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Settlement } from '../../workflows/books/rules/settlement.ts';
import type { SettlementId } from '../../workflows/shared/ids.ts';

export interface SettlementDocument extends AggregateDocument, Omit<Settlement, 'id'> {
  readonly _id: SettlementId;
}

export const SETTLEMENT_ID_INDEX = 'organisation_and_id';
export const CLOSING_INDEX = 'closing';

export const SETTLEMENTS_COLLECTION = new CollectionDefinition<SettlementDocument>('settlements', [
  ...AGGREGATE_INDEXES,
  { name: SETTLEMENT_ID_INDEX, key: { organisationId: 1, _id: 1 } },
  { name: 'by_opening', key: { organisationId: 1, openedAt: -1, _id: -1 } },
  { name: 'by_status', key: { organisationId: 1, status: 1, openedAt: -1, _id: -1 } },
  { name: CLOSING_INDEX, key: { closingAt: 1 }, partialFilterExpression: { status: 'CLOSING' } },
]);

export const SETTLEMENT_EVENTS: EventFamily<Pick<SettlementDocument, '_id' | 'organisationId'>> = {
  aggregate: 'settlement',
  topic: 'settlement-events',
  source: '/sales/settlement',
  typePrefix: 'service.settlement',
  describe: ({ _id, organisationId }) => ({
    aggregateId: _id,
    key: _id,
    organisationId,
    ids: { settlementId: _id },
  }),
};
