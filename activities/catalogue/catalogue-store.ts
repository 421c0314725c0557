/**
 * The catalogue in the database: one document that is replaced whole, and every version it ever had.
 *
 * Callers: the handlers of api/catalogue (reads, replaces), the API at start (loads); other areas through
 * `CatalogueReader`. The caller has checked the content.
 *
 * Every write is conditional on `version`, which is the document's revision. It does not go through the aggregate kit's
 * `change`, whose decisions are pure. After each lost race, the document that is about to be replaced must be kept
 * first. There are no events and no workflow, and the hash of the content makes a repeat harmless.
 */
import type { Connection, mongo } from 'mongoose';
import { FreshRead } from '../../platform/fresh-read.ts';
import { interfaceKey } from '../../platform/interfaces.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import {
  type CatalogueContent,
  type CatalogueReader,
  type CatalogueVersion,
  type ConsentDefinition,
  type DistributionChannel,
  defaultChannel,
  type Organisation,
} from '../shared/catalogue.ts';
import { EMPTY_CATALOGUE, withDefaults } from './catalogue-content.ts';
import {
  CATALOGUE,
  CATALOGUE_VERSIONS,
  type CurrentDocument,
  hashOf,
  type StoredVersion,
  type VersionDocument,
} from './catalogue-document.ts';

/** A request that has read the catalogue for its channel comes here within milliseconds, unless much else is going on. */
const LATELY_MS = 100;
const NEVER = Number.NEGATIVE_INFINITY;

const EMPTY: CatalogueVersion = {
  version: 0,
  content: EMPTY_CATALOGUE,
};

export class CatalogueStore implements CatalogueReader {
  readonly #current: mongo.Collection<CurrentDocument>;
  readonly #versions: mongo.Collection<VersionDocument>;
  readonly #now: () => Date;
  /** Of a clock that never goes back. */
  readonly #nowMs: () => number;
  /** The content read last. It is used only while the stored version is the same. */
  #read: CatalogueVersion = EMPTY;
  #late: { readonly beganMs: number; readonly read: CatalogueVersion } = { beganMs: NEVER, read: EMPTY };
  #replacedMs = NEVER;
  readonly #fresh = new FreshRead(() => this.#readCurrent());

  constructor(
    connection: Connection,
    now: () => Date = () => new Date(),
    nowMs: () => number = () => performance.now(),
  ) {
    this.#nowMs = nowMs;
    this.#current = CATALOGUE.open(connection);
    this.#versions = CATALOGUE_VERSIONS.open(connection);
    this.#now = now;
  }

  async current(): Promise<CatalogueVersion> {
    return await this.#fresh.get();
  }

  async lately(): Promise<CatalogueVersion> {
    const { beganMs, read } = this.#late;
    const isFresh = beganMs > this.#replacedMs && this.#nowMs() - beganMs <= LATELY_MS;
    return isFresh ? read : await this.current();
  }

  async #readCurrent(): Promise<CatalogueVersion> {
    const beganMs = this.#nowMs();
    const read = await this.#readVersion();
    this.#late = { beganMs, read };
    return read;
  }

  async #readVersion(): Promise<CatalogueVersion> {
    // Only a filter and a projection of the version alone are answered from its index.
    const found = await this.#current.findOne({ version: { $gt: 0 } }, { projection: { _id: 0, version: 1 } });
    if (!found) return EMPTY;
    if (found.version === this.#read.version) return this.#read;
    const whole = await this.#current.findOne({ _id: 'current' });
    if (!whole) return EMPTY;
    this.#read = { version: whole.version, content: withDefaults(whole.content) };
    return this.#read;
  }

  async findOrganisation(id: OrganisationId): Promise<Organisation | undefined> {
    return (await this.current()).content.organisations.find((each) => each.id === id);
  }

  async findChannel(id: string): Promise<DistributionChannel | undefined> {
    return (await this.current()).content.distributionChannels.find((each) => each.id === id);
  }

  async findDefaultChannel(organisation: OrganisationId): Promise<DistributionChannel | undefined> {
    return defaultChannel((await this.current()).content, organisation);
  }

  async listConsentDefinitions(organisation: OrganisationId | 'ANY'): Promise<readonly ConsentDefinition[]> {
    const inForce = new Map<string, ConsentDefinition>();
    for (const definition of (await this.current()).content.consentDefinitions) {
      const { consentCode, version, ownerOrganisationId } = definition;
      const meant = ownerOrganisationId === undefined || organisation === 'ANY' || ownerOrganisationId === organisation;
      if (meant && version > (inForce.get(consentCode)?.version ?? 0)) inForce.set(consentCode, definition);
    }
    return [...inForce.values()].sort((a, b) => (a.consentCode < b.consentCode ? -1 : 1));
  }

  async findConsentDefinition(
    organisation: OrganisationId | 'ANY',
    code: string,
  ): Promise<ConsentDefinition | undefined> {
    return (await this.listConsentDefinitions(organisation)).find((each) => each.consentCode === code);
  }

  /**
   * Makes this the catalogue and answers its version. Equal content keeps its version. Of several calls at once, each becomes
   * a version of its own, one after the other. `check` throws for a version that the caller has not seen.
   */
  async replace(
    content: CatalogueContent,
    check: (replaced: number) => void = () => undefined,
  ): Promise<{ readonly version: number }> {
    const sha256 = hashOf(content);
    for (;;) {
      const present = await this.#current.findOne({ _id: 'current' });
      if (present?.sha256 === sha256) {
        await this.#keep(present);
        return { version: present.version };
      }
      check(present?.version ?? EMPTY.version);
      const next = { version: (present?.version ?? 0) + 1, content, sha256, storedAt: this.#now() };
      // The process that wrote it may have died before it kept the version.
      if (present) await this.#keep(present);
      if (!(await this.#write(present?.version, next))) continue;
      this.#replacedMs = this.#nowMs();
      await this.#keep(next);
      return { version: next.version };
    }
  }

  /** Makes this the first catalogue; does nothing when there is one. */
  async ensureLoaded(content: CatalogueContent): Promise<void> {
    if ((await this.#current.findOne({ _id: 'current' }, { projection: { _id: 1 } })) !== null) return;
    const sha256 = hashOf(content);
    const first = { version: 1, content, sha256, storedAt: this.#now() };
    if (await this.#write(undefined, first)) await this.#keep(first);
  }

  /** False when another writer was faster. */
  async #write(replaced: number | undefined, next: StoredVersion): Promise<boolean> {
    if (replaced !== undefined) {
      const { matchedCount } = await this.#current.updateOne({ _id: 'current', version: replaced }, { $set: next });
      return matchedCount === 1;
    }
    try {
      await this.#current.insertOne({ _id: 'current', ...next });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async #keep({ version, content, sha256, storedAt }: StoredVersion): Promise<void> {
    try {
      await this.#versions.updateOne(
        { _id: version },
        { $setOnInsert: { content, sha256, storedAt } },
        { upsert: true },
      );
    } catch (error) {
      // Another process has just kept the same version.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** The process's one store, which keeps the newest version: for the operations of this area. */
export const CATALOGUE_STORE = interfaceKey<CatalogueStore>('catalogue-store');
