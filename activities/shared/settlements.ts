/** What other areas ask of settlements, and settlements of other areas. Types, and the keys of the interfaces. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { DistributionChannelId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';

export interface OpenSettlement {
  readonly id: SettlementId;
  readonly distributionChannelId: DistributionChannelId;
}

export interface SettlementReader {
  /** Undefined for a settlement that is absent, closed, or of another organisation. */
  findOpen(organisationId: OrganisationId, id: SettlementId): Promise<OpenSettlement | undefined>;
}

/** Provided by the books. */
export const SETTLEMENTS = interfaceKey<SettlementReader>('settlements');

export interface SettledMoney {
  /** Whether events that post for this settlement are on their way to the ledger. */
  hasPendingEntries(id: SettlementId): Promise<boolean>;
}

/** Provided by payments: a settlement is closed after what was written before has arrived. */
export const SETTLED_MONEY = interfaceKey<SettledMoney>('settled-money');
