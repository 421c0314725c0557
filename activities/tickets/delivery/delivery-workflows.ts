/**
 * What the handlers of the API ask of tickets' workflows. What a call wants to be sent is written down first, with its address
 * sealed, so the workflow is told ids alone. Caller: the API's composition.
 */
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { OrderId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import {
  type DeliveryInput,
  deliveryWorkflowId,
  distributeUpdate,
  type GenerateRequest,
  generateUpdate,
} from '../../../workflows/tickets/messages.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import type { OrderAccess } from '../../shared/orders.ts';
import type { DeliveredVersion, DeliveryCalls, DeliveryWork, Distribution, ReissuedGroup } from '../delivery-calls.ts';
import { sealAddress } from '../mail-address.ts';
import type { MailingStore } from '../mailing-store.ts';
import { startReissue, updateDelivery } from './delivery-start.ts';

export interface DeliveryWorkflowsOptions {
  /** Throws in a process without a connection to Temporal. */
  readonly temporal: () => TemporalClient;
  readonly mailings: Pick<MailingStore, 'create' | 'countOthers'>;
  readonly keys: SubjectKeys;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly customers: () => Pick<CustomerReader, 'listWithEmail'>;
}

/** Of one version. Each is read with the others, and each may be mails to many readers. */
const MOST_MAILINGS = 100;

export class DeliveryWorkflows implements DeliveryCalls {
  readonly #options: DeliveryWorkflowsOptions;

  constructor(options: DeliveryWorkflowsOptions) {
    this.#options = options;
  }

  async generate(version: DeliveredVersion, request: GenerateRequest, work: DeliveryWork): Promise<void> {
    await updateDelivery(this.#options.temporal(), inputOf(version, work), generateUpdate, request, work);
  }

  async distribute(version: DeliveredVersion, { resend, email }: Distribution, work: DeliveryWork): Promise<void> {
    const { temporal, mailings, keys } = this.#options;
    if (email === undefined) await this.#assertReachable(version);
    const id = `asked/${work.workId}`;
    const workflow = deliveryWorkflowId(version);
    const { organisationId } = version;
    if ((await mailings.countOthers({ id, organisationId, workflow }, MOST_MAILINGS)) >= MOST_MAILINGS) throw tooMany();
    const address = email === undefined ? undefined : await sealAddress(keys, { ...version, id }, email);
    await mailings.create({
      ...{ id, ...version, workflow, correlationId: work.correlationId },
      wish: { kind: 'ASKED', resend, isGiven: email !== undefined },
      ...(address && { address }),
    });
    await updateDelivery(temporal(), inputOf(version, work), distributeUpdate, { mailing: id }, work);
  }

  async startReissue(group: ReissuedGroup, { correlationId }: Pick<DeliveryWork, 'correlationId'>): Promise<void> {
    await startReissue(this.#options.temporal(), { ...group, correlationId });
  }

  /** The contact gets every ticket whose traveller has no address; without one, each traveller needs an own. */
  async #assertReachable({ organisationId, orderId }: DeliveredVersion): Promise<void> {
    const { contact, createdBy, travellers } = await this.#options.orders().get(organisationId, orderId);
    const owner = contact ?? createdBy;
    const numbers = [
      ...(owner === undefined ? [] : [owner]),
      ...travellers.flatMap((each) => each.customerNumber ?? []),
    ];
    const reachable = await this.#options.customers().listWithEmail(organisationId, numbers);
    if (owner !== undefined && reachable.has(owner)) return;
    const isEach = travellers.every(({ customerNumber: number }) => number !== undefined && reachable.has(number));
    if (travellers.length > 0 && isEach) return;
    throw new ServiceError(
      'NO_DELIVERY_ADDRESS',
      'Neither the order’s contact nor each of its travellers has an e-mail address: name one in `email`.',
    );
  }
}

function tooMany(): ServiceError {
  const detail = `The tickets of this version were sent ${MOST_MAILINGS} times. Download their PDFs instead.`;
  return new ServiceError('INVALID_STATE', detail);
}

interface Version {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
}

function inputOf({ organisationId, orderId, orderVersion }: Version, { correlationId }: DeliveryWork): DeliveryInput {
  return { organisationId, orderId, orderVersion, cause: 'ASKED', correlationId };
}
