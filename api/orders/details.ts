/** Facts about an order that belong to no version: contact, reference, cause, and when its draft ends. */
import { assertCustomers } from '../../activities/orders/reserving-checks.ts';
import {
  type ContactInfo,
  removeSpecialOrderCause,
  setContactInfo,
  setExpireAt,
  setExternalReference,
  setSpecialOrderCause,
} from '../../workflows/orders/rules/facts.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { orderReply } from './replies.ts';
import { ifMatchOf, targetOf, workOf } from './requests.ts';

type DetailOperations = Pick<
  Operations,
  'putContactInfo' | 'putExternalReference' | 'putSpecialOrderCause' | 'deleteSpecialOrderCause' | 'putExpireAt'
>;

export function createDetailOperations({
  orders,
  customers,
}: Pick<OrdersDependencies, 'orders' | 'customers'>): Handlers<DetailOperations> {
  return {
    putContactInfo: async (context) => {
      const target = targetOf(context);
      const contact = contactOf(context.body);
      const { order } = await orders.get(...target);
      await assertCustomers(customers, order.organisationId, [contact.createdBy, contact.contact]);
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      return orderReply(
        await orders.change(...target, work, (current, now) => setContactInfo(current, contact, now), options),
      );
    },
    putExternalReference: async (context) => {
      const { externalReference } = context.body;
      const command = externalReference === undefined ? {} : { externalReference };
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      return orderReply(
        await orders.change(
          ...targetOf(context),
          work,
          (order, now) => setExternalReference(order, command, now),
          options,
        ),
      );
    },
    putSpecialOrderCause: async (context) => {
      const { causeCode, description } = context.body;
      const work = await workOf(context);
      const options = { ifMatch: ifMatchOf(context), ...(description !== undefined && { seals: true as const }) };
      const put = orders.change(
        ...targetOf(context),
        work,
        (order, now, seal) => {
          const cause = { causeCode, ...(description !== undefined && { description: seal('cause', description) }) };
          return setSpecialOrderCause(order, cause, now);
        },
        options,
      );
      return orderReply(await put);
    },
    deleteSpecialOrderCause: async (context) => {
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      return orderReply(
        await orders.change(
          ...targetOf(context),
          work,
          (order, now) => removeSpecialOrderCause(order, {}, now),
          options,
        ),
      );
    },
    putExpireAt: async (context) => {
      const expireAt = new Date(context.body.expireAt);
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      return orderReply(
        await orders.change(...targetOf(context), work, (order, now) => setExpireAt(order, { expireAt }, now), options),
      );
    },
  };
}

export function contactOf({ createdBy, contact }: Schemas['ContactInfo']): ContactInfo {
  return { ...(createdBy && { createdBy: createdBy.id }), ...(contact && { contact: contact.id }) };
}
