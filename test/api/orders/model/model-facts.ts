/** What is compared of an order: of the model, and of the API's answer. */
import { balanceOf, hasEnded, type ModelOrder, totalOf } from './model-order.ts';

const kroner = (minor: number) => (minor / 100).toFixed(2);

/** What is compared with the order that the API answers. */
export function factsOfModel(order: ModelOrder) {
  return {
    ...{ status: order.status, version: order.version, revision: order.revision },
    ...{ total: kroner(totalOf(order)), balance: kroner(balanceOf(order)) },
    expireAt: order.expireAt === undefined ? undefined : new Date(order.expireAt).toISOString(),
    lines: order.lines.map(({ minor, isSeated: _seated, meals: _meals, seats, ...line }) => ({
      ...line,
      seats: hasEnded(order) ? [] : seats,
      price: kroner(minor),
    })),
    fees: order.fees.map(({ minor, ofChange: _change, ...fee }) => ({ ...fee, price: kroner(minor) })),
    travellers: order.travellers.map(({ id, age }) => ({ id, age })),
    ...{ contact: order.contact, reference: order.reference, cause: order.cause, credits: order.creditBalance },
  };
}

/** The same of the API's answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of any form is compared.
export function factsOfAnswer(json: any): ReturnType<typeof factsOfModel> {
  return {
    ...{ status: json.status, version: json.version, revision: json.revision },
    ...{ total: json.totalAmount, balance: json.balance, expireAt: json.expireAt },
    lines: json.orderLines.map((line: typeof json) => ({
      ...{ id: line.id, version: line.version, status: line.status, seats: line.reservationIds },
      ...{ price: line.price.amount, travellers: line.travellers.map((each: typeof json) => each.travellerId) },
    })),
    fees: json.fees.map(({ id, type, price }: typeof json) => ({ id, type, price: price.amount })),
    travellers: json.travellers.map(({ id, age }: typeof json) => ({ id, age })),
    ...{ contact: json.contactInfo.contact?.id, reference: json.externalReference },
    ...{ cause: json.specialOrderCause?.causeCode, credits: json.creditBalance },
  };
}
