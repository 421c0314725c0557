/**
 * Consents of customers with their history. A code has at most one live consent; each change keeps the row before, and
 * so does a removal. The profile's own document holds them, so they are erased with it. Callers: the handlers of the
 * API, which know the definitions.
 */

import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Consent, ConsentContent, Found, Paging, Tenancy, Write } from './customer-types.ts';
import { type OpenProfile, ProfileChanges, type ProfileStep, type ProfileTarget } from './profile-changes.ts';
import type { LiveProfile } from './profile-document.ts';

const MAX_LIVE = 200;
/** Live and earlier rows: the document must stay far below MongoDB's limit. */
const MAX_ROWS = 1_000;

export class ConsentStore {
  readonly #changes: ProfileChanges;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#changes = new ProfileChanges(options);
    this.#now = options.now ?? (() => new Date());
  }

  /** In the order of their first row. */
  async list(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<readonly Consent[]> {
    return (await this.#changes.get(targetOf(tenancy, customerNumber))).document.consents ?? [];
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, customerNumber: CustomerNumber, id: string): Promise<Consent> {
    return show(id)(await this.#changes.get(targetOf(tenancy, customerNumber)));
  }

  /** Throws INVALID_STATE with the id when this code has a live consent, and beyond the limits. */
  async add(tenancy: Tenancy, customerNumber: CustomerNumber, content: ConsentContent, write: Write): Promise<Consent> {
    const id = workItemId(write.workId, 'consents');
    const decide = ({ document }: OpenProfile): ProfileStep => {
      const live = document.consents ?? [];
      const same = live.find((each) => each.consentCode === content.consentCode);
      if (same) throw refusal(`There is a consent of this code already: ${same.id}`);
      if (live.length >= MAX_LIVE) throw refusal(`A profile holds at most ${MAX_LIVE} consents`);
      const at = this.#now();
      const origin = { id, createdAt: at, createdByOrganisationId: write.organisationId };
      return stepOf(document, [...live, rowOf(content, origin, at)], rowOf(content, origin, at));
    };
    return await this.#changes.change(targetOf(tenancy, customerNumber), write, decide, show(id));
  }

  /**
   * Moves the row before to the history. Throws NOT_FOUND; INVALID_STATE when the code differs, or beyond the limit.
   */
  async replace(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    id: string,
    content: ConsentContent,
    write: Write,
  ): Promise<Consent> {
    const decide = ({ document }: OpenProfile): ProfileStep => {
      const before = find(document, id);
      if (before.consentCode !== content.consentCode) throw refusal('The code of a consent does not change');
      const row = rowOf(content, before, this.#now());
      const live = (document.consents ?? []).map((each) => (each === before ? row : each));
      return stepOf(document, live, row, before);
    };
    return await this.#changes.change(targetOf(tenancy, customerNumber), write, decide, show(id));
  }

  /** Removes it from the list and keeps its history. Throws NOT_FOUND. */
  async remove(tenancy: Tenancy, customerNumber: CustomerNumber, id: string, write: Write): Promise<void> {
    const decide = ({ document }: OpenProfile): ProfileStep => {
      const before = find(document, id);
      const live = (document.consents ?? []).filter((each) => each !== before);
      return stepOf(document, live, { ...before, consentChoice: null }, before);
    };
    await this.#changes.change(targetOf(tenancy, customerNumber), write, decide, () => undefined);
  }

  /** Earlier rows, newest first, also of a removed consent. Throws NOT_FOUND when it never existed. */
  async history(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    id: string,
    { page, perPage }: Paging,
  ): Promise<Found<Consent>> {
    const { document } = await this.#changes.get(targetOf(tenancy, customerNumber));
    const rows = (document.consentHistory ?? []).filter((each) => each.id === id).reverse();
    if (rows.length === 0) find(document, id);
    return { items: rows.slice((page - 1) * perPage, page * perPage), totalItems: rows.length };
  }
}

function rowOf(
  { consentCode, consentChoice, consentVersion, distributionChannel, givenAt }: ConsentContent,
  { id, createdAt, createdByOrganisationId }: Pick<Consent, 'id' | 'createdAt' | 'createdByOrganisationId'>,
  at: Date,
): Consent {
  return {
    id,
    consentCode,
    consentChoice,
    consentVersion,
    distributionChannel,
    givenAt: givenAt ?? at,
    createdAt,
    changedAt: at,
    createdByOrganisationId,
  };
}

/** The consent in an event; it has no choice after the removal. */
type ReportedConsent = Omit<Consent, 'consentChoice'> & { readonly consentChoice: boolean | null };

function stepOf(
  document: LiveProfile,
  consents: readonly Consent[],
  reported: ReportedConsent,
  earlier?: Consent,
): ProfileStep {
  const history = [...(document.consentHistory ?? []), ...(earlier ? [earlier] : [])];
  if (consents.length + history.length > MAX_ROWS)
    throw refusal(`A profile holds at most ${MAX_ROWS} rows of consents`);
  const { id, consentCode, consentChoice, consentVersion, distributionChannel } = reported;
  return {
    set: { consents, ...(earlier && { consentHistory: history }) },
    events: [
      { type: 'ConsentChanged', consentId: id, consentCode, consentChoice, consentVersion, distributionChannel },
    ],
  };
}

function targetOf(tenancy: Tenancy, customerNumber: CustomerNumber): ProfileTarget {
  return { tenancy, customerNumber, members: { consents: 1, consentHistory: 1 } };
}

function find(document: LiveProfile, id: string): Consent {
  const found = document.consents?.find((each) => each.id === id);
  if (!found) throw new ServiceError('NOT_FOUND', 'The profile has no such consent');
  return found;
}

function show(id: string): (profile: OpenProfile) => Consent {
  return ({ document }) => find(document, id);
}

function refusal(detail: string): ServiceError {
  return new ServiceError('INVALID_STATE', detail);
}
