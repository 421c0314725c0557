/** Orders that were sold elsewhere. */
import { assertCustomers } from '../../activities/orders/reserving-checks.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { importOrder } from '../../workflows/orders/rules/creation.ts';
import type { ImportedTransaction } from '../../workflows/orders/rules/order.ts';
import type { DistributionChannelId, OrderLineId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { channelOrDefault } from '../shared/distribution-channel.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Operation } from '../shared/operation.ts';
import { readAmount, readPrice } from '../shared/prices.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { contactOf } from './details.ts';
import { readLines } from './line-requests.ts';
import { createdOrderReply } from './replies.ts';
import { assertMayReduce, invalidMember, maySetPrices, posOf, workOf } from './requests.ts';
import { readTravellers } from './traveller-requests.ts';

type Body = Schemas['ImportedOrder'];

export function createImport(dependencies: OrdersDependencies): Operation<Operations['importOrder']> {
  const { orders, catalogue } = dependencies;
  return async (context) => {
    const { body, caller } = context;
    const { organisationId } = caller;
    const { id, currency } = await channelOrDefault(context, catalogue);
    refuseOtherCurrency(body, currency);
    assertMayReduce(caller, body.fees ?? []);
    const work = await workOf(context);
    const content = await readContent(dependencies, context, currency, work.workId);
    const { description } = body.specialOrderCause ?? {};
    const fees = body.fees ?? [];
    const created = orders.create(
      organisationId,
      work,
      (orderId, now, seal) => {
        const importedAt = new Date(body.importedAt);
        if (importedAt > now) throw invalidMember('/importedAt', 'MAXIMUM', 'is in the future');
        return importOrder(
          {
            id: orderId,
            organisationId,
            distributionChannelId: id as DistributionChannelId,
            currency,
            ...posOf(context),
            ...content,
            externalReference: body.externalReference,
            importedAt,
            ...(description !== undefined && { causeDescription: seal('cause', description) }),
            fees: fees.map(({ type, price, reason, orderLineIds = [] }, at) => {
              const feeId = workItemId(work.workId, `fee/${at}`);
              return {
                id: feeId,
                type,
                price: readPrice(price, currency, `/fees/${at}/price`),
                reason: seal(`fee/${feeId}`, reason),
                orderLineIds: idsOf<OrderLineId>(orderLineIds),
              };
            }),
          },
          now,
        );
      },
      description !== undefined || fees.length > 0 ? { seals: true } : {},
    );
    return createdOrderReply(await created);
  };
}

async function readContent(
  { customers, fares, timetable, now }: OrdersDependencies,
  { body, caller }: Parameters<Operation<Operations['importOrder']>>[0],
  currency: string,
  workId: string,
) {
  const { organisationId } = caller;
  const contact = contactOf(body.contactInfo ?? {});
  const travellers = await readTravellers(body.travellers ?? [], { fares, workId, pointer: '/travellers' });
  const customerNumbers = travellers.map(({ customerNumber }) => customerNumber);
  await assertCustomers(customers, organisationId, [contact.createdBy, contact.contact, ...customerNumbers]);
  const written = await readLines(body.orderLines, {
    ...{ timetable, now },
    fares: await fares.current(),
    order: { organisationId, currency, travellers, orderLines: [] },
    workId,
    maySetPrices: maySetPrices(caller),
    mayBeUnknown: true,
  });
  const { causeCode } = body.specialOrderCause ?? {};
  const transactions = body.transactions.map((each, at) => readTransaction(each, at, currency));
  return {
    ...contact,
    travellers,
    lines: written.map(({ line }) => ({ ...line, reservationIds: [] })),
    importedTransactions: transactions,
    capturedMinor: sumOf(transactions.map(({ amountMinor }) => amountMinor)),
    ...(causeCode !== undefined && { causeCode }),
  };
}

function readTransaction(given: Body['transactions'][number], at: number, currency: string): ImportedTransaction {
  const { amount, paymentTypeGroup, paymentType, transactionConfirmedAt, rrn } = given;
  const pointer = `/transactions/${at}/amount`;
  const amountMinor = readAmount(amount, currency, pointer);
  if (amountMinor <= 0) throw invalidMember(pointer, 'POSITIVE', 'must be positive');
  return { amountMinor, paymentTypeGroup, paymentType, confirmedAt: new Date(transactionConfirmedAt), rrn };
}

function refuseOtherCurrency({ currency, transactions }: Body, expected: string): void {
  const given = [currency, ...transactions.map((transaction) => transaction.currency)];
  if (given.every((each) => (each ?? expected) === expected)) return;
  throw new ServiceError('CURRENCY_MISMATCH', `The currency of the channel is ${expected}.`);
}
