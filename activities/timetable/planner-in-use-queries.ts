/**
 * Reads of the snapshot in use. A pointer that is not trusted counts as none. Caller: the planner worker, through
 * `PlannerBuildStore`.
 */
import type { Connection } from 'mongoose';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { PlannerPointerDocument } from '../shared/planner-snapshot.ts';
import { type LeftOutVersion, usedSources } from './left-out-version.ts';
import type { PlannerBuild } from './planner-build-model.ts';
import { PlannerBuildQueries } from './planner-build-queries.ts';
import type { PlannerInput, PlannerSource } from './planner-input.ts';
import { PlannerPointerStore } from './planner-pointer-store.ts';

/** A version that could not be read may be readable again, and no event says so. */
const LOOK_AGAIN_MS = 24 * 60 * 60_000;

export class PlannerInUseQueries extends PlannerBuildQueries {
  protected readonly connection: Connection;
  protected readonly keys: SigningKeys;
  protected readonly now: () => Date;
  protected readonly pointers: PlannerPointerStore;

  constructor(connection: Connection, keys: SigningKeys, now: () => Date = () => new Date()) {
    super(connection);
    this.connection = connection;
    this.keys = keys;
    this.now = now;
    this.pointers = new PlannerPointerStore(connection, keys, now);
  }

  async findPointer(): Promise<PlannerPointerDocument | undefined> {
    return await this.pointers.find();
  }

  /** Planned versions that the snapshot in use leaves out. */
  async listLeftOut(): Promise<readonly LeftOutVersion[]> {
    return (await this.#findInUse())?.leftOut ?? [];
  }

  /** Older versions that replace them in the snapshot in use. */
  async listTakenInstead(): Promise<readonly PlannerSource[]> {
    const { sources = [], leftOut = [] } = (await this.#findInUse()) ?? {};
    const planned = new Set(sources.map(({ correlationId }) => correlationId));
    return usedSources(sources, leftOut).filter(({ correlationId }) => !planned.has(correlationId));
  }

  async #findInUse(): Promise<Pick<PlannerBuild, 'sources' | 'leftOut'> | undefined> {
    const pointer = await this.findPointer();
    if (!pointer) return undefined;
    const projection = { sources: 1, leftOut: 1 } as const;
    return (await this.builds.findOne({ _id: pointer.build }, { projection })) ?? undefined;
  }

  /**
   * True when the snapshot in use has this input and is signed by the newest key. It must also leave out no version
   * that is due for another try.
   */
  async isInUse({ hash, sources }: PlannerInput): Promise<boolean> {
    const pointer = await this.findPointer();
    if (!pointer) return sources.length === 0;
    if (pointer.inputHash !== hash || pointer.keyId !== this.keys.signingKeyId) return false;
    const isDue = pointer.publishedAt.getTime() < this.now().getTime() - LOOK_AGAIN_MS;
    return !(isDue && (await this.listLeftOut()).length > 0);
  }
}
