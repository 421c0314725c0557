/** A database of its own with a ledger, and events that post. */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { LEDGER_ENTRIES, type LedgerDocument } from '../../../activities/books/ledger-document.ts';
import { LedgerStore } from '../../../activities/books/ledger-store.ts';
import { SETTLEMENTS_COLLECTION } from '../../../activities/books/settlement-document.ts';
import type { EventWithEntry } from '../../../activities/shared/ledger.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { OrganisationId, SettlementId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';
import { orderEvent } from '../events/support.ts';

export const OURS = 1 as OrganisationId;
export const SETTLEMENT = '4711' as SettlementId;

export interface LedgerWorld {
  readonly connection: Connection;
  readonly ledger: LedgerStore;
  documents(): Promise<readonly LedgerDocument[]>;
  close(): Promise<void>;
}

export async function openLedger(): Promise<LedgerWorld> {
  const connection = await connectMongo((await useMongo()).uri(`books_${randomUUID().slice(0, 8)}`));
  const ledger = new LedgerStore(connection);
  await ledger.ensureIndexes();
  await SETTLEMENTS_COLLECTION.ensureIndexes(connection);
  return {
    connection,
    ledger,
    documents: async () => await LEDGER_ENTRIES.open(connection).find().sort({ number: 1, _id: 1 }).toArray(),
    close: async () => {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** The capture of an amount: the provider owes it, the customer has paid it. */
export function capturedEvent(
  orderId: string,
  sequence: number,
  { settlementId, amountMinor = 10_000 }: { readonly settlementId?: SettlementId; readonly amountMinor?: number } = {},
): EventWithEntry {
  return {
    ...orderEvent(orderId, sequence, OURS),
    entry: {
      currency: 'NOK',
      postings: [
        { account: 'clearing/SIMULATOR', amountMinor },
        { account: 'receivables', amountMinor: -amountMinor },
      ],
      references: { orderId, paymentId: 7, transactionId: sequence },
      ...(settlementId !== undefined && { settlementId }),
    },
  };
}
