/**
 * A process that issues the receipts of the orders in its arguments, all at once, and is killed after so many of them, while others
 * are on their way. Caller: receipt-serials.test.ts.
 */
import { CatalogueStore } from '../../activities/catalogue/catalogue-store.ts';
import { ExistingCustomers } from '../../activities/customers/existing-customers.ts';
import { StoredSoldOrders } from '../../activities/orders/sold-orders.ts';
import { CreditStore } from '../../activities/payments/credit-store.ts';
import { PaymentStore } from '../../activities/payments/payment-store.ts';
import { PaidVersions } from '../../activities/payments/version-money.ts';
import { ReceiptIssuing } from '../../activities/receipts/receipt-issuing.ts';
import { ReceiptStore } from '../../activities/receipts/receipt-store.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';

/** Less than a receipt takes. */
const MOST_LATER_MS = 3;

const [uri = '', killedAfter, ...orderIds] = process.argv.slice(2);
let issued = 0;
const connection = await connectMongo(uri);
const payments = new PaymentStore({ connection, environment: 'dev' });
const money = new PaidVersions({ payments, credits: new CreditStore({ connection }) });
const issuing = new ReceiptIssuing({
  receipts: new ReceiptStore({ connection }),
  sold: () => new StoredSoldOrders(connection),
  money: () => money,
  catalogue: () => new CatalogueStore(connection),
  customers: () => new ExistingCustomers(connection),
});
await Promise.all(
  orderIds.map(async (orderId) => {
    const version = { tenancy: 'ANY' as const, orderId: orderId as OrderId, orderVersion: 1 };
    await issuing.issue(version, { correlationId: orderId });
    issued += 1;
    if (issued !== Number(killedAfter)) return;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * MOST_LATER_MS);
  }),
);
await connection.close();
