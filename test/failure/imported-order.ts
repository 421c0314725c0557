/** An order that another system has sold and was paid for: one ticket for one adult. */
import { randomInt, randomUUID } from 'node:crypto';
import { legOf, TRAINS } from '../support/sold-trains.ts';

const PRICE = '300.00';
const HOUR_MS = 3_600_000;

export function importedOrder(index: number, lineId = randomUUID()): object {
  const travellerId = randomUUID();
  const leg = legOf({ from: 0, to: 2, train: index % TRAINS });
  const importedAt = new Date(Date.now() - HOUR_MS).toISOString();
  const rrn = String(randomInt(10 ** 11, 10 ** 12));
  const card = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', rrn, transactionConfirmedAt: importedAt };
  return {
    ...{ externalReference: `old-${index}`, importedAt, travellers: [{ id: travellerId, userType: 'ADULT' }] },
    orderLines: [
      {
        id: lineId,
        ...{ status: 'CONFIRMED', description: [{ lang: 'nob', value: 'Enkeltbillett' }], price: { amount: PRICE } },
        ...{ fareProducts: [{ id: 'FLEX' }], travellers: [{ travellerId }] },
        travelSpecification: {
          ...{ legs: [leg], startOfValidity: leg.expectedStartTime, endOfValidity: leg.expectedEndTime },
        },
      },
    ],
    transactions: [{ ...card, amount: PRICE }],
  };
}
