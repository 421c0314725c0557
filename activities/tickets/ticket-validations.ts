/**
 * Validations by inspectors. Each is recorded first; then the ticket and its order are told. What a crash has left untold the sweep
 * tells. Whether the caller may validate this ticket is for the handler to say: inspectors of other organisations may.
 */
import type { Connection } from 'mongoose';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { OrganisationId, TicketDistributionId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Distribution } from '../../workflows/tickets/rules/ticket-group.ts';
import { isUse, marksOf, useTicket } from '../../workflows/tickets/rules/use.ts';
import type { OrderUseAccess } from '../shared/orders.ts';
import type { TicketStore } from './ticket-store.ts';
import type { StoredTicket } from './ticket-types.ts';
import {
  TICKET_VALIDATIONS,
  type ValidationCollection,
  type ValidationDocument,
} from './ticket-validation-document.ts';

export interface NewValidation {
  readonly validatedAt: Date;
  /** Absent: the legs that run at that time. */
  readonly legId?: string;
  readonly deviceId?: string;
  readonly inspectorOrganisationId: OrganisationId;
}

export interface ValidationWork {
  readonly workId: string;
  readonly correlationId: string;
  readonly clientId: string;
}

export interface TicketValidationsOptions {
  readonly connection: Connection;
  readonly store: TicketStore;
  readonly orders: () => OrderUseAccess;
  readonly now?: () => Date;
}

/** Devices without a network report later. */
const REPORTED_WITHIN_MS = 24 * 3_600_000;
/** Clocks of devices differ. */
const CLOCK_TOLERANCE_MS = 10_000;
/** Within this time of its record, the handler tells the ticket itself. */
const HANDLER_TIME_MS = 10_000;
const TOLD_AT_ONCE = 200;

export class TicketValidations {
  readonly #options: TicketValidationsOptions;
  readonly #collection: ValidationCollection;
  readonly #now: () => Date;

  constructor(options: TicketValidationsOptions) {
    this.#options = options;
    this.#collection = TICKET_VALIDATIONS.open(options.connection);
    this.#now = options.now ?? (() => new Date());
  }

  /** The same for every repeat of the work. Throws NOT_FOUND, and VALIDATION_FAILED for a time or leg that cannot be. */
  async record(
    ticketId: TicketDistributionId,
    validation: NewValidation,
    work: ValidationWork,
  ): Promise<ValidationDocument> {
    const stored = await this.#options.store.getTicket('ANY', ticketId);
    const _id = workItemId(work.workId, `validation/${ticketId}`);
    const earlier = await this.#collection.findOne({ _id });
    const recorded = earlier ?? (await this.#insert(_id, stored, validation, work));
    if (recorded.untoldSince) await this.#tell(recorded);
    return recorded;
  }

  /** In the order of their times. */
  async listOfTicket(ticketId: TicketDistributionId): Promise<readonly ValidationDocument[]> {
    return await this.#collection.find({ ticketDistributionId: ticketId }).sort({ validatedAt: 1 }).toArray();
  }

  /** Tells what is still untold. Called again and again by one of the workers. */
  async sweep(): Promise<void> {
    const before = new Date(this.#now().getTime() - HANDLER_TIME_MS);
    const found = this.#collection.find({ untoldSince: { $lte: before } }).sort({ untoldSince: 1 });
    for (const validation of await found.limit(TOLD_AT_ONCE).toArray()) await this.#tell(validation);
  }

  async #insert(
    _id: string,
    { group, ticket }: StoredTicket,
    validation: NewValidation,
    { clientId, correlationId }: ValidationWork,
  ): Promise<ValidationDocument> {
    const now = this.#now();
    assertPossible(validation, ticket, now);
    const document: ValidationDocument = {
      _id,
      organisationId: group.organisationId,
      groupId: group.id,
      ticketDistributionId: ticket.id,
      ...validation,
      clientId,
      correlationId,
      marks: marksOf(ticket, validation.validatedAt),
      recordedAt: now,
      untoldSince: now,
    };
    try {
      await this.#collection.insertOne(document);
      return document;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await this.#collection.findOne({ _id })) ?? document;
    }
  }

  /** Each step finds nothing to do when it comes again, so none needs a work id. */
  async #tell({
    _id,
    organisationId,
    groupId,
    ticketDistributionId,
    ...validation
  }: ValidationDocument): Promise<void> {
    const { validatedAt, legId, correlationId, clientId, marks } = validation;
    const work = { correlationId, clientId };
    const use = { ticketId: ticketDistributionId, validatedAt, ...(legId !== undefined && { legId }) };
    const { group } = await this.#options.store.change(organisationId, groupId, work, (stored, now) =>
      useTicket(stored.group, use, now),
    );
    const ticket = group.ticketDistributions.find(({ id }) => id === ticketDistributionId);
    // What is used after it was disabled is no use of what the order sells.
    if (ticket && isUse(ticket, validatedAt) && !marks.includes('AFTER_DISABLING')) {
      const { orderId, orderLineId } = group;
      await this.#options.orders().noteUse(organisationId, orderId, { orderLineId, usedAt: validatedAt }, work);
    }
    await this.#collection.updateOne({ _id }, { $unset: { untoldSince: '' } });
  }
}

function assertPossible({ validatedAt, legId }: NewValidation, { legs, issuedAt }: Distribution, now: Date): void {
  const ageMs = now.getTime() - validatedAt.getTime();
  if (ageMs > REPORTED_WITHIN_MS) throw invalid('/validatedAt', 'lies more than 24 hours back');
  if (ageMs < -CLOCK_TOLERANCE_MS) throw invalid('/validatedAt', 'lies in the future');
  // Nobody can have shown it: such a time would use it up, and no refund would be left.
  if (validatedAt.getTime() < issuedAt.getTime() - CLOCK_TOLERANCE_MS) {
    throw invalid('/validatedAt', 'lies before the ticket was issued: check the clock of the device', 422);
  }
  if (legId !== undefined && legs.every((leg) => leg.legId !== legId))
    throw invalid('/legId', 'is no leg of the ticket');
}

function invalid(pointer: string, detail: string, status?: 422): ServiceError {
  const errors = [{ pointer, code: 'RANGE', detail }];
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, { errors, ...(status && { status }) });
}
