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
import type { OrderAccess } from '../../shared/orders.ts';
import type { DeliveredVersion, DeliveryCalls, DeliveryWork, Distribution, ReissuedGroup } from '../delivery-calls.ts';
import { sealAddress } from '../mail-address.ts';
import type { MailingStore } from '../mailing-store.ts';
import { underRefund } from '../ticket-refusals.ts';
import { type AskedPlanReads, planAsked } from './asked-plan.ts';
import { startReissue, updateDelivery } from './delivery-start.ts';

export interface DeliveryWorkflowsOptions extends AskedPlanReads {
  /** Throws in a process without a connection to Temporal. */
  readonly temporal: () => TemporalClient;
  readonly mailings: Pick<MailingStore, 'create' | 'countOthers' | 'listOfOrder'>;
  readonly keys: SubjectKeys;
  readonly orders: () => Pick<OrderAccess, 'get'>;
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
    const { temporal, mailings, keys, orders } = this.#options;
    const wish = { kind: 'ASKED', resend, isGiven: email !== undefined } as const;
    const id = `asked/${work.workId}`;
    const order = await orders().get(version.organisationId, version.orderId);
    const address = email === undefined ? undefined : await sealAddress(keys, { ...version, id }, email);
    const given = email === undefined || !address ? {} : { given: { email, fingerprint: address.fingerprint } };
    const { isDone, isHeld, unaddressed } = await planAsked(this.#options, order, { id, wish, ...given });
    if (isDone && isHeld) throw underRefund();
    if (isDone) return;
    if (unaddressed.length > 0) throw noAddress();
    const workflow = deliveryWorkflowId(version);
    const { organisationId } = version;
    if ((await mailings.countOthers({ id, organisationId, workflow }, MOST_MAILINGS)) >= MOST_MAILINGS) throw tooMany();
    await mailings.create({
      ...{ id, ...version, workflow, correlationId: work.correlationId },
      wish,
      ...(address && { address }),
    });
    await updateDelivery(temporal(), inputOf(version, work), distributeUpdate, { mailing: id }, work);
  }

  async startReissue(group: ReissuedGroup, { correlationId }: Pick<DeliveryWork, 'correlationId'>): Promise<void> {
    await startReissue(this.#options.temporal(), { ...group, correlationId });
  }
}

function noAddress(): ServiceError {
  return new ServiceError(
    'NO_DELIVERY_ADDRESS',
    'A ticket has nobody to go to: neither its holder or travellers nor the order’s contact has an e-mail address. Name one in `email`.',
  );
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
