/** A receipt as it is stored. Callers: the stores of this folder. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const RECEIPT_DOCUMENTS = new CollectionDefinition<{ readonly _id: string }>('receipts');
