/**
 * The part of payments in the erasure of a customer: what payments and invoices of that customer have sealed. Where the
 * customer is the contact of the order, its key is destroyed besides, by the orders area. Amounts and references stay; the number
 * of the customer names nobody any more. Caller: the worker that erases, by the manifest.
 */
import type { Connection } from 'mongoose';
import type { StoreBase } from '../../platform/area.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { INVOICES_COLLECTION } from './invoice-document.ts';
import { PAYMENTS_COLLECTION } from './payment-document.ts';

export async function paymentErasureSteps({ mongo }: Pick<StoreBase, 'mongo'>): Promise<readonly ErasureStep[]> {
  return [paymentErasureStep(mongo)];
}

export function paymentErasureStep(connection: Connection): ErasureStep {
  const invoices = INVOICES_COLLECTION.open(connection);
  const payments = PAYMENTS_COLLECTION.open(connection);
  return {
    name: 'payments',
    erase: async (organisationId, subject) => {
      const conditions = conditionsOf(organisationId, subject);
      if (!conditions) return;
      await invoices.updateMany(conditions.invoices, { $unset: { sealed: '', keyId: '' }, $inc: { revision: 1 } });
      // A provider that is asked for it right now finds nothing to open.
      const app = { 'transactions.$[claim].session.app': '' } as const;
      const arrayFilters = [{ 'claim.session.app': { $exists: true } }];
      await payments.updateMany(conditions.payments, { $unset: app, $inc: { revision: 1 } }, { arrayFilters });
    },
    isErased: async (organisationId, subject) => {
      const conditions = conditionsOf(organisationId, subject);
      if (!conditions) return true;
      const projection = { _id: 1 };
      const [invoice, payment] = await Promise.all([
        invoices.findOne(conditions.invoices, { projection }),
        payments.findOne(conditions.payments, { projection }),
      ]);
      return invoice === null && payment === null;
    },
  };
}

function conditionsOf(organisationId: number, subject: SubjectId) {
  if (!CUSTOMER.includes(subject)) return undefined;
  const owned = { organisationId, customerNumber: CUSTOMER.idOf(subject) };
  return {
    invoices: { ...owned, sealed: { $exists: true } } as object,
    payments: { ...owned, 'transactions.session.app': { $exists: true } } as object,
  };
}
